import { describe, expect, test } from 'vitest';
import { allKinds, defineKind, list, map, object, string, toCustomResourceDefinition } from '../../crds/index.js';
import { documentedDefinition } from '../../crds/schema/crd.js';
import { type Definition, defined, definition, type JsonSchema } from '../../crds/schema/json.js';
import { named } from '../../crds/schema/schema.js';

/** `kubectl apply` stores a CRD in an annotation, whose limit of 262144 bytes no CRD may come near to. */
const MOST_BYTES = 200_000;

test(`every CRD stays below ${MOST_BYTES} bytes, so that kubectl apply can store it`, () => {
  const sizes = allKinds.map((kind) => {
    const bytes = Buffer.byteLength(JSON.stringify(toCustomResourceDefinition(kind)));
    return { kind: kind.kind, bytes };
  });
  expect(sizes.length).toBeGreaterThan(10);
  const shown = sizes.map(({ kind, bytes }) => `${kind} ${bytes}`).join(', ');
  expect(
    sizes.filter(({ bytes }) => bytes >= MOST_BYTES),
    shown,
  ).toEqual([]);
});

/** The schema without descriptions. */
function validation(schema: JsonSchema): JsonSchema {
  const { description: _, properties, items, additionalProperties, ...own } = schema;
  const below = Object.entries(properties ?? {}).map(([name, member]) => [name, validation(member)]);
  return defined({
    ...own,
    properties: properties && Object.fromEntries(below),
    items: items && validation(items),
    additionalProperties: additionalProperties && validation(additionalProperties),
    [definition]: undefined,
  });
}

test.each(allKinds)('the CRD of $kind validates what its schema says, to the byte', (kind) => {
  const schemasOf = ({ spec }: ReturnType<typeof documentedDefinition>) =>
    spec.versions.map(({ schema }) => JSON.stringify(validation(schema.openAPIV3Schema)));
  expect(schemasOf(toCustomResourceDefinition(kind))).toEqual(schemasOf(documentedDefinition(kind)));
});

describe('a schema with a page of its own', () => {
  const text = string('Text of the part.');
  const fields = { text, texts: list('Texts.', text), textOf: map('Texts by name.', text) };
  const part = (description: string) => object(description, fields, { optional: true });
  const documented: Definition = { name: 'Part', json: part('Part.').json, page: { file: 'part.md', title: 'Part' } };
  const specOf = (of: Definition) => {
    const spec = object('Spec.', { part: named(of, part('Part of the thing.')), other: string('Text beside it.') });
    const kind = defineKind({
      group: 'testing.example.com',
      kind: 'Thing',
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, description: 'Thing.', spec }],
    });
    return toCustomResourceDefinition(kind).spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'];
  };

  test('has one description in a CRD, which names the page', () => {
    expect(specOf(documented)?.properties).toStrictEqual({
      part: {
        description: 'Part of the thing. The page docs/reference/part.md describes the fields.',
        type: 'object',
        required: ['text', 'texts', 'textOf'],
        properties: {
          text: { type: 'string' },
          texts: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
          textOf: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      other: { description: 'Text beside it.', type: 'string' },
    });
  });

  test('has all descriptions without the page', () => {
    const { page: _, ...unpaged } = documented;
    expect(specOf(unpaged)?.properties?.['part']).toStrictEqual(part('Part of the thing.').json);
  });
});

test('every Pod template is described on its page only', () => {
  const shown = (schema: JsonSchema, at: string): readonly string[] => [
    ...(schema.description && at.includes('odTemplate.') ? [at] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => shown(member, `${at}.${name}`)),
    ...[schema.items, schema.additionalProperties].flatMap((member) => (member ? shown(member, at) : [])),
  ];
  const schemas = allKinds.flatMap((kind) =>
    toCustomResourceDefinition(kind).spec.versions.map(({ schema }) => schema),
  );
  expect(schemas.flatMap(({ openAPIV3Schema }) => shown(openAPIV3Schema, ''))).toEqual([]);
});
