import { leaseTimes } from '../runtime/leader/lease-times.js';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The configuration of an operator. Durations are in milliseconds. */
export interface Config {
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
  /** The workload that runs the proxies of Gateways of this package's class. */
  readonly gatewayProxies: 'Deployment' | 'DaemonSet';
  /** Requests of a proxy, such as `cpu=100m,memory=128Mi`. Empty for the defaults. */
  readonly proxyRequests: string;
  /** Limits of a proxy, such as `cpu=2,memory=512Mi`. Empty for the defaults. */
  readonly proxyLimits: string;
  /** The repository of the Database images, without a tag. Empty for that of this release. */
  readonly postgresRepository: string;
  /** The repository of the Kafka images, without a tag. Empty for that of this release. */
  readonly kafkaRepository: string;
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
  gatewayProxies: 'Deployment',
  proxyRequests: '',
  proxyLimits: '',
  postgresRepository: '',
  kafkaRepository: '',
  logLevel: 'info',
  tracing: false,
  maxConcurrentReconciles: 16,
  resyncPeriod: 30_000,
  reconcileTimeout: 120_000,
  gracefulShutdownTimeout: 30_000,
};
