import { expect, test } from 'vitest';
import { allKinds } from '../../crds/index.js';
import { documentedDefinition } from '../../crds/schema/crd.js';
import type { JsonSchema } from '../../crds/schema/json.js';

interface Field {
  readonly path: string;
  readonly schema: JsonSchema;
}

function fieldsBelow(schema: JsonSchema, path: string): readonly Field[] {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [`${path}.${name}`, member] as const);
  const items = schema.items ? [[`${path}[]`, schema.items] as const] : [];
  const values = schema.additionalProperties ? [[`${path}.*`, schema.additionalProperties] as const] : [];
  return [...members, ...items, ...values].flatMap(([at, member]) => [
    { path: at, schema: member },
    ...fieldsBelow(member, at),
  ]);
}

const fields = allKinds
  .map(documentedDefinition)
  .flatMap(({ spec }) => spec.versions.flatMap(({ schema }) => fieldsBelow(schema.openAPIV3Schema, spec.names.kind)))
  .filter(({ path }) => !path.endsWith('.metadata'));

test('every description starts with a noun and ends with a full stop', () => {
  const odd = fields.filter(
    ({ schema }) => !/^(?!(?:What|Who|How|When|Where|Why|The|A|An) )[A-Z].*\.$/.test(schema.description ?? ''),
  );
  expect(odd.map(({ path, schema }) => `${path}: ${schema.description}`)).toEqual([]);
});

test('every default of a scalar is in the description of its field', () => {
  const scalars = fields.filter(({ schema }) => schema.default !== undefined && typeof schema.default !== 'object');
  expect(scalars.length).toBeGreaterThan(20);
  const silent = scalars.filter(({ schema }) => !schema.description?.includes(`Defaults to ${schema.default}`));
  expect(silent.map(({ path, schema }) => `${path}: ${schema.description}`)).toEqual([]);
});
