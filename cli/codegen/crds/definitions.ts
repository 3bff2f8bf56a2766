import type { CustomResourceDefinition } from '../../../crds/index.js';
import { type Definition, definition, type JsonSchema } from '../../../crds/schema/json.js';

/** The definitions that kinds use, and those that these use, by name. CRDs from a file use none. */
export function definitionsOf(crds: readonly CustomResourceDefinition[]): readonly Definition[] {
  return definitionsIn(crds.flatMap(({ spec }) => spec.versions.map(({ schema }) => schema.openAPIV3Schema)));
}

/** The definitions that schemas use, and those that these use, by name. */
export function definitionsIn(schemas: readonly JsonSchema[]): readonly Definition[] {
  const found = new Set<Definition>();
  for (const schema of schemas) collect(schema, found);
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
