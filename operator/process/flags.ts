import { parseArgs } from 'node:util';
import { type Config, defaults } from '../config/config.js';
import { faultsOf } from '../runtime/leader/lease-times.js';
import { options, optionText } from './options.js';

/** Renamed options. The old name is rejected with a hint to the new one. */
const renamed: Readonly<Record<string, keyof Config>> = {
  passDeadline: 'reconcileTimeout',
  workers: 'maxConcurrentReconciles',
  resync: 'resyncPeriod',
  grace: 'gracefulShutdownTimeout',
  metricsTlsFolder: 'metricsCertPath',
};

/**
 * The configuration from flags and environment. `--lease-name` takes precedence over `RECONSTRUCT_LEASE_NAME`, and that
 * over the default.
 * @throws {Error} that lists all faults
 */
export function configFrom(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Config {
  const names = Object.keys(defaults) as (keyof Config)[];
  const faults: string[] = [];
  const flags = flagsOf(argv, names, faults);
  for (const [old, now] of Object.entries(renamed)) {
    const isSet = (env[variableOf(old)] ?? '') !== '';
    if (isSet) faults.push(`${variableOf(old)} is not an option: it was renamed to ${variableOf(now)}`);
  }
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
  if (faults.length > 0) throw new Error(`invalid configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return config;
}

const plain = 'without TLS the token would be readable by others';

/** The part of a URL before its host may contain a password. */
function withoutUser(text: string): string {
  return text.replace(/\/\/.*@/, '//…@');
}

/** Options that are valid each, but not together. */
function contradictionsIn({ metricsAuth, metricsPort, metricsCertPath, healthPort, ...config }: Config): string[] {
  const { leaseDuration, leaseRenewDeadline, leaseRetryPeriod } = config;
  const times = { duration: leaseDuration, renewDeadline: leaseRenewDeadline, retryPeriod: leaseRetryPeriod };
  const isOpen = metricsAuth && metricsCertPath === '';
  const isTold = config.prometheusTokenFile !== '' && !config.prometheusUrl.startsWith('https:');
  const isShared = metricsPort > 0 && metricsPort === healthPort;
  return [
    ...faultsOf(times),
    ...portFaults({ acmePort: config.acmePort, metricsPort, healthPort }),
    ...(isShared ? [`--metrics-port and --health-port must differ, got ${healthPort} for both`] : []),
    ...(isOpen ? [`--metrics-auth requires --metrics-cert-path: ${plain}`] : []),
    ...(isTold ? [`--prometheus-token-file requires a --prometheus-url with https: ${plain}`] : []),
  ];
}

function portFaults({ acmePort, ...others }: Pick<Config, 'acmePort' | 'metricsPort' | 'healthPort'>): string[] {
  const isShared = acmePort > 0 && Object.values(others).includes(acmePort);
  return isShared ? [`--acme-port must differ from --metrics-port and --health-port, got ${acmePort}`] : [];
}

/** The flag, variable and meaning of an option, for people. */
export interface OptionDescription {
  readonly flag: string;
  readonly variable: string;
  /** In the syntax of the flag. Empty for none. */
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
    // The text after an unknown option is its value and may be a secret.
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

/**
 * A part of a name, or a name with an extra part, usually means the only option that it matches: for example,
 * `--namespace` as in kubectl.
 */
function adviceFor(name: string, flags: readonly string[]): string {
  const now = Object.entries(renamed).find(([old]) => flagOf(old) === name)?.[1];
  if (now) return `it was renamed to --${flagOf(now)}`;
  const [close, ...further] = flags.filter((flag) => flag.startsWith(name) || name.startsWith(flag));
  return close === undefined || further.length > 0 ? 'see --help' : `did you mean --${close}?`;
}

function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function variableOf(name: string): string {
  return `RECONSTRUCT_${flagOf(name).replaceAll('-', '_').toUpperCase()}`;
}

/**
 * The help text of an operator's options: each with its variable, its default and its meaning.
 * @param given defaults that differ here, by variable
 */
export function optionsHelp(given: Readonly<Record<string, string>> = {}): string {
  const lines = describeOptions().map(({ meaning, ...option }) => {
    const byDefault = given[option.variable] ?? option.default;
    const set = `${option.flag}  (${option.variable}${byDefault && `, default ${byDefault}`})`;
    return `  ${set}\n      ${meaning.replaceAll('`', '')}`;
  });
  return lines.join('\n');
}
