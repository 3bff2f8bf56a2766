import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  conditions,
  defineKind,
  type Fields,
  integer,
  object,
  type StatusOf,
  set,
  string,
} from '../../../crds/index.js';
import { toCustomResourceDefinition, type VersionDefinition } from '../../../crds/schema/index.js';
import type { JsonSchema } from '../../../crds/schema/json.js';
import { thing } from '../given-kind.js';

const doors = integer('Number of open doors.', { optional: true });
const phase = string('Phase.', { maxLength: 10 });
const generation = integer('Observed generation.', { format: 'int64', minimum: 0, optional: true });

const statusOf = (status: VersionDefinition['status']): JsonSchema | undefined => {
  const [version] = toCustomResourceDefinition(defineKind(thing({}, status && { status }))).spec.versions;
  return version?.schema.openAPIV3Schema.properties?.['status'];
};

describe('the status of a kind', () => {
  test.each<{ when: string; fields: Fields; names: readonly string[] }>([
    { when: 'it declares nothing', fields: {}, names: ['observedGeneration', 'conditions'] },
    { when: 'it declares a field', fields: { doors }, names: ['observedGeneration', 'doors', 'conditions'] },
    {
      when: 'it declares its conditions',
      fields: { conditions: conditions(), doors },
      names: ['observedGeneration', 'conditions', 'doors'],
    },
    {
      when: 'it declares its generation',
      fields: { doors, observedGeneration: generation },
      names: ['doors', 'observedGeneration', 'conditions'],
    },
  ])('has $names, in this order, when $when', ({ fields, names }) => {
    expect(Object.keys(statusOf(object('Observed.', fields))?.properties ?? {})).toEqual(names);
  });

  test.each([
    { when: 'it has no default', status: object('Observed.', { doors }), byDefault: { observedGeneration: -1 } },
    {
      when: 'it has a default of its own',
      status: object('Observed.', { phase }, { default: { phase: 'New' } }),
      byDefault: { observedGeneration: -1, phase: 'New' },
    },
    { when: 'it is optional', status: object('Observed.', { doors }, { optional: true }), byDefault: undefined },
    { when: 'it has a required field', status: object('Observed.', { phase }), byDefault: undefined },
    {
      when: 'it declares a generation that cannot be -1',
      status: object('Observed.', { observedGeneration: generation }),
      byDefault: undefined,
    },
    {
      when: 'it declares a generation and a default',
      status: object('Observed.', { observedGeneration: generation }, { default: { observedGeneration: 0 } }),
      byDefault: { observedGeneration: 0 },
    },
  ])('has the default $byDefault when $when', ({ status, byDefault }) => {
    expect(statusOf(status)?.default).toEqual(byDefault);
  });

  test('keeps the fields that it declares, its description and its rules', () => {
    const declared = object(
      'Observed.',
      { observedGeneration: generation, conditions: set('Words.', phase, { optional: true }) },
      { rules: [{ rule: 'true', message: 'must hold; correct it' }] },
    );
    expect(statusOf(declared)).toEqual(declared.json);
    const { observedGeneration, conditions: _, ...others } = statusOf(object('Observed.', { doors }))?.properties ?? {};
    expect(others).toEqual({ doors: doors.json });
    expect(observedGeneration).toMatchObject({ type: 'integer', format: 'int64', minimum: -1 });
  });

  test('is absent from a kind without one', () => {
    expect(statusOf(undefined)).toBeUndefined();
  });

  test('has the fields of the runtime in its type', () => {
    const shop = defineKind({
      group: 'example.com',
      kind: 'Shop',
      scope: 'Namespaced',
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true, description: 'Sells things.' },
          ...{ spec: object('Desired.', {}), status: object('Observed.', { doors }) },
        },
      ],
    });
    type Status = StatusOf<typeof shop>;
    expectTypeOf<keyof Status>().toEqualTypeOf<'observedGeneration' | 'doors' | 'conditions'>();
    expectTypeOf<NonNullable<Status['conditions']>[number]['status']>().toEqualTypeOf<'True' | 'False' | 'Unknown'>();
    expectTypeOf<Status['observedGeneration']>().toEqualTypeOf<number | undefined>();
  });
});
