import { expect, test } from 'vitest';
import { algorithm, toCustomResourceDefinition } from '../../../crds/index.js';
import { everything } from '../given-everything.js';
import { sample } from '../given-sample.js';

test('a kind becomes a CustomResourceDefinition', () => {
  const { spec, ...head } = toCustomResourceDefinition(everything);
  expect(head).toEqual({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'everything.testing.example.com' },
  });
  expect(spec).toMatchObject({
    group: 'testing.example.com',
    scope: 'Namespaced',
    names: {
      kind: 'Everything',
      listKind: 'EverythingList',
      plural: 'everything',
      singular: 'everything',
      shortNames: ['ev'],
      categories: ['testing'],
    },
  });
  const [old, current] = spec.versions;
  expect(old).toMatchObject({
    name: 'v1beta1',
    deprecated: true,
    deprecationWarning: expect.stringContaining('use v1'),
  });
  expect(old).not.toHaveProperty('subresources');
  expect(current).toMatchObject({
    storage: true,
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', labelSelectorPath: '.status.selector' } },
    additionalPrinterColumns: [{ name: 'Ready' }, { name: 'Engine', priority: 1 }],
  });
});

test('the schema of a field has the options of its author', () => {
  const schema = toCustomResourceDefinition(everything).spec.versions[1]?.schema.openAPIV3Schema;
  expect(schema?.required).toEqual(['spec']);
  expect(schema?.properties?.['metadata']).toEqual({
    type: 'object',
    properties: { name: { type: 'string', description: 'Up to 20 characters.', maxLength: 20 } },
  });
  expect(schema?.properties?.['spec']?.required).toEqual(['engine']);
  expect(schema?.properties?.['spec']?.properties?.['ports']).toEqual({
    description: 'Where it listens.',
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: {
      description: 'A port.',
      type: 'object',
      required: ['name', 'port'],
      properties: {
        name: { description: 'Its name.', type: 'string' },
        port: {
          description: 'Its number.',
          type: 'integer',
          format: 'int32',
          'x-kubernetes-validations': [
            { rule: 'self == oldSelf', message: 'is immutable; create another resource with the new value' },
          ],
        },
      },
    },
  });
});

test.each([everything, sample, algorithm])('$name holds nothing but JSON, and no null', (kind) => {
  const crd = toCustomResourceDefinition(kind);
  expect(JSON.parse(JSON.stringify(crd))).toStrictEqual(crd);
  expect(JSON.stringify(crd)).not.toContain('null,');
  expect(JSON.stringify(crd)).not.toContain(':null');
});
