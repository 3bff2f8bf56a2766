import { type Config, type LogLevel, logLevels } from '../config.js';

/** What an option means to people, and how its text is read; what that throws says what was expected. */
interface Option<T> {
  readonly meaning: string;
  readonly read: (text: string) => T;
}

export const options: { readonly [K in keyof Config]: Option<Config[K]> } = {
  namespaces: {
    meaning: 'Namespaces to watch, separated by commas; all by default',
    read: (text) => text.split(',').map((name) => matching(name.trim(), dnsLabel, 'namespaces separated by commas')),
  },
  controllers: {
    meaning: 'Names of the controllers to run, separated by commas; all by default',
    read: (text) => text.split(',').map((name) => matching(name.trim(), /^\S+$/, 'names separated by commas')),
  },
  leaderElect: {
    meaning: 'Elect a leader among the replicas by a Lease: one reconciles, the others stand by',
    read: oneOf({ true: true, false: false }),
  },
  leaseName: { meaning: 'Name of the Lease', read: (text) => matching(text, dnsLabel, 'a lower-case name') },
  leaseNamespace: {
    meaning: "Namespace of the Lease; by default the operator's own",
    read: (text) => matching(text, dnsLabel, 'a namespace'),
  },
  leaseDuration: { meaning: 'Another replica may acquire a Lease that was not renewed for this long', read: duration },
  leaseRenewDeadline: {
    meaning: 'The leader stops writing when it could not renew the Lease for this long',
    read: duration,
  },
  leaseRetryPeriod: { meaning: 'Time between two attempts to acquire or renew the Lease', read: duration },
  metricsPort: { meaning: 'Port of the metrics; 0 for none', read: integer(0, 65_535) },
  metricsCertPath: {
    meaning: 'Directory with `tls.crt` and `tls.key` to serve the metrics with, reloaded when they change',
    read: (text) => text,
  },
  metricsAuth: {
    meaning: 'Serve the metrics only to those whose token the API server knows, and who may `get` the path `/metrics`',
    read: oneOf({ true: true, false: false }),
  },
  healthPort: { meaning: 'Port of `/healthz` and `/readyz`; 0 for none', read: integer(0, 65_535) },
  prometheusUrl: {
    meaning:
      'The Prometheus that is asked how an Algorithm does; the pods of its gateway and its own are asked without',
    read: (text) => {
      const { protocol, username, password } = URL.canParse(text)
        ? new URL(text)
        : { protocol: '', username: '', password: '' };
      if (!/^https?:$/.test(protocol) || username !== '' || password !== '')
        throw new Error('an http or https URL without a user');
      return text;
    },
  },
  prometheusTokenFile: {
    meaning: 'File with the bearer token that Prometheus is shown, read for each query',
    read: (text) => text,
  },
  prometheusCaFile: {
    meaning: "File with the authorities that Prometheus' certificate may be of; those of Node.js without",
    read: (text) => text,
  },
  gatewayProxies: {
    meaning:
      'What runs the proxies of its Gateways: a Deployment of two, or a DaemonSet, one on each node for what comes from that node, which takes Kubernetes 1.34',
    read: oneOf({ Deployment: 'Deployment', DaemonSet: 'DaemonSet' }),
  },
  postgresRepository: {
    meaning: 'Where the images of Databases are, as `registry.example.com/postgres`; that of this release without',
    read: (text) => matching(text, imageRepository, 'an image without a tag'),
  },
  logLevel: {
    meaning: 'The least important lines that are logged: debug, info, warn, error or silent',
    read: (text) => {
      const level = logLevels.find((known): known is LogLevel => known === text);
      if (!level) throw new Error(`one of ${logLevels.join(', ')}`);
      return level;
    },
  },
  tracing: {
    meaning: 'Report reconciles and requests to an OpenTelemetry SDK, loaded with `--import`',
    read: oneOf({ true: true, false: false }),
  },
  maxConcurrentReconciles: {
    meaning: 'Maximum number of concurrent reconciles of a controller',
    read: integer(1, 1000),
  },
  resyncPeriod: {
    meaning: 'Every resource is reconciled again after this time, from the caches; ten times later when it is at rest',
    read: duration,
  },
  reconcileTimeout: { meaning: 'A reconcile that takes longer is cancelled and retried', read: duration },
  gracefulShutdownTimeout: { meaning: 'Time that running reconciles have to finish at shutdown', read: duration },
};

const imageRepository = /^[a-z0-9][-a-z0-9._]*(:\d+)?(\/[a-z0-9][-a-z0-9._]*)*$/;
const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The value of an option as one would write it. */
export function optionText<K extends keyof Config>(name: K, value: Config[K]): string {
  return options[name].read === duration ? durationText(Number(value)) : String(value);
}

type Read<T> = (text: string) => T;

function matching(text: string, pattern: RegExp, expected: string): string {
  if (!pattern.test(text)) throw new Error(expected);
  return text;
}

function oneOf<T>(values: Readonly<Record<string, T>>): Read<T> {
  return (text) => {
    const value = Object.hasOwn(values, text) ? values[text] : undefined;
    if (value === undefined) throw new Error(Object.keys(values).join(' or '));
    return value;
  };
}

function integer(least: number, most: number): Read<number> {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new Error(`a whole number from ${least} to ${most}`);
    return value;
  };
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function duration(text: string): number {
  const [, number, unit] = /^(\d+)(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Number(number) * (units[unit ?? ''] ?? Number.NaN);
  if (!(ms > 0)) throw new Error('a duration above zero such as 500ms, 30s or 5m');
  return ms;
}

function durationText(ms: number): string {
  const [unit = 'ms', factor = 1] = Object.entries(units).findLast(([, factor]) => ms % factor === 0) ?? [];
  return `${ms / factor}${unit}`;
}
