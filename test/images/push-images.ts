import { imageIn } from '../../src/workload/image.js';
import type { Builder, CommandLine } from './builder.js';

/** Where images are pushed. */
export interface PushTarget {
  readonly builder: Builder;
  /** With an optional path, such as `registry.example.com/mirror`. */
  readonly registry: string;
  /** Whether the registry has no TLS, or a certificate that is not trusted. @default false */
  readonly isInsecure?: boolean | undefined;
}

/** How a command ended. */
export interface Ended {
  readonly code: number;
  /** What it wrote to standard error. */
  readonly stderr: string;
}

/** The commands that push a built image. Name and tag stay, and the registry and path before them are replaced. */
export function pushLines(name: string, { builder, registry, isInsecure }: PushTarget): readonly CommandLine[] {
  const target = imageIn(registry, name);
  if (builder === 'docker')
    return [
      [builder, 'tag', name, target],
      [builder, 'push', target],
    ];
  const options = isInsecure ? ['--tls-verify=false'] : [];
  return [[builder, 'push', ...options, name, `docker://${target}`]];
}

/**
 * Pushes a built image. @returns its name in the registry
 * @throws {Error} that says what to do, if the registry does not accept it
 */
export function pushImage(name: string, target: PushTarget, run: (line: CommandLine) => Ended): string {
  for (const line of pushLines(name, target)) {
    const { code, stderr } = run(line);
    if (code !== 0) throw new Error(pushProblem(name, stderr, target));
  }
  return imageIn(target.registry, name);
}

/** Why an image was not pushed, and what to do, from what the builder reported. */
export function pushProblem(name: string, stderr: string, { builder, registry }: PushTarget): string {
  const [host = registry] = registry.split('/');
  const what = `${imageIn(registry, name)} was not pushed`;
  const found = causes.find(({ in: pattern }) => pattern.test(stderr));
  if (found) return `${what}: ${found.advice(host, builder)}`;
  const last = stderr.trim().split('\n').at(-1) ?? '';
  return `${what}: ${last === '' ? `${builder} reported no reason` : last}`;
}

/** The causes that a person can remove, by the words of Docker, Podman and Buildah. The first that fits applies. */
const causes: readonly { readonly in: RegExp; readonly advice: (host: string, builder: Builder) => string }[] = [
  {
    in: /gave HTTP response to HTTPS client|first record does not look like a TLS handshake/i,
    advice: (host, builder) =>
      builder === 'docker'
        ? `${host} has no TLS; add it to insecure-registries of the Docker daemon`
        : `${host} has no TLS; add --insecure if nobody else can read the network`,
  },
  {
    in: /x509|certificate/i,
    advice: (host) => `the certificate of ${host} is not trusted; add its CA to this machine`,
  },
  {
    in: /unauthorized|authentication required|no basic auth credentials|denied|forbidden|\b40[13]\b/i,
    advice: (host, builder) => `${host} refuses it; run ${builder} login ${host} with an account that may push`,
  },
  {
    in: /connection refused|no such host|no route to host|i\/o timeout|dial tcp/i,
    advice: (host) => `${host} does not answer; check its name and port`,
  },
];
