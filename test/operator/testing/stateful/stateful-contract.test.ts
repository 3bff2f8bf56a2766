import { describe, expect, it, test } from 'vitest';
import {
  memberRules,
  planMembers,
  type ReplacingSituation,
  type RetirableMember,
} from '../../../../operator/members/index.js';
import { type NamedState, type PlannedMembers, statefulContract } from '../../../../operator/testing/index.js';
import { now } from '../../members/given-members.js';

interface Known extends RetirableMember {
  readonly isKnown: boolean;
}
type Situation = ReplacingSituation<Known>;

const memberOf = ({ of, member, isOutdated, isKnown }: NamedState): Known => ({
  ...{ ...member, name: of, isKnown },
  revision: isOutdated ? 'r0' : 'r1',
});
const situation = (members: readonly NamedState[]): Situation => ({
  ...{ members: members.map(memberOf), wanted: members.length, revision: 'r1', now, replaceAfter: 60_000 },
});

const { repair, lost, rollout } = memberRules<Known, Situation>({
  isHealthy: ({ isReady, isKnown }) => isReady && isKnown,
});
function planOf(seen: Situation): PlannedMembers {
  const { pods, claims, steps } = planMembers<Known, Situation>(seen, [repair, lost, rollout]);
  return { pods, claims: claims.map(({ name }) => name), steps };
}

const running = ({ members }: Situation) => members.filter(({ pod }) => pod === 'there');
const without = (names: readonly string[], ...gone: readonly (string | undefined)[]) =>
  names.filter((name) => !gone.includes(name));

/** The checks of a plan that fail, by their names. */
async function broken(plan: (seen: Situation) => PlannedMembers): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, holds } of statefulContract({ situation, plan, size: 2 }))
    await holds().catch(() => failed.push(name));
  return failed;
}

describe('the contract of stateful kinds', () => {
  it('holds for the rules that all kinds share', async () => {
    expect(await broken(planOf)).toEqual([]);
  });

  const act = { act: 'replace', concern: 'update', why: 'because' };
  let turns = 0;
  test.each<{ check: string; when: string; plan: (seen: Situation, good: PlannedMembers) => PlannedMembers }>([
    {
      check: 'takes at most one step, and gives a reason for each',
      when: 'a plan takes two steps',
      plan: (seen, good) => (running(seen).length > 1 ? { ...good, steps: [act, act] } : good),
    },
    {
      check: 'takes at most one step, and gives a reason for each',
      when: 'a step has no reason',
      plan: (_, good) => ({ ...good, steps: good.steps.map((step) => ({ ...step, why: ' ' })) }),
    },
    {
      check: 'stops at most one running member',
      when: 'a plan stops all outdated members',
      plan: (seen, good) => {
        const old = running(seen).filter(({ revision }) => revision === 'r0');
        return { ...good, pods: without(good.pods, ...old.map(({ name }) => name)) };
      },
    },
    {
      check: 'never stops a ready member while another member is not known to serve',
      when: 'a plan stops an outdated member whatever the others do',
      plan: (seen, good) => {
        const old = seen.members.find(({ revision, isReady }) => revision === 'r0' && isReady);
        return { ...good, pods: [...running(seen).map(({ name }) => name)].filter((name) => name !== old?.name) };
      },
    },
    {
      check: 'creates no Pod beside a terminating one, or on a terminating PVC',
      when: 'a plan renders every member',
      plan: (seen, good) => ({ ...good, pods: [...new Set([...good.pods, ...seen.members.map(({ name }) => name)])] }),
    },
    {
      check: 'keeps the PVC of each member',
      when: 'a plan drops the PVC of a member without a Pod',
      plan: (seen, good) => {
        const gone = seen.members.find(({ pod }) => pod === 'none');
        return { ...good, claims: without(good.claims, gone?.name) };
      },
    },
    {
      check: 'changes nothing while all members serve and are up to date',
      when: 'a plan waits for nothing',
      plan: (_, good) => ({ ...good, steps: [{ act: 'wait', concern: 'x', why: 'something' }] }),
    },
    {
      check: 'plans the same again from the same situation',
      when: 'a plan counts its turns',
      plan: (_, good) => ({ ...good, steps: [{ act: 'wait', concern: 'x', why: `turn ${turns++}` }] }),
    },
  ])('finds in "$check" that $when', async ({ check, plan }) => {
    expect(await broken((seen) => plan(seen, planOf(seen)))).toContain(check);
  });

  it('finds a plan that changes its situation', async () => {
    const plan = (seen: Situation) => {
      (seen.members as Known[]).reverse();
      return planOf(seen);
    };
    expect((await broken(plan)).length).toBeGreaterThan(0);
  });
});
