import { describe, expect, test } from 'vitest';
import { differenceOf } from '../../../cli/check/findings/definition-difference.js';
import { definitionFindings } from '../../../cli/check/findings/definitions.js';
import {
  allKinds,
  type CustomResourceDefinition,
  type JsonSchema,
  kafkaTopic,
  secretRotation,
  toCustomResourceDefinition,
} from '../../../crds/index.js';
import { givenDefinition, linesOf } from './given-installation.js';

const expected = toCustomResourceDefinition(secretRotation);
const { name } = expected.metadata;
const apply =
  'Apply the CRDs of version 1.2.0: your kustomization, your release of the chart, or dist/0000-crds.k8s.yaml';

/** The CRD with a spec whose fields are changed. */
function withSpec(
  change: (fields: Record<string, JsonSchema>) => Record<string, JsonSchema>,
): CustomResourceDefinition {
  const crd = structuredClone(expected);
  for (const { schema } of crd.spec.versions) {
    const { spec } = schema.openAPIV3Schema.properties as Record<string, { properties: Record<string, JsonSchema> }>;
    if (spec) spec.properties = change(spec.properties);
  }
  return crd;
}

const older = withSpec(({ secretName: _, ...rest }) => rest);
const newer = withSpec((fields) => ({ ...fields, soon: { type: 'string' }, late: { type: 'string' } }));
const other = withSpec((fields) => ({ ...fields, secretName: { type: 'integer' } }));
const byHand = [
  { manager: 'kubectl', time: '2030-01-01T00:00:00Z', fieldsV1: { 'f:spec': {} } },
  { manager: 'kubectl-edit', time: '2030-01-02T00:00:00Z', fieldsV1: { 'f:spec': {} } },
  { manager: 'kube-apiserver', time: '2030-01-03T00:00:00Z', subresource: 'status', fieldsV1: { 'f:spec': {} } },
];
const byTool = byHand.slice(0, 1);

test.each<[when: string, lines: readonly string[], live: readonly ReturnType<typeof givenDefinition>[]]>([
  ['all is well', ['ok: 1 CRD established, with the schemas of version 1.2.0'], [givenDefinition(expected)]],
  ['it is not there', [`problem: CRD ${name} does not exist → ${apply}`], []],
  [
    'its names are taken',
    [
      `problem: CRD ${name} is not established: PluralConflict: "rot" is taken → Run kubectl describe crd ${name}, and remove the CRD whose names conflict`,
    ],
    [
      givenDefinition(expected, {
        conditions: [
          { type: 'NamesAccepted', status: 'False', reason: 'PluralConflict', message: '"rot" is taken' },
          { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
        ],
      }),
    ],
  ],
  [
    'it is of an older version',
    [`problem: CRD ${name} is older than version 1.2.0: it lacks spec.secretName → ${apply}`],
    [givenDefinition(older)],
  ],
  [
    'it is of a newer version',
    [
      `problem: CRD ${name} is newer than version 1.2.0: it also has spec.soon, spec.late → Run this command in the version of the operator, and do not apply older CRDs`,
    ],
    [givenDefinition(newer)],
  ],
  [
    'a person changed it',
    [
      `problem: CRD ${name} differs from version 1.2.0 in spec.secretName. It was last changed by kubectl-edit → ${apply} --force-conflicts`,
    ],
    [givenDefinition(other, { managedFields: byHand })],
  ],
  [
    'it differs for an unknown reason',
    [
      `problem: CRD ${name} differs from version 1.2.0 in spec.secretName. It was changed, or is of another version → ${apply} --force-conflicts`,
    ],
    [givenDefinition(other, { managedFields: byTool })],
  ],
  [
    'objects are stored in a version that is lost',
    [
      `problem: CRD ${name} stores objects in v1alpha0, which this version does not define → Write each object again, and then remove v1alpha0 from status.storedVersions of the CRD`,
    ],
    [givenDefinition(expected, { storedVersions: ['v1alpha0', 'v1alpha1'] })],
  ],
])('a CRD is judged when %s', (_, lines, live) => {
  expect(linesOf(definitionFindings({ definitions: [expected], version: '1.2.0' }, { value: live }))).toEqual(lines);
});

test('the CRDs that are well are counted beside the others', () => {
  const definitions = [expected, toCustomResourceDefinition(kafkaTopic)];
  const live = { value: [givenDefinition(expected)] };
  expect(linesOf(definitionFindings({ definitions, version: '1.2.0' }, live))).toEqual([
    `problem: CRD kafkatopics.reconstruct.dev does not exist → ${apply}`,
    'ok: 1 of 2 CRDs established, with the schemas of version 1.2.0',
  ]);
});

test('CRDs that the user may not list are unknown', () => {
  const missing = 'list customresourcedefinitions.apiextensions.k8s.io';
  expect(linesOf(definitionFindings({ definitions: [expected], version: '1' }, { missing }))).toEqual([
    `unknown: The CRDs cannot be checked: you may not ${missing} → Run the command as a user who may ${missing}`,
  ]);
});

describe('the difference of two CRDs', () => {
  test.each(allKinds.map((kind) => [kind.kind, toCustomResourceDefinition(kind)] as const))(
    'is none for the same %s with its keys in another order',
    (_, crd) => {
      const reversed = JSON.parse(JSON.stringify(crd), (__, value: unknown) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).toReversed())
          : value,
      );
      expect(differenceOf(crd, reversed)).toEqual({ is: 'equal', missing: [], extra: [], changed: [] });
    },
  );

  test('names only the uppermost field of those that are missing', () => {
    const lists = withSpec((fields) => ({
      ...fields,
      more: { type: 'array', items: { type: 'object', properties: { deep: { type: 'string' } } } },
    }));
    expect(differenceOf(lists, expected)).toMatchObject({ is: 'older', missing: ['spec.more'] });
  });

  test('is another one if both have fields that the other lacks', () => {
    expect(differenceOf(older, newer)).toMatchObject({ is: 'newer' });
    const both = withSpec(({ secretName: _, ...rest }) => ({ ...rest, soon: { type: 'string' } }));
    expect(differenceOf(expected, both)).toMatchObject({
      is: 'other',
      missing: ['spec.secretName'],
      extra: ['spec.soon'],
    });
  });

  test('includes versions, and values of additionalProperties', () => {
    const [version] = expected.spec.versions;
    const two = { spec: { ...expected.spec, versions: [...expected.spec.versions, { ...version, name: 'v1' }] } };
    expect(differenceOf(expected, two as Pick<CustomResourceDefinition, 'spec'>)).toMatchObject({ is: 'other' });
    const open = withSpec((fields) => ({
      ...fields,
      secretName: { ...fields['secretName'], additionalProperties: true } as object as JsonSchema,
    }));
    expect(differenceOf(open, expected)).toMatchObject({ is: 'other', changed: ['spec.secretName'] });
  });
});
