import type { Manifest, ManifestMeta } from '../manifest/plain.js';

/** What a monitor scrapes. */
export interface Scraped {
  /** Labels of the Pods, or of their Service. */
  readonly matchLabels: Readonly<Record<string, string>>;
  /** The name of the port. */
  readonly port: string;
  /** Time between two scrapes, such as `30s`. Undefined for the default of Prometheus. */
  readonly interval: string | undefined;
  /** Set if the metrics are served with TLS, to clients with a token. */
  readonly tls: { readonly secret: string; readonly serverName: string } | undefined;
}

/** A PodMonitor or ServiceMonitor of the Prometheus operator. */
export type Monitor = Manifest & { readonly spec: object };

/** Scrapes Pods. It cannot send the token of Prometheus, so it cannot read metrics with `tls`. */
export function podMonitor(metadata: ManifestMeta, { matchLabels, port, interval }: Omit<Scraped, 'tls'>): Monitor {
  const spec = { selector: { matchLabels }, podMetricsEndpoints: [endpoint(port, interval)] };
  return { apiVersion: 'monitoring.coreos.com/v1', kind: 'PodMonitor', metadata, spec };
}

/** Scrapes all Pods of a Service, with the token of Prometheus and the CA of the Secret if the metrics need them. */
export function serviceMonitor(metadata: ManifestMeta, { matchLabels, port, interval, tls }: Scraped): Monitor {
  const protection = tls && {
    scheme: 'https',
    bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
    tlsConfig: { ca: { secret: { name: tls.secret, key: 'ca.crt' } }, serverName: tls.serverName },
  };
  const spec = { selector: { matchLabels }, endpoints: [{ ...endpoint(port, interval), ...protection }] };
  return { apiVersion: 'monitoring.coreos.com/v1', kind: 'ServiceMonitor', metadata, spec };
}

/** The labels of a metric win over those of the target: `namespace` is that of a resource, not of the operator. */
function endpoint(port: string, interval: string | undefined): object {
  return { port, path: '/metrics', honorLabels: true, ...(interval !== undefined && { interval }) };
}
