import type { Config } from '../config/config.js';
import { type LogLevel, logLevels } from '../config/log-level.js';
import { systemOptions } from '../controllers/configured.js';
import { addressRule } from '../egress/address-rules.js';
import type { Option } from '../options/option.js';
import {
  dnsLabel,
  duration,
  durationText,
  imageRegistry,
  integer,
  matching,
  oneOf,
  secretNames,
} from '../options/values.js';

/** Every option, in any order. */
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
  leaseName: { meaning: 'Name of the Lease', read: (text) => matching(text, dnsLabel, 'a lowercase DNS label') },
  leaseNamespace: {
    meaning: "Namespace of the Lease; by default the operator's own",
    read: (text) => matching(text, dnsLabel, 'a lowercase DNS label'),
  },
  leaseDuration: {
    meaning: 'Duration without a renewal after which another replica may acquire the Lease',
    read: duration,
  },
  leaseRenewDeadline: {
    meaning: 'Duration without a renewal after which the leader stops writing',
    read: duration,
  },
  leaseRetryPeriod: { meaning: 'Duration between two attempts to acquire or renew the Lease', read: duration },
  metricsPort: { meaning: 'Port of the metrics endpoint; 0 disables it', read: integer(0, 65_535) },
  metricsCertPath: {
    meaning: 'Directory with `tls.crt` and `tls.key` for the metrics endpoint, reloaded when they change',
    read: (text) => text,
  },
  metricsAuth: {
    meaning: 'Serve metrics only to clients whose token the API server accepts and who may `get` the path `/metrics`',
    read: oneOf({ true: true, false: false }),
  },
  healthPort: { meaning: 'Port of `/healthz` and `/readyz`; 0 disables it', read: integer(0, 65_535) },
  prometheusUrl: {
    meaning:
      'URL of the Prometheus server that provides the metrics of Algorithms; by default the operator scrapes the pods of the gateway and of the Algorithm',
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
    meaning: 'File with the bearer token for Prometheus, read for each query',
    read: (text) => text,
  },
  prometheusCaFile: {
    meaning: 'File with the CA certificates for Prometheus; by default those of Node.js',
    read: (text) => text,
  },
  allowedAddresses: {
    meaning:
      'Host names, `*.DOMAIN`, IP addresses and networks that addresses in resources may name, separated by commas; none by default',
    read: (text) =>
      text.split(',').map((entry) => {
        addressRule(entry.trim());
        return entry.trim();
      }),
  },
  acmePort: {
    meaning:
      'Port where the leader answers HTTP-01 challenges of ACME servers, if `--allowed-addresses` allows one; 0 disables it',
    read: integer(0, 65_535),
  },
  podIp: {
    meaning: 'IP address of the Pod of the operator, to which the routes of HTTP-01 challenges lead; required for them',
    read: (text) => {
      if (!/^[\da-fA-F.:]+$/.test(text)) throw new Error('an IP address');
      return text;
    },
  },
  imageRegistry: {
    meaning:
      "Registry of all images of this package, with an optional path, such as `registry.example.com/mirror`; by default this release's",
    read: imageRegistry,
  },
  imagePullSecrets: {
    meaning:
      'Names of Secrets in the namespace of each resource, separated by commas, with which its Pods pull their images; none by default. A resource that names its own Secrets takes precedence',
    read: secretNames,
  },
  ...systemOptions,
  logLevel: {
    meaning: 'Least severe level that is logged: debug, info, warn, error or silent',
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
    meaning:
      'Duration after which every resource is reconciled again from the caches; ten times as long for a resource at rest',
    read: duration,
  },
  reconcileTimeout: { meaning: 'Duration after which a reconcile is cancelled and retried', read: duration },
  gracefulShutdownTimeout: { meaning: 'Duration that running reconciles have to finish at shutdown', read: duration },
};

/** The value of an option in the syntax of its flag. */
export function optionText<K extends keyof Config>(name: K, value: Config[K]): string {
  return options[name].read === duration ? durationText(Number(value)) : String(value);
}
