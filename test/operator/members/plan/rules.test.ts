import { describe, expect, test } from 'vitest';
import { type Member, repair, retireLost, rollingGroup, rollout } from '../../../../operator/members/index.js';
import { member, now } from '../given-members.js';

const old = { revision: 'r0' } as const;
const failing = { isReady: false, trouble: 'container store: exited with code 1' } as const;
const isOutdated = ({ revision }: Member) => revision !== 'r1';
const textOf = (step: { readonly act: string; readonly why: string; readonly member?: Member } | undefined) =>
  step && (step.member ? `${step.act} ${step.member.name}: ${step.why}` : `${step.act}: ${step.why}`);

describe('the rule that repairs', () => {
  test.each([
    { step: undefined, when: 'all serve', is: [member(1, old)] },
    { step: undefined, when: 'a member fails with the current template', is: [member(1, failing)] },
    {
      step: 'replace store-2: store-2 is replaced first, because it does not run: container store: exited with code 1',
      when: 'an outdated member fails',
      is: [member(1, old), member(2, { ...old, ...failing })],
    },
    {
      step: 'replace store-1: store-1 is replaced first, because it does not run',
      when: 'it says no reason',
      is: [member(1, { ...old, isReady: false })],
    },
    {
      step: undefined,
      when: 'it lacks a PVC and would not start again',
      is: [member(1, { ...old, ...failing, missingClaim: 'store-1-fast' })],
    },
  ])('has $step when $when', ({ step, is }) => {
    expect(textOf(repair(is, { isOutdated, isDown: ({ isReady }) => !isReady }))).toBe(step);
  });
});

describe('the rule that rolls out', () => {
  const stateOf = (one: Member) => (one.isReady ? 'up' : one.pod === 'there' ? 'unknown' : 'down');
  const rolled = (is: readonly Member[], needed?: number) =>
    rollout({
      ...{ outdated: is.filter(isOutdated), groups: [rollingGroup(is, stateOf, needed)], noun: 'member' },
      ill: is.find(({ isReady }) => !isReady),
    });
  test.each([
    { step: undefined, when: 'none is outdated', is: [member(1), member(2)] },
    { step: 'replace store-1: store-1 is being replaced', when: 'all are', is: [member(1, old), member(2, old)] },
    {
      step: 'wait: no member is replaced until store-2 is healthy: container store: exited with code 1',
      when: 'another member is not known to serve',
      is: [member(1, old), member(2, failing)],
    },
    {
      step: 'wait: no member is replaced until store-2 is healthy',
      when: 'another member has no Pod',
      is: [member(1, old), member(2, { isReady: false, pod: 'none' })],
    },
    { step: 'replace store-1: store-1 is being replaced', when: 'it is alone', is: [member(1, old)] },
    {
      step: 'replace store-1: store-1 is being replaced',
      when: 'it is alone and one must be up: to wait does not help',
      is: [member(1, old)],
      needed: 1,
    },
  ])('has $step when $when', ({ step, is, needed }) => {
    expect(textOf(rolled(is, needed))).toBe(step);
  });

  test('waits while the groups are not known', () => {
    const step = rollout({ outdated: [member(1, old)], groups: undefined, ill: undefined, noun: 'node' });
    expect(textOf(step)).toBe('wait: no node is replaced until all members report that they are healthy');
  });
});

describe('the rule that gives a lost volume up', () => {
  const lost = (changes: Partial<Member>, obstacle?: string) =>
    retireLost({
      ...{ member: member(1, { isReady: false, ...changes }), concern: 'lost', obstacle, now },
      ...{ found: 'The volume of store-1 is gone', patience: 60_000, prospect: 'it is replaced in a minute' },
    });
  test.each([
    {
      step: 'wait: The volume of store-1 is gone; store-2 is not healthy',
      when: 'there is an obstacle, however long it takes',
      changes: { unreadySince: 0 },
      obstacle: '; store-2 is not healthy',
    },
    {
      step: 'wait: The volume of store-1 is gone; it is replaced in a minute',
      when: 'its node may return',
      changes: { unreadySince: now - 59_999 },
    },
    {
      step: 'wait: The volume of store-1 is gone; it is replaced in a minute',
      when: 'nobody knows since when it does not run',
      changes: {},
    },
    {
      step: 'retire store-1: The volume of store-1 is gone; the volume is kept, and a replacement is created',
      when: 'the time has passed',
      changes: { unreadySince: now - 60_000 },
    },
  ])('has $step when $when', ({ step, changes, obstacle }) => {
    expect(textOf(lost(changes, obstacle))).toBe(step);
  });
});
