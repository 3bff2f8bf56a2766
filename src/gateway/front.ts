/** A Gateway whose proxies run in the namespace of the workload that they serve. */
export interface Front {
  /** The name of the Gateway. */
  readonly gateway: string;
  /** The port of the proxies, by name or number. @default 'http' */
  readonly port?: number | string;
  /**
   * Whether each node has a proxy that serves the requests from that node.
   * @default false: any proxy serves any request
   */
  readonly onEachNode?: boolean;
}

/**
 * The labels of the proxies of a Gateway. Every controller sets them on the Pods that it runs in the namespace of the
 * Gateway.
 * @see https://gateway-api.sigs.k8s.io/geps/gep-1762/
 */
export function proxyLabels(gateway: string): Readonly<Record<string, string>> {
  return { 'gateway.networking.k8s.io/gateway-name': gateway };
}

/** The port on which the proxies accept requests. */
export function frontPort({ port = 'http' }: Front): number | string {
  return port;
}
