import { expect, test } from 'vitest';
import { complaintsOf } from './expected-errors.js';

const removed = 'Deleted objects of a deleted resource that garbage collection missed';
const outages = [{ from: Date.parse('2026-01-01T00:00:10Z'), to: Date.parse('2026-01-01T00:00:20Z') }];
const forbidden = (time: string) => ({ level: 'warn', msg: 'a watch', error: 'pods is forbidden: User "x"', time });

test.each([
  { is: 'explained', when: 'what was removed is of a resource that is gone', line: { msg: removed, owner: 'gone' } },
  { is: 'a complaint', when: 'its resource is there', line: { msg: removed, owner: 'alive' } },
  { is: 'a complaint', when: 'it does not say whose it was', line: { msg: removed } },
  { is: 'a complaint', when: 'something else is said of a resource that is gone', line: { msg: 'oh', owner: 'gone' } },
  { is: 'explained', when: 'it is forbidden in an outage', line: forbidden('2026-01-01T00:00:15Z') },
  { is: 'a complaint', when: 'it is forbidden at another time', line: forbidden('2026-01-01T00:00:30Z') },
  {
    is: 'explained',
    when: 'Kubernetes itself was forbidden something, and says so later',
    line: { msg: 'Pods cannot be created: pods "a" is forbidden: User "system:serviceaccount:kube-system:x" cannot' },
  },
  {
    is: 'explained',
    when: 'Kubernetes itself met no server, and says so later',
    line: {
      msg: 'Pods cannot be created: unable to delete pods: Delete "https://a": dial tcp a: connect: connection refused',
    },
  },
  {
    is: 'explained',
    when: 'it met none, and says no more than that',
    line: { msg: 'Pods cannot be created: Post "https://a/pods": dial tcp a: connect: connection refused' },
  },
  {
    is: 'a complaint',
    when: 'a webhook of the pods is not there',
    line: {
      msg: 'Pods cannot be created: Internal error occurred: failed calling webhook "w": failed to call webhook: Post "https://w": dial tcp w: connect: connection refused',
    },
  },
  {
    is: 'a complaint',
    when: 'somebody else was',
    line: { msg: 'Pods cannot be created: pods "a" is forbidden: User "system:serviceaccount:team:x" cannot' },
  },
  {
    is: 'explained',
    when: 'a busy server ended a watch that had hardly begun',
    line: { msg: 'Watch failed, retrying', error: 'the watch ended before the initial list was complete' },
  },
  { is: 'explained', when: 'it is no warning', line: { level: 'info', msg: 'oh' } },
])('a line is $is when $when', async ({ is, line }) => {
  const replica = { props: { name: 'replica-1' }, log: async () => [{ level: 'warn', ...line }] };
  const complaints = await complaintsOf(replica, { outages, alive: new Set(['alive']) });
  expect(complaints).toHaveLength(is === 'explained' ? 0 : 1);
});
