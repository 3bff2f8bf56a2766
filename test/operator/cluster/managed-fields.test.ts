import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWithoutManagedFields } from '../../../operator/cluster/partial-json.js';
import { receivedObject } from '../../../operator/runtime/cache/received-object.js';
import type { LiveObject } from '../../../operator/runtime/kubernetes/object.js';

const ours = 'reconstruct-widget';
const identity = { name: 'a', uid: 'b', resourceVersion: '7' };
const fields = { 'f:spec': { '.': {}, 'k:{"name":"a"}': { 'f:image': {} }, 'v:"x"': {} } };

/** An entry as built-in kinds write it, in the order of their definition. */
const entry = (manager: string, more: object = {}) => ({ manager, operation: 'Update', fieldsV1: fields, ...more });
/** An entry as custom resources write it, in the order of the alphabet. */
const sorted = (manager: string, more: object = {}) => ({
  apiVersion: 'a/v1',
  fieldsV1: fields,
  manager,
  operation: 'Update',
  ...more,
});

type Given = Record<string, unknown> & { metadata?: object };
const builtIn = (managedFields: unknown, rest: object = { spec: { replicas: 2 } }): Given => ({
  kind: 'Deployment',
  metadata: { ...identity, managedFields },
  ...rest,
});
const custom = (managedFields: unknown, rest: object = { spec: { size: 1 } }): Given => ({
  kind: 'Widget',
  metadata: { labels: { a: 'b' }, managedFields, ...identity, ownerReferences: [{ kind: 'X' }] },
  ...rest,
});

/** What parseWithoutManagedFields makes of an object, and what is left of it as it was. */
function both(object: Given): readonly [LiveObject, LiveObject] {
  const json = JSON.stringify(object);
  return [parseWithoutManagedFields<LiveObject>(json, (value) => value), JSON.parse(json) as LiveObject];
}

describe('what is read without managed fields', () => {
  const short = { manager: ours, operation: 'Update' };

  it.each<{ keeps: string; object: Given; managedFields: unknown }>([
    { keeps: 'nothing of others', object: builtIn([entry('kubectl', { operation: 'Apply' })]), managedFields: [] },
    {
      keeps: 'our creates',
      object: builtIn([entry('kubectl', { operation: 'Apply' }), entry(ours)]),
      managedFields: [short],
    },
    {
      keeps: 'ours first',
      object: builtIn([entry(ours), entry('x', { subresource: 'status' })]),
      managedFields: [short],
    },
    {
      keeps: 'our creates of custom resources',
      object: custom([sorted(ours), sorted('x', { operation: 'Apply' })]),
      managedFields: [short],
    },
    { keeps: 'no status of ours', object: builtIn([entry(ours, { subresource: 'status' })]), managedFields: [] },
    { keeps: 'no custom status of ours', object: custom([sorted(ours, { subresource: 'status' })]), managedFields: [] },
    { keeps: 'none of our applies', object: builtIn([entry(ours, { operation: 'Apply' })]), managedFields: [] },
    {
      keeps: 'two of ours',
      object: builtIn([entry(ours), entry(`${ours}-2`)]),
      managedFields: [short, { ...short, manager: `${ours}-2` }],
    },
  ])('keeps $keeps', ({ object, managedFields }) => {
    const [value, whole] = both(object);
    expect(value).toEqual({ ...whole, metadata: { ...whole.metadata, managedFields } });
  });

  it('is all that there is of an event', () => {
    const event = { type: 'ADDED', object: builtIn([entry('x', { operation: 'Apply' })]) };
    const { object } = parseWithoutManagedFields<typeof event>(JSON.stringify(event), (value) => value.object as never);
    expect(object.metadata).toEqual({ ...identity, managedFields: [] });
  });

  const [opened, name] = [[{ a: [{}] }], '}],"spec":{"a":"'];
  it.each<{ what: string; object: Given }>([
    { what: 'a list that is no entries', object: custom([]) },
    { what: 'entries that are texts', object: custom(['x', sorted('x')]) },
    { what: 'entries with lists in them', object: custom([sorted('x', { fieldsV1: { a: [{ b: 1 }], c: 1 } })]) },
    { what: 'a manager that ends the list', object: builtIn([entry('}]'), entry('}]},'), entry(name)]) },
    {
      what: 'fields that end the list',
      object: custom([sorted('x', { fieldsV1: { 'f:}]': {}, 'v:[{"a":[{}]}]': {} } })]),
    },
    { what: 'a list of that name in a spec alone', object: custom(undefined, { spec: { managedFields: opened } }) },
    {
      what: 'a list of that name in a spec as well',
      object: custom([sorted('x')], { spec: { managedFields: opened } }),
    },
    { what: 'one before the metadata', object: { data: { managedFields: opened }, ...custom([sorted('x')]) } },
    { what: 'one of another object in it', object: { ...custom(undefined), object: builtIn([entry('x')]) } },
    { what: 'a text that says the same', object: builtIn([entry('x')], { data: { a: '"managedFields":[{}]' } }) },
    { what: 'a manager of ours with a quote', object: builtIn([entry(`${ours}"`), entry('x')]) },
  ])('is all of it with $what', ({ object }) => {
    const [value, whole] = both(object);
    expect(receivedObject(value)).toEqual(receivedObject(whole));
  });

  const text = fc.oneof(fc.string(), fc.constantFrom('}]', '"managedFields":[{', '}]},"', ours, `${ours}"`, '\\'));
  const anEntry = fc.record({
    manager: text,
    operation: fc.constantFrom('Update', 'Apply'),
    fieldsV1: fc.dictionary(
      text.map((key) => `f:${key}`),
      fc.dictionary(
        text.map((key) => `k:${key}`),
        fc.constant({}),
      ),
    ),
  });
  const anything = fc.dictionary(fc.oneof(text, fc.constant('managedFields')), fc.jsonValue());
  const anObject = fc.record({
    data: anything,
    metadata: fc.record(
      { managedFields: fc.array(anEntry), annotations: fc.dictionary(text, text) },
      { requiredKeys: [] },
    ),
    spec: anything,
  });

  it('equals the cached form of the whole object for any content', () => {
    fc.assert(
      fc.property(anObject, (object) => {
        const [value, whole] = both(object);
        expect(receivedObject(value)).toEqual(receivedObject(whole));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    '',
    '{"metadata":{"managedFields":[{"manager":"x"}]',
    'null',
    '{"metadata":{"managedFields":[{}]',
    '{"managedFields":[{}]}',
    '{"metadata":"managedFields","managedFields":[{}]}',
  ])('is refused, or what it is, where it is no object: %s', (json) => {
    const outcome = (read: (text: string) => unknown) => {
      try {
        return { value: read(json) };
      } catch (error) {
        return { error: String(error) };
      }
    };
    expect(outcome((given) => parseWithoutManagedFields(given, (value) => value as LiveObject))).toEqual(
      outcome(JSON.parse),
    );
  });
});
