import { isRecord, pointerToken } from '../kubernetes/json.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import type { FieldPath } from './field-path.js';
import { areInOrder, below, itemStep, keysOf, type Strategy, Twins } from './merge-keys.js';
import { strategyOf } from './merge-strategies.js';

/**
 * Whether an object has everything that is desired of it. Its other fields belong to others, except where the API
 * server merges a value as a whole: a list without keys or a selector has one owner for all of its content.
 *
 * Lists that the API server merges by key are compared by that key, in any order unless the order counts. All other
 * lists are compared as they are. Quantities are compared by value, because the API server rewrites them (`1000m`
 * becomes `1`).
 *
 * @param strategy how the value is merged. @default - as an object of its kind
 */
export function contains(live: unknown, wanted: unknown, strategy: Strategy = strategyOf(wanted)): boolean {
  return containsPart(live, wanted, strategy);
}

/** The same where an empty record has no meaning, as in a status: it may be present or absent. */
export function containsContent(live: unknown, wanted: unknown, strategy: Strategy = strategyOf(wanted)): boolean {
  return containsPart(live, wanted, strategy) || containsPart(live, withoutEmpty(wanted), strategy);
}

/**
 * The part of an object that the desired state covers: the whole of a value with one owner, and only the desired fields
 * of any other record.
 */
export function statedOf(live: unknown, wanted: unknown): unknown {
  return stated(live, wanted, strategyOf(wanted));
}

function stated(live: unknown, wanted: unknown, strategy: Strategy | undefined): unknown {
  if (!isRecord(live) || !isRecord(wanted) || strategy?.whole) return live ?? null;
  return Object.entries(wanted).map(([key, value]) => [
    key,
    Object.hasOwn(live, key) ? stated(live[key], value, below(strategy, key)) : null,
  ]);
}

/**
 * The same for a part of both.
 * @param exact nothing else may be present, except server defaults
 */
export function containsPart(live: unknown, wanted: unknown, strategy: Strategy | undefined, exact = false): boolean {
  if (live === wanted) return true;
  if (Array.isArray(wanted)) return coversList(live, wanted, strategy, exact);
  if (isRecord(wanted)) return coversRecord(live, wanted, strategy, exact || strategy?.whole === true);
  return strategy?.quantity === true && quantity(live) === quantity(wanted);
}

function coversRecord(
  live: unknown,
  wanted: Readonly<Record<string, unknown>>,
  strategy: Strategy | undefined,
  exact: boolean,
): boolean {
  const has = isRecord(live) ? live : undefined;
  for (const key in wanted) {
    const value = wanted[key];
    if (value === undefined) continue; // undefined is not sent
    const there = has && Object.hasOwn(has, key) ? has[key] : undefined;
    if (isLeftOut(there, value, { key, strategy })) continue;
    if (there === undefined || !containsPart(there, value, below(strategy, key), exact)) return false;
  }
  return !exact || !has || Object.keys(has).every((key) => isToBeThere(has, wanted, { key, strategy }));
}

/** True if the field is desired or a server default. */
function isToBeThere(
  has: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
  { key, strategy }: { readonly key: string; readonly strategy: Strategy | undefined },
): boolean {
  if (has[key] === undefined || (Object.hasOwn(wanted, key) && wanted[key] !== undefined)) return true;
  const own = below(strategy, key);
  return own !== undefined && Object.hasOwn(own, 'default') && containsPart(has[key], own.default, undefined, true);
}

