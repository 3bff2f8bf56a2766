# The operator: node, the shared libraries that it needs, and the compiled code with its production dependencies.
# The base is only built in; nothing else of it is in the image.
ARG NODE_IMAGE=node:26-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit
COPY . .
RUN npm run build
# cdk8s and constructs are development dependencies too, since they are peers of whoever uses the package: without that
# list npm keeps them as peers, in the versions of the lock file. The client of Kafka is an optional peer, which npm omits:
# the operator needs it.
RUN npm pkg delete devDependencies peerDependenciesMeta.@platformatic/kafka \
 && npm prune --ignore-scripts --no-audit --omit=dev --omit=optional

WORKDIR /image
RUN mkdir -p app etc usr/local/bin \
 && cp -R /app/build /app/node_modules /app/package.json app/ \
 && cp -L "$(command -v node)" usr/local/bin/node \
 && ldd usr/local/bin/node | grep -o '/[^ )]*' | xargs -I{} cp -L --parents {} . \
 && echo 'operator:x:65532:65532::/app:/sbin/nologin' > etc/passwd \
 && echo 'operator:x:65532:' > etc/group

FROM scratch
COPY --from=build /image /
WORKDIR /app
# One arena of memory for all threads: a tenth less at the peak, see docs/maintaining/performance.md.
ENV NODE_ENV=production MALLOC_ARENA_MAX=1
USER 65532:65532
# Metrics and health.
EXPOSE 8080 8081
# A smaller nursery: a fifth less memory at the peak for the same CPU, see docs/maintaining/performance.md.
ENTRYPOINT ["/usr/local/bin/node", "--max-semi-space-size=4", "build/operator/main.js"]
