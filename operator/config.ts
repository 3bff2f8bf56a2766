import { parseArgs } from 'node:util';
import { type LogLevel, options, optionText } from './options.js';
import { faultsOf, leaseTimes } from './runtime/lease-times.js';

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
  readonly metricsTlsFolder: string;
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
  readonly workers: number;
  /** After which every resource is looked at again, from the caches; ten times later where all is done. */
  readonly resync: number;
  /** After which a pass is given up. */
  readonly passDeadline: number;
  /** For the passes that run when the operator is to stop. */
  readonly grace: number;
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
  metricsTlsFolder: '',
  metricsAuth: false,
  healthPort: 8081,
  prometheusUrl: '',
  prometheusTokenFile: '',
  prometheusCaFile: '',
  gatewayProxies: 'Deployment',
  postgresRepository: '',
  logLevel: 'info',
  tracing: false,
  workers: 16,
  resync: 30_000,
  passDeadline: 120_000,
  grace: 30_000,
};

/**
 * The configuration from flags and environment: `--lease-name` before `RECONSTRUCT_LEASE_NAME` before the default.
 * @throws {Error} that lists every fault at once
 */
export function configFrom(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Config {
  const names = Object.keys(defaults) as (keyof Config)[];
  const faults: string[] = [];
  const flags = flagsOf(argv, names, faults);
  const given = names.flatMap((name) => {
    const flag = flags[flagOf(name)];
    const variable = variableOf(name);
    if (flag === true && typeof defaults[name] !== 'boolean') {
      faults.push(`--${flagOf(name)} needs a value`);
      return [];
    }
    const text = flag === true ? 'true' : (flag ?? env[variable]);
    if (text === undefined || text === '') return [];
    const source = flag === undefined ? variable : `--${flagOf(name)}`;
    try {
      return [[name, options[name].read(text)] as const];
    } catch (expected) {
      faults.push(`${source} must be ${(expected as Error).message}, got ${JSON.stringify(withoutUser(text))}`);
      return [];
    }
  });
  const config: Config = { ...defaults, ...Object.fromEntries(given) };
  if (faults.length === 0) faults.push(...contradictionsIn(config));
  if (faults.length > 0)
    throw new Error(`the configuration is wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return config;
}

const plain = "a token that travels in plain text is everybody's";

/** What stands before the host of a URL may be a password. */
function withoutUser(text: string): string {
  return text.replace(/\/\/.*@/, '//…@');
}

/** Options that are each right, and together are not. */
function contradictionsIn({ metricsAuth, metricsPort, metricsTlsFolder, healthPort, ...config }: Config): string[] {
  const { leaseDuration, leaseRenewDeadline, leaseRetryPeriod } = config;
  const times = { duration: leaseDuration, renewDeadline: leaseRenewDeadline, retryPeriod: leaseRetryPeriod };
  const isOpen = metricsAuth && metricsTlsFolder === '';
  const isTold = config.prometheusTokenFile !== '' && !config.prometheusUrl.startsWith('https:');
  const isShared = metricsPort > 0 && metricsPort === healthPort;
  return [
    ...faultsOf(times),
    ...(isShared ? [`--metrics-port and --health-port must differ, got ${healthPort} for both`] : []),
    ...(isOpen ? [`--metrics-auth needs --metrics-tls-folder: ${plain}`] : []),
    ...(isTold ? [`--prometheus-token-file needs a --prometheus-url that begins with https: ${plain}`] : []),
  ];
}

/** How an option is set and what it does, for people. */
export interface OptionDescription {
  readonly flag: string;
  readonly variable: string;
  /** As one would write it; empty for none. */
  readonly default: string;
  readonly meaning: string;
}

export function describeOptions(): readonly OptionDescription[] {
  return (Object.keys(defaults) as (keyof Config)[]).map((name) => ({
    flag: `--${flagOf(name)}`,
    variable: variableOf(name),
    default: optionText(name, defaults[name]),
    meaning: options[name].meaning,
  }));
}

function flagsOf(argv: readonly string[], names: readonly (keyof Config)[], faults: string[]) {
  const type = (name: keyof Config) =>
    typeof defaults[name] === 'boolean' ? ('boolean' as const) : ('string' as const);
  const options = Object.fromEntries(names.map((name) => [flagOf(name), { type: type(name) }]));
  const parsed = parseArgs({ args: [...argv], options, strict: false, allowNegative: true, tokens: true });
  let isUnknown = false;
  for (const token of parsed.tokens) {
    // What stands behind an unknown option is its value, and may be a secret.
    if (token.kind === 'positional' && !isUnknown) faults.push(`${JSON.stringify(token.value)} is not an option`);
    isUnknown = false;
    if (token.kind !== 'option' || Object.hasOwn(options, token.name.replace(/^no-/, ''))) continue;
    isUnknown = true;
    faults.push(`${token.rawName} is not an option: ${adviceFor(token.name, Object.keys(options))}`);
  }
  return Object.fromEntries(
    Object.entries(parsed.values).map(([name, value]) => [name, value === false ? 'false' : value]),
  ) as Record<string, string | true | undefined>;
}

/** Half a name, or one with too much, is mostly meant for the only option that it fits: `--namespace` as kubectl has it. */
function adviceFor(name: string, flags: readonly string[]): string {
  const [close, ...further] = flags.filter((flag) => flag.startsWith(name) || name.startsWith(flag));
  return close === undefined || further.length > 0 ? 'see --help' : `did you mean --${close}?`;
}

function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function variableOf(name: string): string {
  return `RECONSTRUCT_${flagOf(name).replaceAll('-', '_').toUpperCase()}`;
}
