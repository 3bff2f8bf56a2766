import { leaseTimes } from './runtime/leader/lease-times.js';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** How an operator runs. Durations are in milliseconds. */
export interface Config {
  /** Namespaces that are watched; empty for all. */
  readonly namespaces: readonly string[];
  /** Names of the controllers that are run; empty for all. */
  readonly controllers: readonly string[];
  /** Share the work with other replicas through a lease: one leads, the others stand by. */
  readonly leaderElect: boolean;
  readonly leaseName: string;
  /** Empty for the namespace that the connection prefers, which in a pod is its own. */
  readonly leaseNamespace: string;
  /** A lease that is not renewed for this long may be taken. */
  readonly leaseDuration: number;
  /** A leader that could not renew for this long steps down. */
  readonly leaseRenewDeadline: number;
  /** Between two tries to take or renew the lease. */
  readonly leaseRetryPeriod: number;
  /** 0 for none. */
  readonly metricsPort: number;
  /** A folder with tls.crt and tls.key, read again when they change; empty to serve metrics without TLS. */
  readonly metricsCertPath: string;
  /** Serve metrics only to those whose token the API server knows, and who may `get` the path /metrics. */
  readonly metricsAuth: boolean;
  /** 0 for none. */
  readonly healthPort: number;
  /** Of the Prometheus that is asked for numbers; empty to ask the pods themselves. */
  readonly prometheusUrl: string;
  /** A file with the bearer token that it is shown; empty for none. */
  readonly prometheusTokenFile: string;
  /** A file with the authorities that its certificate may be of; empty for those that everybody trusts. */
  readonly prometheusCaFile: string;
  /** What runs the proxies of Gateways of this package's class. */
  readonly gatewayProxies: 'Deployment' | 'DaemonSet';
  /** Where the images of Databases are, without a tag; empty for that of this release. */
  readonly postgresRepository: string;
  readonly logLevel: LogLevel;
  /** Tell an OpenTelemetry SDK, which the process must have loaded before, of passes and writes. */
  readonly tracing: boolean;
  /** Passes at a time, for each controller. */
  readonly maxConcurrentReconciles: number;
  /** After which every resource is looked at again, from the caches; ten times later where all is done. */
  readonly resyncPeriod: number;
  /** After which a pass is given up. */
  readonly reconcileTimeout: number;
  /** For the passes that run when the operator is to stop. */
  readonly gracefulShutdownTimeout: number;
}

export const defaults: Config = {
  namespaces: [],
  controllers: [],
  leaderElect: false,
  leaseName: 'reconstruct',
  leaseNamespace: '',
  leaseDuration: leaseTimes.duration,
  leaseRenewDeadline: leaseTimes.renewDeadline,
  leaseRetryPeriod: leaseTimes.retryPeriod,
  metricsPort: 8080,
  metricsCertPath: '',
  metricsAuth: false,
  healthPort: 8081,
  prometheusUrl: '',
  prometheusTokenFile: '',
  prometheusCaFile: '',
  gatewayProxies: 'Deployment',
  postgresRepository: '',
  logLevel: 'info',
  tracing: false,
  maxConcurrentReconciles: 16,
  resyncPeriod: 30_000,
  reconcileTimeout: 120_000,
  gracefulShutdownTimeout: 30_000,
};
