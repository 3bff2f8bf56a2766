import { ApiObject, App, Chart } from 'cdk8s';
import { describe, expect, it, test } from 'vitest';
import { applyClaimPolicy, claimSize, retiredLabel, retirementOf } from '../../../../operator/members/index.js';
import type { LivePersistentVolumeClaim } from '../../../../operator/runtime/index.js';
import { rejectionPolicyOf, replacePolicyOf } from '../../../../operator/runtime/rendering/object-policies.js';
import { claim } from '../given-members.js';

describe('the size of a PVC', () => {
  test.each<{
    size: string;
    when: string;
    stated: string;
    is: LivePersistentVolumeClaim | undefined;
    mayGrow?: boolean;
  }>([
    { size: '2Gi', when: 'it is new', stated: '2Gi', is: undefined },
    { size: '2Gi', when: 'it is new, and not in use', stated: '2Gi', is: undefined, mayGrow: false },
    { size: '2Gi', when: 'the spec is larger', stated: '2Gi', is: claim() },
    { size: '1Gi', when: 'the spec is larger, and the PVC is retired', stated: '2Gi', is: claim(), mayGrow: false },
    { size: '1Gi', when: 'the spec is smaller: no storage shrinks a volume', stated: '512Mi', is: claim() },
  ])('is $size when $when', ({ size, stated, is, mayGrow = true }) => {
    expect(claimSize(stated, is, { mayGrow })).toBe(size);
  });
});

describe('a PVC', () => {
  const applied = (live: LivePersistentVolumeClaim | undefined, holdsUp?: boolean) => {
    const chart = new Chart(new App(), 'chart');
    const object = new ApiObject(chart, 'claim', { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
    applyClaimPolicy(object, { live, remedy: 'lower spec.size', ...(holdsUp !== undefined && { holdsUp }) });
    return { isRecreated: replacePolicyOf(object) === 'recreate', rejection: rejectionPolicyOf(object) };
  };
  const pending = { ...claim(), spec: {}, status: { phase: 'Pending' } } as LivePersistentVolumeClaim;

  it('is recreated only while it has no data', () => {
    expect(applied(undefined).isRecreated).toBe(false);
    expect(applied(claim()).isRecreated).toBe(false);
    expect(applied(pending).isRecreated).toBe(true);
  });

  it('may be rejected by a quota, and holds up what the kind wants', () => {
    expect(applied(claim()).rejection).toEqual({ remedy: 'lower spec.size', holdsUp: true });
    expect(applied(claim(), false).rejection?.holdsUp).toBe(false);
  });

  it('has the cause for which it is retired', () => {
    expect(retirementOf(claim())).toBeUndefined();
    expect(retirementOf(claim('store-1', { labels: { [retiredLabel]: 'lost' } }))).toBe('lost');
    expect(retirementOf(undefined)).toBeUndefined();
  });
});
