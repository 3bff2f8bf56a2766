/** A Gateway whose proxies run in the namespace of what they stand before. */
export interface Front {
  /** The Gateway's name. */
  readonly gateway: string;
  /** The port of its proxies, by name or number. @default 'http' */
  readonly port?: number | string;
  /** Each node has a proxy, which takes what comes from that node. @default false: any of them takes any request */
  readonly onEachNode?: boolean;
}

/**
 * The labels of a Gateway's proxies, which any controller puts on what it runs in the Gateway's namespace.
 * @see https://gateway-api.sigs.k8s.io/geps/gep-1762/
 */
export function proxyLabels(gateway: string): Readonly<Record<string, string>> {
  return { 'gateway.networking.k8s.io/gateway-name': gateway };
}

/** Where the proxies take requests. */
export function frontPort({ port = 'http' }: Front): number | string {
  return port;
}
