import type { CustomResourceDefinition } from '../../../crds/index.js';
import { isRecord } from '../../../operator/runtime/kubernetes/json.js';

/** How a CRD of the cluster differs from an expected one. Each list has fields such as `spec.storage.size`. */
export interface DefinitionDifference {
  /** `older` lacks fields, and `newer` has more. `other` is neither. */
  readonly is: 'equal' | 'older' | 'newer' | 'other';
  /** Expected fields that the cluster does not have. */
  readonly missing: readonly string[];
  readonly extra: readonly string[];
  /** Fields of both with other rules, defaults or texts. */
  readonly changed: readonly string[];
}

type Definition = Pick<CustomResourceDefinition, 'spec'>;

/** Compares the versions of two CRDs, with their schemas. */
export function differenceOf(expected: Definition, live: Definition): DefinitionDifference {
  const [ours, theirs] = [factsOf(expected), factsOf(live)];
  const missing = lacking(ours.keys(), theirs);
  const extra = lacking(theirs.keys(), ours);
  const changed = [...ours].flatMap(([field, fact]) => ((theirs.get(field) ?? fact) === fact ? [] : [field]));
  const is = changed.length + missing.length + extra.length === 0 ? 'equal' : sideOf(missing, extra);
  return { is, missing, extra, changed };
}

function sideOf(missing: readonly string[], extra: readonly string[]): DefinitionDifference['is'] {
  if (missing.length > 0 && extra.length === 0) return 'older';
  return extra.length > 0 && missing.length === 0 ? 'newer' : 'other';
}

/** The fields that others lack, without the fields below a field that is missing itself. */
function lacking(fields: Iterable<string>, others: ReadonlyMap<string, string>): readonly string[] {
  const all = [...fields].filter((field) => !others.has(field));
  return all.filter((field) => !all.some((above) => field.startsWith(`${above}.`) || field.startsWith(`${above}[`)));
}

/** Each field of each version with everything that its schema states, except about the fields below it. */
function factsOf({ spec }: Definition): ReadonlyMap<string, string> {
  const facts = new Map<string, string>();
  const several = spec.versions.length > 1;
  for (const { schema, ...version } of spec.versions) {
    const start = several ? `${version.name}: ` : '';
    facts.set(`version ${version.name}`, canonical(version));
    addFacts(facts, start, '', schema.openAPIV3Schema);
  }
  return facts;
}

function addFacts(facts: Map<string, string>, start: string, path: string, schema: unknown): void {
  if (!isRecord(schema)) return;
  const { properties, items, additionalProperties, ...rest } = schema;
  const own = isRecord(additionalProperties) ? rest : { ...rest, additionalProperties };
  facts.set(`${start}${path === '' ? 'the resource' : path}`, canonical(own));
  for (const [name, below] of Object.entries(isRecord(properties) ? properties : {}))
    addFacts(facts, start, path === '' ? name : `${path}.${name}`, below);
  addFacts(facts, start, `${path}[]`, items);
  addFacts(facts, start, `${path}.*`, additionalProperties);
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    isRecord(one) ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}
