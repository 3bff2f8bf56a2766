import { describe, expect, it } from 'vitest';
import { deletedObject } from '../../../operator/cluster/partial-json.js';

const managed = [{ manager: 'a', operation: 'Update', fieldsV1: { 'f:spec': { 'f:data': {}, 'k:{"spec":{}}': {} } } }];
const meta = { name: 'a', namespace: 'b', uid: 'c', resourceVersion: '7' };
const owned = { ...meta, labels: { spec: '},"spec":{' }, ownerReferences: [{ uid: 'd', controller: true }] };
const event = (object: object, type = 'DELETED') => JSON.stringify({ type, object });

describe('the object whose end is told', () => {
  it.each([
    { what: 'a built-in kind', rest: { spec: { replicas: 1 }, status: {} } },
    { what: 'one of rules', rest: { rules: [{ verbs: ['get'] }] } },
    { what: 'one of data', rest: { data: { a: '1' } } },
    { what: 'one that may not change', rest: { immutable: true, data: {} } },
    { what: 'one of a status alone', rest: { status: { phase: 'Bound' } } },
  ])('has its metadata, and nothing else: of $what', ({ rest }) => {
    const object = { kind: 'Some', apiVersion: 'v1', metadata: { ...owned, managedFields: managed }, ...rest };
    expect(deletedObject(event(object))).toEqual({ kind: 'Some', apiVersion: 'v1', metadata: owned });
  });

  it('keeps who managed the fields of a custom resource, which stands in the middle', () => {
    const metadata = { generation: 1, managedFields: managed, ...owned };
    const object = { apiVersion: 'x.io/v1', kind: 'Own', metadata, spec: { spec: {}, data: {} } };
    expect(deletedObject(event(object))).toEqual({ apiVersion: 'x.io/v1', kind: 'Own', metadata });
  });

  it.each([
    { what: 'that texts say the same', annotations: { a: ',"managedFields":[', b: '},"spec":{"a":1}' } },
    { what: 'labels of the same names', annotations: { spec: 'x', data: 'y', managedFields: 'z', status: '{' } },
  ])('is not misled by $what', ({ annotations }) => {
    const metadata = { ...meta, annotations, managedFields: managed };
    const object = { kind: 'Some', apiVersion: 'v1', metadata, spec: {} };
    expect(deletedObject(event(object))?.metadata).toEqual({ ...meta, annotations });
  });

  it.each([
    { what: 'another event', line: event({ kind: 'Some', metadata: owned, spec: {} }, 'MODIFIED') },
    { what: 'one of a later version', line: event({ kind: 'Some', metadata: owned, spec: {} }, 'CHANGED') },
    { what: 'an object of unknown fields', line: event({ kind: 'Some', metadata: owned, value: 1 }) },
    { what: 'metadata that come last', line: event({ kind: 'Some', spec: {}, metadata: owned }) },
    { what: 'no UID', line: event({ kind: 'Some', metadata: { ...meta, uid: undefined }, spec: {} }) },
    { what: 'no name', line: event({ kind: 'Some', metadata: { ...meta, name: undefined }, spec: {} }) },
    { what: 'no version', line: event({ kind: 'Some', metadata: { ...meta, resourceVersion: undefined }, spec: {} }) },
    { what: 'no metadata', line: event({ kind: 'Some', a: {}, spec: {} }) },
    {
      what: 'fields managed in the middle',
      line: event({ kind: 'S', metadata: { generation: 1, managedFields: managed, ...meta }, spec: {} }),
    },
    { what: 'a line that breaks off', line: event({ kind: 'Some', metadata: owned }).slice(0, -9) },
  ])('is to be read whole: $what', ({ line }) => {
    expect(deletedObject(line)).toBeUndefined();
  });
});
