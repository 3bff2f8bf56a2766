import { NODATA, NOTFOUND, promises } from 'node:dns';
import { isIP } from 'node:net';
import { request } from 'undici';
import {
  challengeVisibility,
  type VisibilityAnswer,
  type VisibilityQuestion,
} from '../../controllers/certificates/ports/acme.js';
import { agentFor, checkAddress, failureOf, type HostLookup } from '../../egress/connections.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';

/** The queries that are needed of a DNS resolver. */
export type Resolver = Pick<promises.Resolver, 'resolveNs' | 'resolveTxt' | 'resolveCname' | 'cancel'>;

/** A resolver that asks certain servers. Without servers, it asks those of the machine. */
export type ResolverFor = (servers?: readonly string[]) => Resolver;

/** What the source of visibility needs. */
export interface VisibilityOptions {
  readonly lookup: HostLookup;
  /** @default - the resolver of Node.js */
  readonly resolverFor?: ResolverFor;
  /** The port of HTTP-01. @default 80 */
  readonly port?: number;
}

/** Redirects that Let's Encrypt follows. */
const mostRedirects = 10;
/** Bytes. A key authorization has about 90. */
const maxResponseSize = 4_096;
/** Milliseconds for one DNS query. */
const queryTimeout = 2_000;

const nodeResolver: ResolverFor = (servers) => {
  const resolver = new promises.Resolver({ timeout: queryTimeout, tries: 2 });
  if (servers) resolver.setServers(servers.map((one) => (isIP(one) === 6 ? `[${one}]` : one)));
  return resolver;
};

/** Looks for responses to challenges as certificate authorities do. */
export function visibilitySource(options: VisibilityOptions): Provided {
  return provided(challengeVisibility, async (question, { signal }): Promise<VisibilityAnswer> => {
    signal.throwIfAborted();
    const why = await (question.type === 'http-01'
      ? httpProblem(question, signal, options)
      : dnsProblem(question, signal, options));
    return why === undefined ? { isVisible: true } : { isVisible: false, why };
  });
}

/** Why the response cannot be read by HTTP. Certificates of redirects are not checked, as the authorities do not either. */
async function httpProblem(
  { name, token, keyAuthorization }: Extract<VisibilityQuestion, { type: 'http-01' }>,
  signal: AbortSignal,
  { lookup: lookupOf, port = 80 }: VisibilityOptions,
): Promise<string | undefined> {
  const dispatcher = agentFor(lookupOf, { connect: { rejectUnauthorized: false }, maxResponseSize });
  const authority = isIP(name) === 6 ? `[${name}]` : name;
  let url = new URL(`http://${authority}:${port}/.well-known/acme-challenge/${token}`);
  try {
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      checkAddress(url, lookupOf);
      const { statusCode, headers, body } = await request(url, { dispatcher, signal });
      const text = await body.text();
      const { location } = headers;
      if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
        url = new URL(location, url);
        continue;
      }
      if (statusCode !== 200) return `${url} answers ${statusCode}`;
      return text.trim() === keyAuthorization ? undefined : `${url} answers with another text`;
    }
    return `http://${authority}/ redirects more than ${mostRedirects} times`;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    return `${url} does not answer: ${failureOf(error)}`;
  } finally {
    await dispatcher.destroy();
  }
}

/** Why the record is not at every authoritative server of its zone. */
async function dnsProblem(
  { name, record }: Extract<VisibilityQuestion, { type: 'dns-01' }>,
  signal: AbortSignal,
  { lookup, resolverFor = nodeResolver }: VisibilityOptions,
): Promise<string | undefined> {
  const resolver = resolverFor();
  const own = `_acme-challenge.${name}`;
  const [alias] = await orNone(() => resolver.resolveCname(own));
  const target = alias ?? own;
  const servers = await serversOf(target, resolver);
  if (servers.length === 0) return `no zone of ${target} has a name server`;
  for (const server of servers) {
    signal.throwIfAborted();
    const addresses = await addressesOf(server, lookup);
    const texts = await orNone(() => resolverFor(addresses).resolveTxt(target));
    if (!texts.some((parts) => parts.join('') === record))
      return `${server} has no TXT record of ${target} with this value`;
  }
  return undefined;
}

/** The name servers of the zone that has a name. */
async function serversOf(name: string, resolver: Resolver): Promise<readonly string[]> {
  const labels = name.split('.');
  for (let from = 0; from < labels.length; from++) {
    const servers = await orNone(() => resolver.resolveNs(labels.slice(from).join('.')));
    if (servers.length > 0) return servers.toSorted();
  }
  return [];
}

/** None if the server proves that there are none. Any other failure proves nothing. */
async function orNone<T>(query: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await query();
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === NODATA || code === NOTFOUND) return [];
    throw error;
  }
}

/** The addresses of a name server, unless users must not reach one of them. */
function addressesOf(server: string, lookup: HostLookup): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookup(server)(server, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(typeof addresses === 'string' ? [addresses] : addresses.map(({ address }) => address));
    });
  });
}
