import { CONTROL_CHARACTER } from '../../../crds/database/parameters.js';
import { knownParameters, type ParameterType } from './known-parameters.js';

const control = new RegExp(CONTROL_CHARACTER);

/**
 * What PostgreSQL 15 would not start with: parameters that it does not know, values that they do not take, and
 * values that its file cannot have. What extensions define, `pg_stat_statements.max`, is known to them alone.
 */
export function parameterProblems(parameters: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    // The API server refuses these, but did not always: what it stored before would stop every instance.
    if (control.test(value)) {
      return [
        `parameters.${name} ${JSON.stringify(value)} has a line break or another control character; write it on one line, without any`,
      ];
    }
    if (name.includes('.')) return [];
    const known = knownParameters.get(name);
    if (!known) return [`parameters.${name} is unknown to PostgreSQL 15; correct its name or leave it out`];
    const problem = valueProblem(known, value.trim());
    return problem ? [`parameters.${name} ${JSON.stringify(value)} ${problem}`] : [];
  });
}

function valueProblem(parameter: ParameterType, value: string): string | undefined {
  switch (parameter.type) {
    case 'text':
      return undefined;
    case 'bool':
      return isBoolean(value) ? undefined : 'is neither on nor off; use one of them';
    case 'one':
      return isOneOf(parameter.of, value) ? undefined : `is none of ${parameter.of.join(', ')}; use one of them`;
    default:
      return numberProblem(parameter, value);
  }
}

const booleans = ['true', 'false', 'yes', 'no', 'on', 'off', '1', '0'];

/** As PostgreSQL reads it: in any case, and cut off where it is clear all the same, as `t` or `of`. */
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
  if (digits === undefined) return `is no number${unit === '' ? '' : ` of ${unit}`}; ${limits(unit, least, most)}`;
  const factor = suffix === undefined ? 1 : factorBetween(suffix, unit);
  if (factor === undefined) return `has the unit ${suffix}, which it does not take; ${limits(unit, least, most)}`;
  const amount = Math.round(Number(digits) * factor * 1e6) / 1e6;
  return amount < least || amount > most ? `is out of range; ${limits(unit, least, most)}` : undefined;
}

function limits(unit: string, least: number, most: number): string {
  return `use ${least} to ${most}${unit === '' ? '' : ` ${unit}`}`;
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

/** How many of one unit another is; undefined of units that measure different things, or are written in another case. */
function factorBetween(from: string, to: string): number | undefined {
  const family = [bytes, microseconds].find((units) => Object.hasOwn(units, to));
  const [amount, base] = [family?.[from], family?.[to]];
  return amount === undefined || base === undefined ? undefined : amount / base;
}
