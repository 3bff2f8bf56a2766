import { allKinds, type JsonSchema } from '../../crds/index.js';
import type { ObjectKind } from '../runtime/index.js';

/** The field with the settings of Pods, in the schema of each kind that has Pods. */
const template = 'podTemplate';
/** A step to each item of a list. */
const eachItem = '*';

/** Path of an object in a spec that has a Pod template, such as `['pools', '*']`. */
type Place = readonly string[];

/** The places of the Pod templates of a kind with pull secrets. None for a kind without Pods. */
export function templatePlaces({ group, kind }: Pick<ObjectKind, 'group' | 'kind'>): readonly Place[] {
  const definition = allKinds.find((one) => one.group === group && one.kind === kind);
  const stored = definition?.versions.find(({ storage }) => storage);
  return stored ? placesIn(stored.spec.json) : [];
}

function placesIn({ properties = {}, items }: JsonSchema, path: Place = []): readonly Place[] {
  const own = properties[template]?.properties?.['imagePullSecrets'] ? [path] : [];
  const below = Object.entries(properties).filter(([name]) => name !== template);
  return [
    ...own,
    ...below.flatMap(([name, schema]) => placesIn(schema, [...path, name])),
    ...(items ? placesIn(items, [...path, eachItem]) : []),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The spec with pull secrets in each of its Pod templates that names none.
 * @param names names of Secrets
 */
export function withPullSecrets<T extends object>(spec: T, places: readonly Place[], names: readonly string[]): T {
  const secrets = names.map((name) => ({ name }));
  return places.reduce<unknown>((all, place) => filledAt(all, place, secrets), spec) as T;
}

function filledAt(value: unknown, [step, ...rest]: Place, secrets: readonly object[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (step === eachItem) return Array.isArray(value) ? value.map((item) => filledAt(item, rest, secrets)) : value;
  const fields = value as Fields;
  if (step !== undefined) return step in fields ? { ...fields, [step]: filledAt(fields[step], rest, secrets) } : value;
  const stated = (fields[template] ?? {}) as { readonly imagePullSecrets?: readonly object[] };
  if ((stated.imagePullSecrets ?? []).length > 0) return value;
  return { ...fields, [template]: { ...stated, imagePullSecrets: secrets } };
}