function coversList(
  live: unknown,
  wanted: readonly unknown[],
  strategy: Strategy | undefined,
  exact: boolean,
): boolean {
  if (!Array.isArray(live)) return live === undefined && wanted.length === 0;
  const keys = keysOf(strategy, wanted, live);
  if (!keys || exact) {
    return (
      live.length === wanted.length && wanted.every((item, at) => containsPart(live[at], item, strategy?.each, true))
    );
  }
  const twins = new Twins(live, keys);
  const isThere = (item: unknown) => {
    const index = twins.indexOf(item);
    return index >= 0 && containsPart(live[index], item, strategy?.each);
  };
  return wanted.every(isThere) && areInOrder(strategy, twins, wanted);
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
 * The value of a quantity. NaN, which equals nothing, if it is not a quantity.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
function quantity(value: unknown): number {
  const parts = /^([+-]?[0-9.]+)(?:([eE][+-]?[0-9]+)|(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei))?$/.exec(String(value));
  if (!parts) return Number.NaN;
  const scaled = Number(`${parts[1]}${parts[2] ?? ''}`) * (suffixes[parts[3] ?? ''] ?? Number.NaN);
  return Number(scaled.toPrecision(15));
}

/** True for an empty list or record. */
export function isEmpty(value: unknown): boolean {
  return (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0);
}

/** Fields of unknown types that are maps. An empty map has no meaning. */
const maps: ReadonlySet<string> = new Set(
  [
    'metadata status labels annotations matchLabels nodeSelector selector',
    'data binaryData stringData parameters volumeAttributes',
    'limits requests hard capacity overhead podFixed max min default defaultRequest maxLimitRequestRatio',
  ].flatMap((some) => some.split(' ')),
);

/**
 * True if the API server returns nothing, or null, for the desired value of a field, so that the object without it is as
 * desired: `paused: false`, an empty list. Other zero values are choices that it keeps, such as `replicas: 0` and
 * `emptyDir: {}`. Without them another default applies.
 *
 * Of custom resources, only empty lists and maps count.
 * @param strategy of the record that has the field
 */
export function isLeftOut(
  there: unknown,
  wanted: unknown,
  { key, strategy }: { readonly key: string; readonly strategy: Strategy | undefined },
): boolean {
  if (strategy?.typed) return (there ?? null) === null && isZero(wanted) && below(strategy, key)?.zero !== undefined;
  return there === undefined && isEmpty(wanted) && (Array.isArray(wanted) || maps.has(key));
}

/** True for the zero value of a Go type that is neither a pointer nor a struct. */
export function isZero(value: unknown): boolean {
  return value === false || value === 0 || value === '' || isEmpty(value);
}

/** The fields in which an object differs from its desired state, each as deep as it can be named. */
export function driftOf(live: LiveObject, wish: Manifest): FieldPath[] {
  const found: FieldPath[] = [];
  drifted(live, wish, { path: [], found, strategy: strategyOf(wish) });
  return found;
}

interface Walk {
  /** The current path. It grows and shrinks with the walk, and is copied for each result. */
  readonly path: string[];
  readonly found: FieldPath[];
  readonly strategy: Strategy | undefined;
}

/** Each level is visited once: the JSON may be a thousand levels deep. */
function drifted(live: unknown, wanted: unknown, walk: Walk): void {
  const { path, found, strategy } = walk;
  if (isRecord(live) && isRecord(wanted) && !strategy?.whole) {
    for (const [key, value] of Object.entries(wanted)) {
      if (value === undefined) continue; // undefined is not sent
      const there = Object.hasOwn(live, key) ? live[key] : undefined;
      if (isLeftOut(there, value, { key, strategy })) continue;
      path.push(key);
      if (there === undefined) found.push([...path]);
      else drifted(there, value, { path, found, strategy: below(strategy, key) });
      path.pop();
    }
    return;
  }
  const keys = Array.isArray(live) && Array.isArray(wanted) ? keysOf(strategy, wanted, live) : undefined;
  if (!keys) {
    if (!containsPart(live, wanted, strategy)) found.push([...path]);
    return;
  }
  const twins = new Twins(live as readonly unknown[], keys);
  if (!areInOrder(strategy, twins, wanted as readonly unknown[])) found.push([...path]);
  for (const item of wanted as readonly unknown[]) {
    path.push(itemStep(item, keys));
    drifted((live as readonly unknown[])[twins.indexOf(item)], item, { path, found, strategy: strategy?.each });
    path.pop();
  }
}

/**
 * JSON pointers to the parts of a record beyond what is stated. An apply removes only fields that it stated itself
 * before. Lists count as a whole.
 */
export function unownedFields(live: unknown, stated: unknown, at: string): readonly string[] {
  if (!isRecord(live) || !isRecord(stated)) return [];
  return Object.entries(live).flatMap(([key, value]) => {
    const path = `${at}/${pointerToken(key)}`;
    const wanted = Object.hasOwn(stated, key) ? stated[key] : undefined;
    if (wanted !== undefined) return unownedFields(value, wanted, path);
    return isEmpty(value) ? [] : [path];
  });
}

/** The content of a record. An empty record in it counts as absent. */
function withoutEmpty(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => !isEmpty(one));
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutEmpty(one)]));
}
