import { parseArgs } from 'node:util';

/** How an operator runs. Durations are in milliseconds. */
export interface Config {
  /** Namespaces that are watched; empty for all. */
  readonly namespaces: readonly string[];
  /** Share the work with other replicas through a lease: one leads, the others stand by. */
  readonly leaderElect: boolean;
  readonly leaseName: string;
  /** Empty for the namespace that the connection prefers, which in a pod is its own. */
  readonly leaseNamespace: string;
  /** 0 for none. */
  readonly metricsPort: number;
  /** 0 for none. */
  readonly healthPort: number;
  readonly logLevel: LogLevel;
  /** Passes at a time, for each controller. */
  readonly workers: number;
  /** After which every resource is looked at again, from the caches. */
  readonly resync: number;
  /** After which a pass is given up. */
  readonly passDeadline: number;
  /** For the passes that run when the operator is to stop. */
  readonly grace: number;
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export const defaults: Config = {
  namespaces: [],
  leaderElect: false,
  leaseName: 'reconstruct',
  leaseNamespace: '',
  metricsPort: 8080,
  healthPort: 8081,
  logLevel: 'info',
  workers: 16,
  resync: 30_000,
  passDeadline: 120_000,
  grace: 30_000,
};

type Read<T> = (text: string) => T;

/** How the text of each option is read; what it throws says what was expected. */
const readers: { readonly [K in keyof Config]: Read<Config[K]> } = {
  namespaces: (text) =>
    text.split(',').map((name) => matching(name.trim(), dnsLabel, 'namespaces separated by commas')),
  leaderElect: oneOf({ true: true, false: false }),
  leaseName: (text) => matching(text, dnsLabel, 'a lower-case name'),
  leaseNamespace: (text) => matching(text, dnsLabel, 'a namespace'),
  metricsPort: integer(0, 65_535),
  healthPort: integer(0, 65_535),
  logLevel: (text) => {
    const level = logLevels.find((known) => known === text);
    if (!level) throw new Error(`one of ${logLevels.join(', ')}`);
    return level;
  },
  workers: integer(1, 1000),
  resync: duration,
  passDeadline: duration,
  grace: duration,
};

const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

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
      return [[name, readers[name](text)] as const];
    } catch (expected) {
      faults.push(`${source} must be ${(expected as Error).message}, got ${JSON.stringify(text)}`);
      return [];
    }
  });
  if (faults.length > 0)
    throw new Error(`the configuration is wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return { ...defaults, ...Object.fromEntries(given) };
}

/** A line for each option, for `--help`. */
export function describeOptions(): string {
  const names = Object.keys(defaults) as (keyof Config)[];
  return names
    .map((name) => `  --${flagOf(name)}  (${variableOf(name)}, default ${JSON.stringify(defaults[name])})`)
    .join('\n');
}

function flagsOf(argv: readonly string[], names: readonly (keyof Config)[], faults: string[]) {
  const type = (name: keyof Config) =>
    typeof defaults[name] === 'boolean' ? ('boolean' as const) : ('string' as const);
  const options = Object.fromEntries(names.map((name) => [flagOf(name), { type: type(name) }]));
  const parsed = parseArgs({ args: [...argv], options, strict: false, allowNegative: true, tokens: true });
  for (const token of parsed.tokens) {
    if (token.kind === 'positional') faults.push(`${JSON.stringify(token.value)} is not an option`);
    if (token.kind === 'option' && !Object.hasOwn(options, token.name.replace(/^no-/, ''))) {
      faults.push(`--${token.name} is not an option: see --help`);
    }
  }
  return Object.fromEntries(
    Object.entries(parsed.values).map(([name, value]) => [name, value === false ? 'false' : value]),
  ) as Record<string, string | true | undefined>;
}

function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function variableOf(name: string): string {
  return `RECONSTRUCT_${flagOf(name).replaceAll('-', '_').toUpperCase()}`;
}

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
