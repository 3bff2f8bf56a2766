import { describe, expect, it, test } from 'vitest';
import {
  type AnyStep,
  actingStep,
  activeMembers,
  haltStep,
  isMeant,
  keptMembers,
  type Member,
  stepOf,
  stepsOf,
  waitStep,
} from '../../../../operator/members/index.js';
import { member, stopped } from '../given-members.js';

const act = (concern: string, why = concern): AnyStep => ({ act: 'replace', concern, why });
const whys = (steps: readonly AnyStep[]) => steps.map(({ why }) => why);

describe('the steps of a plan', () => {
  test.each<{ steps: readonly string[]; when: string; rules: readonly (AnyStep | undefined)[] }>([
    { steps: [], when: 'no rule has anything to do', rules: [undefined, undefined] },
    { steps: ['first'], when: 'two rules act: the first one wins', rules: [act('first'), act('second')] },
    { steps: ['safety', 'act'], when: 'one waits and one acts', rules: [waitStep('safety', 'safety'), act('act')] },
    {
      steps: ['act'],
      when: 'a rule waits for the concern of the step that is taken',
      rules: [act('update', 'act'), waitStep('update', 'waits')],
    },
    {
      steps: ['one', 'other'],
      when: 'all rules wait: each says why',
      rules: [waitStep('a', 'one'), waitStep('b', 'other')],
    },
    {
      steps: ['a person decides'],
      when: 'a rule halts: nothing else happens, whatever an earlier rule wants',
      rules: [act('update'), haltStep('split', 'a person decides'), waitStep('b', 'other')],
    },
  ])('are $steps when $when', ({ steps, rules }) => {
    expect(
      whys(
        stepsOf(
          rules.map((step) => () => step),
          undefined,
        ),
      ),
    ).toEqual(steps);
  });

  it('have at most one that is not a wait', () => {
    const steps = stepsOf([() => waitStep('a', 'a'), () => act('b'), () => act('c')], undefined);
    expect(actingStep(steps)?.concern).toBe('b');
    expect(steps.filter((step) => step.act !== 'wait')).toHaveLength(1);
  });

  it('are found by their concern', () => {
    const steps: readonly AnyStep[] = [waitStep('provision', 'p'), waitStep('update', 'u')];
    expect(stepOf({ steps }, 'update')?.why).toBe('u');
    expect(stepOf({ steps }, 'removal', 'provision')?.why).toBe('p');
    expect(stepOf({ steps }, 'removal')).toBeUndefined();
  });
});

describe('the Pods and PVCs of members', () => {
  const two = member(2);
  const change = { act: 'replace', member: two };
  const kept = (members: readonly Member[], rendering: Partial<Parameters<typeof keptMembers>[1]> = {}) => {
    const { pods, claims } = keptMembers(members, {
      ...{ change: undefined, stops: ['replace', 'retire'], isRetired: ({ name }) => name === 'store-9' },
      ...rendering,
    });
    return [pods, claims].map((all) => all.map(({ name }) => Number(name.slice(6))));
  };
  test.each([
    { pods: [1, 2, 3], claims: [1, 2, 3], when: 'nothing changes', is: [member(1), two, member(3)] },
    {
      pods: [1],
      claims: [1, 2],
      when: 'a member is replaced: it keeps its PVC',
      is: [member(1), two],
      with: { change },
    },
    {
      pods: [1, 2],
      claims: [1, 2],
      when: 'the step does not stop its member',
      is: [member(1), two],
      with: { change: { act: 'switchover', member: two } },
    },
    { pods: [1], claims: [1], when: 'a Pod is missing: it is created on its PVC', is: [member(1, stopped)] },
    { pods: [], claims: [1], when: 'a Pod is terminating', is: [member(1, { pod: 'ending' })] },
    { pods: [], claims: [], when: 'the PVC is terminating', is: [member(1, { ...stopped, claim: 'ending' })] },
    { pods: [], claims: [], when: 'neither exists', is: [member(1, { ...stopped, claim: 'none' })] },
    { pods: [1], claims: [1], when: 'a PVC lost its labels', is: [member(1, { claim: 'none' })] },
    { pods: [1], claims: [1, 9], when: 'a member is retired', is: [member(1), member(9)] },
    {
      pods: [1],
      claims: [1, 2],
      when: 'a member stays stopped',
      is: [member(1), member(2, stopped)],
      with: { staysStopped: ({ name }: Member) => name === 'store-2' },
    },
    {
      pods: [1],
      claims: [1],
      when: 'a PVC is released',
      is: [member(1), member(9)],
      with: { isReleased: ({ name }: Member) => name === 'store-9' },
    },
  ])('are Pods $pods and PVCs $claims when $when', ({ pods, claims, is, with: rendering }) => {
    expect(kept(is, rendering)).toEqual([pods, claims]);
  });

  it('belong to members that run or start', () => {
    const members = [member(1), member(2, stopped), member(3, { ...stopped, claim: 'none' }), member(9)];
    const active = activeMembers(members, ({ name }) => name === 'store-9');
    expect(active.map(({ name }) => name)).toEqual(['store-1', 'store-2']);
  });

  it('change by a step for this member and by these acts alone', () => {
    expect(isMeant(two, change, 'replace')).toBe(true);
    expect(isMeant(two, change, 'retire')).toBe(false);
    expect(isMeant(member(1), change, 'replace')).toBe(false);
    expect(isMeant(two, undefined, 'replace')).toBe(false);
  });
});
