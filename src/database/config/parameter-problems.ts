import { CONTROL_CHARACTER } from '../../../crds/database/parameters.js';
import { defaultPostgresResources } from '../../../crds/index.js';
import type { DatabaseSpec } from '../../../imports/index.js';
import { wholeQuantity } from '../../manifest/quantity.js';
import { containerResources } from '../../workload/resources.js';
import { knownParameters, type ParameterType } from './known-parameters.js';

const control = new RegExp(CONTROL_CHARACTER);

/**
 * The problem of a `shared_buffers` that the memory limit of an instance cannot hold. PostgreSQL would start, and be
 * killed once its clients use that memory.
 */
export function memoryProblems({ parameters, resources }: Pick<DatabaseSpec, 'parameters' | 'resources'>) {
  const limit = containerResources(resources, defaultPostgresResources).limits.memory;
  const value = parameters?.['shared_buffers'];
  const buffers = value === undefined ? undefined : amountIn(value.trim(), '8kB');
  if (buffers === undefined || buffers * 2 ** 13 < Number(wholeQuantity(limit))) return [];
  return [
    `parameters.shared_buffers: Invalid value: ${JSON.stringify(value)}: must be less than the memory limit, ${limit}; lower shared_buffers, or raise resources.limits.memory`,
  ];
}

/**
 * The problems that keep PostgreSQL 15 from starting: unknown parameters, invalid values, and values that
 * postgresql.conf cannot contain. Parameters of extensions, such as `pg_stat_statements.max`, are not checked further.
 */
export function parameterProblems(parameters: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    // The API server refuses these values, but older CRDs accepted them. A stored one would stop every instance.
    if (control.test(value)) {
      return [
        `parameters.${name}: Invalid value: ${JSON.stringify(value)}: must not have a line break or another control character; write the value on one line`,
      ];
    }
    if (name.includes('.')) return [];
    const known = knownParameters.get(name);
    if (!known)
      return [`parameters.${name}: Unknown parameter: PostgreSQL 15 does not have it; correct its name or remove it`];
    const problem = valueProblem(known, value.trim());
    return problem ? [`parameters.${name}: Invalid value: ${JSON.stringify(value)}: ${problem}`] : [];
  });
}

function valueProblem(parameter: ParameterType, value: string): string | undefined {
  switch (parameter.type) {
    case 'text':
      return undefined;
    case 'bool':
      return isBoolean(value) ? undefined : 'must be on or off';
    case 'one':
      return isOneOf(parameter.of, value) ? undefined : `must be one of ${parameter.of.join(', ')}`;
    default:
      return numberProblem(parameter, value);
  }
}

const booleans = ['true', 'false', 'yes', 'no', 'on', 'off', '1', '0'];

/** Whether PostgreSQL reads the value as a boolean: in any case, and as any unambiguous prefix, such as `t` or `of`. */
function isBoolean(value: string): boolean {
  const word = value.toLowerCase();
  return word !== '' && word !== 'o' && booleans.some((known) => known.startsWith(word));
}

function isOneOf(values: readonly string[], value: string): boolean {
  return values.includes(value.toLowerCase()) || (values.includes('on') && isBoolean(value));
}

type Numeric = Extract<ParameterType, { readonly unit: string }>;

const numeric =
  /^([-+]?(?:0x[0-9a-f]+|\d+(?:\.\d*)?(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?))\s*(B|kB|MB|GB|TB|us|ms|s|min|h|d)?$/i;

function numberProblem({ unit, least, most }: Numeric, value: string): string | undefined {
  const [, digits, suffix] = numeric.exec(value) ?? [];
  if (digits === undefined) return `must be a number ${limits(unit, least, most)}`;
  const amount = amountIn(value, unit);
  if (amount === undefined) return `must not have the unit ${suffix}; use a number ${limits(unit, least, most)}`;
  return amount < least || amount > most ? `must be ${limits(unit, least, most)}` : undefined;
}

/** The number of units in a value. Undefined if it is no number, or has another kind of unit. */
function amountIn(value: string, unit: string): number | undefined {
  const [, digits, suffix] = numeric.exec(value) ?? [];
  const factor = suffix === undefined ? 1 : factorBetween(suffix, unit);
  return digits === undefined || factor === undefined ? undefined : Math.round(Number(digits) * factor * 1e6) / 1e6;
}

function limits(unit: string, least: number, most: number): string {
  return `from ${least} to ${most}${unit === '' ? '' : ` ${unit}`}`;
}

const bytes: Readonly<Record<string, number>> = {
  B: 1,
  kB: 2 ** 10,
  '8kB': 2 ** 13,
  MB: 2 ** 20,
  GB: 2 ** 30,
  TB: 2 ** 40,
};
const microseconds: Readonly<Record<string, number>> = {
  us: 1,
  ms: 1e3,
  s: 1e6,
  min: 6e7,
  h: 3.6e9,
  d: 8.64e10,
};

/** The factor between two units. Undefined if they measure different things or are in the wrong case. */
function factorBetween(from: string, to: string): number | undefined {
  const family = [bytes, microseconds].find((units) => Object.hasOwn(units, to));
  const [amount, base] = [family?.[from], family?.[to]];
  return amount === undefined || base === undefined ? undefined : amount / base;
}
