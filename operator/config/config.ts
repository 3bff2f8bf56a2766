import { type SystemOptions, systemOptions } from '../controllers/configured.js';
import { leaseTimes } from '../runtime/leader/lease-times.js';
import type { LogLevel } from './log-level.js';

/** The configuration of an operator: its own options, and the options of its systems. Durations are in milliseconds. */
export interface Config extends SystemOptions {
  /** Namespaces to watch. Empty for all. */
  readonly namespaces: readonly string[];
  /** Names of the controllers to run. Empty for all. */
  readonly controllers: readonly string[];
  /** Elect a leader among the replicas by a lease: one reconciles, the others stand by. */
  readonly leaderElect: boolean;
  readonly leaseName: string;
  /** Empty for the default namespace of the connection, which in a pod is its own. */
  readonly leaseNamespace: string;
  /** Another replica may acquire a lease that was not renewed for this long. */
  readonly leaseDuration: number;
  /** A leader that could not renew the lease for this long steps down. */
  readonly leaseRenewDeadline: number;
  /** Between two tries to acquire or renew the lease. */
  readonly leaseRetryPeriod: number;
  /** 0 disables the endpoint. */
  readonly metricsPort: number;
  /** A directory with tls.crt and tls.key, read again when they change. Empty to serve metrics without TLS. */
  readonly metricsCertPath: string;
  /** Serve metrics only to clients whose token the API server accepts and who may `get` the path /metrics. */
  readonly metricsAuth: boolean;
  /** 0 disables the endpoint. */
  readonly healthPort: number;
  /** URL of the Prometheus server that provides metrics. Empty to scrape the pods instead. */
  readonly prometheusUrl: string;
  /** A file with the bearer token for Prometheus. Empty for none. */
  readonly prometheusTokenFile: string;
  /** A file with the CA certificates for Prometheus. Empty for the default ones. */
  readonly prometheusCaFile: string;
  /** Hosts and networks that addresses in resources may name. Empty for none. */
  readonly allowedAddresses: readonly string[];
  /** Where HTTP-01 challenges of ACME servers are answered. 0 disables it. */
  readonly acmePort: number;
  /** The IP address of the operator's own Pod. Empty if it is not known. */
  readonly podIp: string;
  /** The registry of the images of this package, with an optional path. Empty for that of this release. */
  readonly imageRegistry: string;
  /** Names of Secrets in the namespace of each resource, which its Pods get unless the resource names its own. */
  readonly imagePullSecrets: readonly string[];
  readonly logLevel: LogLevel;
  /** Report reconciles and writes to an OpenTelemetry SDK, which the process must have loaded before. */
  readonly tracing: boolean;
  /** The number of concurrent reconciles of each controller. */
  readonly maxConcurrentReconciles: number;
  /** After this time every resource is reconciled again from the caches. Ten times as long if everything is done. */
  readonly resyncPeriod: number;
  /** After this time a reconcile times out. */
  readonly reconcileTimeout: number;
  /** The time that running reconciles have to finish when the operator stops. */
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
  allowedAddresses: [],
  acmePort: 0,
  podIp: '',
  imageRegistry: '',
  imagePullSecrets: [],
  ...systemDefaults(),
  logLevel: 'info',
  tracing: false,
  maxConcurrentReconciles: 16,
  resyncPeriod: 30_000,
  reconcileTimeout: 120_000,
  gracefulShutdownTimeout: 30_000,
};

/** The defaults that the systems declare. */
function systemDefaults(): SystemOptions {
  const values = Object.entries(systemOptions).map(([name, option]) => [name, option.default]);
  return Object.fromEntries(values) as SystemOptions;
}
