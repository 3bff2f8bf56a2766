import { isRecord, keysOf, Twins } from './merge-keys.js';

/**
 * Whether an object states everything that is wanted of it. What else it states is others' business.
 *
 * Lists that the API merges by key are compared by that key, whatever their order; all others as they are. Quantities
 * are compared by what they mean, because the API server rewrites them (`1000m` becomes `1`).
 */
export function covers(live: unknown, wanted: unknown): boolean {
  return covered(live, wanted, '', '');
}

/** What an object states where something is wanted of it: all of a list, of a record the wanted fields alone. */
export function statedOf(live: unknown, wanted: unknown): unknown {
  if (!isRecord(live) || !isRecord(wanted)) return live ?? null;
  return Object.entries(wanted).map(([key, value]) => [
    key,
    Object.hasOwn(live, key) ? statedOf(live[key], value) : null,
  ]);
}

/**
 * The same of a part of both.
 * @param field its name, which tells by what a list is merged
 * @param parent the name of the field around it, which tells a quantity from a text
 */
export function covered(live: unknown, wanted: unknown, field: string, parent: string): boolean {
  if (live === wanted) return true;
  if (Array.isArray(wanted)) return coversList(live, wanted, field);
  if (isRecord(wanted)) return coversRecord(live, wanted, field);
  return isQuantity(field, parent) && quantity(live) === quantity(wanted);
}

function coversRecord(live: unknown, wanted: Readonly<Record<string, unknown>>, field: string): boolean {
  const has = isRecord(live) ? live : undefined;
  for (const key in wanted) {
    const value = wanted[key];
    if (value === undefined) continue; // does not travel
    const there = has && Object.hasOwn(has, key) ? has[key] : undefined;
    // An empty value may be left out by the server.
    if (!(there === undefined ? isEmpty(value) : covered(there, value, key, field))) return false;
  }
  return true;
}

function coversList(live: unknown, wanted: readonly unknown[], field: string): boolean {
  if (!Array.isArray(live)) return live === undefined && wanted.length === 0;
  const keys = keysOf(field, wanted);
  if (keys) {
    const twins = new Twins(live, keys);
    return wanted.every((item) => {
      const index = twins.indexOf(item);
      return index >= 0 && covered(live[index], item, '', field);
    });
  }
  return live.length === wanted.length && wanted.every((item, index) => covered(live[index], item, '', field));
}

const quantityMaps = new Set(['requests', 'limits', 'capacity', 'hard', 'default', 'defaultRequest']);
const quantityFields = new Set(['averageValue', 'sizeLimit', 'divisor', 'storage']);

function isQuantity(field: string, parent: string): boolean {
  return quantityFields.has(field) || quantityMaps.has(parent);
}

const suffixes: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}; // prettier-ignore

/**
 * What a quantity means; NaN, which equals nothing, if it is none.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
function quantity(value: unknown): number {
  const parts = /^([+-]?[0-9.]+)(?:([eE][+-]?[0-9]+)|(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei))?$/.exec(String(value));
  if (!parts) return Number.NaN;
  const scaled = Number(`${parts[1]}${parts[2] ?? ''}`) * (suffixes[parts[3] ?? ''] ?? Number.NaN);
  return Number(scaled.toPrecision(15));
}

/** True of what the API server may leave out. */
export function isEmpty(value: unknown): boolean {
  return (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0);
}
