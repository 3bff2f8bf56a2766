import { expect, it } from 'vitest';
import { parseWithoutManagedFields } from '../../../../operator/cluster/partial-json.js';
import { receivedObject } from '../../../../operator/runtime/cache/received-object.js';
import { lastWriterOf } from '../../../../operator/runtime/kubernetes/last-writer.js';
import type { LiveObject } from '../../../../operator/runtime/kubernetes/object.js';
import { configMap, type Loose, live } from '../../../given.js';

const entry = (manager: string, seconds: number, more: object = {}) => ({
  manager,
  operation: 'Update',
  time: `2030-01-01T00:00:0${seconds}Z`,
  ...more,
});

const fieldsV1 = { 'f:spec': { 'f:time': {} } };

it.each([
  {
    writer: 'kubectl-edit',
    when: 'it wrote last',
    entries: [entry('reconstruct-widget', 1), entry('kubectl-edit', 2)],
  },
  {
    writer: undefined,
    when: 'the operator wrote last',
    entries: [entry('kubectl', 1), entry('reconstruct-widget', 2)],
  },
  { writer: undefined, when: 'two wrote in one second', entries: [entry('kubectl', 2), entry('helm', 2)] },
  {
    writer: 'kubectl',
    when: 'another one wrote the status later',
    entries: [entry('kubectl', 2), entry('kubelet', 3, { subresource: 'status' })],
  },
  {
    writer: 'kubectl',
    when: 'it scaled the object',
    entries: [entry('reconstruct-widget', 1), entry('kubectl', 2, { subresource: 'scale' })],
  },
  { writer: undefined, when: 'no time is known', entries: [{ manager: 'kubectl', operation: 'Update' }] },
  { writer: undefined, when: 'there are no managed fields', entries: undefined },
])('R32 the last writer of an object is $writer when $when', ({ writer, entries }) => {
  const object = live(configMap('web', {}));
  const metadata = { ...object.metadata, ...(entries && { managedFields: entries }) };
  expect(lastWriterOf(receivedObject({ ...object, metadata }))).toBe(writer);
  const sent = (sort: (one: object) => object) =>
    JSON.stringify({ ...object, metadata: { ...metadata, ...(entries && { managedFields: entries.map(sort) }) } });
  const builtIn = ({ manager, operation, time, ...more }: Loose) => ({ manager, operation, time, fieldsV1, ...more });
  const custom = ({ manager, operation, subresource, time }: Loose) => ({
    fieldsV1,
    manager,
    operation,
    subresource,
    time,
  });
  for (const order of [builtIn, custom] as ((one: object) => object)[]) {
    const parsed = parseWithoutManagedFields<LiveObject>(sent(order), (value) => value);
    expect(lastWriterOf(receivedObject(parsed))).toBe(writer);
  }
});
