import { expect, test } from 'vitest';
import { isSameButStatus, isStoredAlike } from '../../../../operator/runtime/kubernetes/equality.js';
import type { LiveObject } from '../../../../operator/runtime/kubernetes/object.js';

const metadata = {
  name: 'a',
  namespace: 'team',
  uid: 'u',
  resourceVersion: '1',
  generation: 1,
  labels: { a: 'a' },
  annotations: { note: 'a' },
};
const object = { apiVersion: 'v1', kind: 'Thing', metadata, spec: { list: [{ a: 1 }, 'b'] }, status: { ready: 0 } };

test.each([
  ['the same', true, {}],
  ['another status', true, { status: { ready: 1 } }],
  ['no status', true, { status: undefined }],
  ['another version and generation', true, { metadata: { ...metadata, resourceVersion: '2', generation: 2 } }],
  ['equal parts of its own', true, structuredClone(object)],
  ['another label', false, { metadata: { ...metadata, labels: { a: 'b' } } }],
  ['one label more', false, { metadata: { ...metadata, labels: { a: 'a', b: 'b' } } }],
  ['no labels', false, { metadata: { ...metadata, labels: undefined } }],
  ['another note', false, { metadata: { ...metadata, annotations: { note: 'b' } } }],
  ['on its way out', false, { metadata: { ...metadata, deletionTimestamp: 'now' } }],
  ['another of its name', false, { metadata: { ...metadata, uid: 'v' } }],
  ['another item', false, { spec: { list: [{ a: 2 }, 'b'] } }],
  ['a shorter list', false, { spec: { list: [{ a: 1 }] } }],
  ['a list made a record', false, { spec: { list: { 0: { a: 1 }, 1: 'b' } } }],
  ['a field more', false, { data: {} }],
  ['null for a field', false, { spec: null }],
])('%s: the same but for its status is %s', (_, is, change) => {
  const [a, b] = [object, { ...object, ...change }] as unknown as [LiveObject, LiveObject];
  expect([isSameButStatus(a, b), isSameButStatus(b, a)]).toEqual([is, is]);
});

const kept = { note: 'a' };
const revision = (number: string) => ({ ...kept, 'deployment.kubernetes.io/revision': number });

test.each([
  ['somebody adds one', true, kept, { ...kept, other: 'a' }],
  ['somebody takes his away, which could be ours', false, { ...kept, other: 'a' }, kept],
  ['a first one', true, undefined, kept],
  ['the last one goes', false, kept, undefined],
  ['one that the runtime reads is added', false, kept, { ...kept, 'reconstruct.dev/applied': 'x' }],
  ['a rollout begins', true, kept, revision('1')],
  ['another rollout begins', true, revision('1'), revision('2')],
  ['one named as what every object has', true, kept, { ...kept, constructor: 'a' }],
])('annotations, %s: the same but for its status is %s', (_, is, before, after) => {
  const of = (annotations?: object) => ({ ...object, metadata: { ...metadata, annotations } }) as unknown as LiveObject;
  expect(isSameButStatus(of(before), of(after))).toBe(is);
});

test.each([
  ['fields in another order', true, { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
  ['a field that is undefined', true, { a: 1, b: undefined }, { a: 1 }],
  ['nothing', true, undefined, undefined],
  ['another value', false, { a: 1 }, { a: 2 }],
  ['items in another order', false, [1, 2], [2, 1]],
  ['a value instead of nothing', false, undefined, {}],
])('%s: stored alike is %s', (_, is, a, b) => {
  expect(isStoredAlike(a, b)).toBe(is);
});
