import { expect, it } from 'vitest';
import { lastWriterOf, receivedObject } from '../../../../operator/runtime/cache/received-object.js';
import { configMap, live } from '../../../given.js';

const entry = (manager: string, seconds: number, more: object = {}) => ({
  manager,
  operation: 'Update',
  time: `2030-01-01T00:00:0${seconds}Z`,
  ...more,
});

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
});
