import { expect, test } from 'vitest';
import { isSameButStatus } from '../../../operator/runtime/content.js';
import type { LiveObject } from '../../../operator/runtime/object.js';

const metadata = { name: 'a', namespace: 'team', uid: 'u', resourceVersion: '1', generation: 1, labels: { a: 'a' } };
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
  ['an annotation', false, { metadata: { ...metadata, annotations: { a: 'a' } } }],
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
