import type { CustomResourceDefinition } from '../../../crds/index.js';
import { type Definition, definition, type JsonSchema } from '../../../crds/schema/json.js';

/** The definitions that kinds use, and those that these use, by name. CRDs from a file use none. */
export function definitionsOf(crds: readonly CustomResourceDefinition[]): readonly Definition[] {
  const found = new Set<Definition>();
  for (const { spec } of crds) for (const { schema } of spec.versions) collect(schema.openAPIV3Schema, found);
  return [...found].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function collect(schema: JsonSchema, found: Set<Definition>): void {
  const used = schema[definition];
  if (used && !found.has(used)) {
    found.add(used);
    collect(used.json, found);
  }
  for (const member of membersOf(schema)) collect(member, found);
}

function membersOf({ properties = {}, items, additionalProperties }: JsonSchema): readonly JsonSchema[] {
  return [...Object.values(properties), items, additionalProperties].filter((member) => member !== undefined);
}
