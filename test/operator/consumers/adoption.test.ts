import { describe, expect, it } from 'vitest';
import { listed, type NamedState, waitingMark } from '../../../operator/consumers/adoption.js';
import { deliveredState, deliveryTime, servedStates, servingTime } from '../../../operator/consumers/delivery.js';

const state = (phase: NamedState['phase'], name = 'shop', why?: string): NamedState => ({
  ...{ kind: 'Deployment', name, phase },
  ...(why !== undefined && { why }),
});
const port = (phase: NamedState['phase'], why?: string): NamedState => ({
  ...state(phase, 'shop:443', why),
  kind: 'Service',
});

describe('the condition of consumers that wait', () => {
  it.each<{ reason: string; when: string; states: readonly NamedState[]; refusal?: string; message: string }>([
    {
      reason: 'RollingOut',
      when: 'one was not rolled yet',
      states: [state('Outdated'), state('Current', 'cart')],
      message: 'Waiting for Deployment shop to run with the new certificate',
    },
    {
      reason: 'RollingOut',
      when: 'a port serves an earlier certificate',
      states: [state('Current'), port('RollingOut', '10.0.0.1:8443 serves another certificate')],
      message: 'Waiting for Service shop:443 to run with the new certificate: 10.0.0.1:8443 serves another certificate',
    },
    {
      reason: 'RolloutRefused',
      when: 'the rollout of one is refused, and another is missing',
      states: [state('Outdated'), state('Missing', 'cart')],
      refusal: 'denied by policy',
      message: 'Consumers cannot be rolled: denied by policy',
    },
    {
      reason: 'RollingOut',
      when: 'an earlier rollout was refused',
      states: [state('RollingOut')],
      refusal: 'denied by policy',
      message: 'Waiting for Deployment shop to run with the new certificate',
    },
    {
      reason: 'ConsumerMissing',
      when: 'one is missing, and another fails',
      states: [state('Missing'), state('Failed', 'cart', 'Deployment cart is paused; resume its rollout')],
      message: 'Deployment shop does not exist; create it, or remove it from spec.consumers',
    },
    {
      reason: 'ConsumerMissing',
      when: 'a Service lacks the port, and another one is missing',
      states: [port('Missing'), state('Missing', 'cart')],
      message:
        'port 443 of Service shop, Deployment cart do not exist; create them, or remove them from spec.consumers',
    },
    {
      reason: 'ConsumerFailed',
      when: 'one fails, and another is rolled',
      states: [state('RollingOut'), state('Failed', 'cart', 'Deployment cart is paused; resume its rollout')],
      message: 'Deployment cart is paused; resume its rollout',
    },
  ])('is $reason if $when', ({ reason, states, refusal, message }) => {
    expect(waitingMark({ states, content: 'certificate', refusal })).toEqual({ reason, message });
  });

  it('names five consumers, and counts the others', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => state('Outdated', name));
    expect(listed(names)).toBe('Deployment a, Deployment b, Deployment c, Deployment d, Deployment e and 2 more');
  });
});

describe('line 8: a workload without a rollout', () => {
  it.each<{ phase: string; when: string; of: NamedState; age: number }>([
    { phase: 'RollingOut', when: 'the kubelet may not have replaced the files', of: state('Current'), age: 0 },
    { phase: 'RollingOut', when: 'its time is not over', of: state('Current'), age: deliveryTime - 1 },
    { phase: 'Current', when: 'its time is over', of: state('Current'), age: deliveryTime },
    { phase: 'Missing', when: 'it does not exist', of: state('Missing'), age: 0 },
  ])('is $phase if $when', ({ phase, of, age }) => {
    expect(deliveredState(of, age).phase).toBe(phase);
  });
});

describe('line 8: a port that serves another certificate', () => {
  const earlier = port('RollingOut', '10.0.0.1:8443 of Service shop serves another certificate on port 443');
  it.each<{ phase: string; when: string; of: NamedState; isRolling: boolean; age: number }>([
    { phase: 'RollingOut', when: 'the certificate is new', of: earlier, isRolling: false, age: servingTime - 1 },
    { phase: 'RollingOut', when: 'a workload is being rolled', of: earlier, isRolling: true, age: servingTime },
    { phase: 'Failed', when: 'nothing is rolled any more', of: earlier, isRolling: false, age: servingTime },
    { phase: 'Current', when: 'it serves the new one', of: port('Current'), isRolling: false, age: servingTime },
  ])('is $phase if $when', ({ phase, of, isRolling, age }) => {
    expect(servedStates([of], { isRolling, age })[0]?.phase).toBe(phase);
  });
});
