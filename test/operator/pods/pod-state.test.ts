import { describe, expect, it } from 'vitest';
import { podNamed, podState, restartsOf } from '../../../operator/pods/pod-state.js';
import type { LivePod } from '../../../operator/runtime/index.js';
import { configMap, live } from '../../given.js';

const ending = { deletionTimestamp: '2026-11-22T12:00:00Z' };
const ready = { type: 'Ready', status: 'True' };

function pod(status: object = {}, metadata: Record<string, unknown> = {}): LivePod {
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'orders-1', namespace: 'shop' } };
  return live({ ...object, spec: {}, status }, metadata) as unknown as LivePod;
}

const waiting = (reason: string, restartCount = 0) => ({ name: 'a', restartCount, state: { waiting: { reason } } });

describe('the state of a Pod', () => {
  it.each([
    { state: undefined, when: 'there is none', of: undefined },
    { state: undefined, when: 'its kubelet has not reported yet', of: pod() },
    { state: 'Pending', when: 'it has no node', of: pod({ phase: 'Pending' }) },
    { state: 'Running', when: 'it runs and is not ready', of: pod({ phase: 'Running', conditions: [] }) },
    { state: 'Ready', when: 'it is ready', of: pod({ phase: 'Running', conditions: [ready] }) },
    {
      state: 'CrashLoopBackOff',
      when: 'a container waits for its next start',
      of: pod({ phase: 'Running', containerStatuses: [{ name: 'b', state: {} }, waiting('CrashLoopBackOff')] }),
    },
    {
      state: 'Terminating',
      when: 'it is being deleted while it is ready',
      of: pod({ conditions: [ready], containerStatuses: [waiting('ErrImagePull')] }, ending),
    },
  ])('is $state if $when', ({ of, state }) => {
    expect(podState(of)).toBe(state);
  });
});

describe('the restarts of a Pod', () => {
  it.each([
    { restarts: undefined, when: 'there is none', of: undefined },
    { restarts: undefined, when: 'no container has started', of: pod({ containerStatuses: [] }) },
    { restarts: 0, when: 'the kubelet counts none', of: pod({ containerStatuses: [{ name: 'a' }] }) },
    {
      restarts: 7,
      when: 'one container has restarted more often than the other',
      of: pod({ containerStatuses: [waiting('', 7), waiting('', 2)] }),
    },
  ])('are $restarts if $when', ({ of, restarts }) => {
    expect(restartsOf(of)).toBe(restarts);
  });
});

it('finds the Pod of an instance among objects of other kinds with its name', () => {
  const found = pod();
  expect(podNamed([live(configMap('orders-1')), found], 'orders-1')).toBe(found);
  expect(podNamed([live(configMap('orders-1'))], 'orders-1')).toBeUndefined();
});
