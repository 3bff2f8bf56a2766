import assert from 'node:assert/strict';
import type { AnyStep } from '../../members/index.js';
import type { ContractCheck } from '../contract/contract-check.js';
import { groupsOf, type MemberState, memberStates } from './member-states.js';

/** The Pods and PVCs that a plan renders, by the names of their members. */
export interface PlannedMembers {
  readonly pods: readonly string[];
  readonly claims: readonly string[];
  readonly steps: readonly AnyStep[];
}

/** The plan of a stateful kind, and its test data. */
export interface StatefulCase<Situation> {
  /** A situation in which as many members are wanted as there are. @param members their names are `member-1`, `member-2` … */
  readonly situation: (members: readonly NamedState[]) => Situation;
  readonly plan: (situation: Situation) => PlannedMembers;
  /**
   * The number of members of a situation. A situation has every combination of states.
   * @default 3
   */
  readonly size?: number;
}

/** One member of a situation. */
export interface NamedState extends MemberState {
  /** The name of the member. */
  readonly of: string;
}

/** A situation, its plan, and its description for messages. */
interface Trial {
  readonly members: readonly NamedState[];
  readonly plan: PlannedMembers;
  readonly text: string;
}

/**
 * The guarantees of the plan of a stateful kind, on every combination of states of its members: thousands of situations, in
 * a second or two.
 *
 * @example for (const { name, holds } of statefulContract({ situation, plan: planOf })) it(name, holds);
 */
export function statefulContract<Situation>(given: StatefulCase<Situation>): readonly ContractCheck[] {
  let tried: readonly Trial[] | undefined;
  const trials = () => {
    tried ??= trialsOf(given);
    return tried;
  };
  const always = (holds: (trial: Trial) => void) => async () => {
    for (const trial of trials()) holds(trial);
  };
  return [
    { name: 'takes at most one step, and gives a reason for each', holds: always(takesOneStep) },
    { name: 'stops at most one running member', holds: always(stopsOne) },
    { name: 'never stops a ready member while another member is not known to serve', holds: always(stopsNoneBlindly) },
    { name: 'creates no Pod beside a terminating one, or on a terminating PVC', holds: always(createsNoneTooEarly) },
    { name: 'keeps the PVC of each member', holds: always(keepsClaims) },
    { name: 'changes nothing while all members serve and are up to date', holds: always(rests) },
    {
      name: 'plans the same again from the same situation',
      holds: async () => {
        for (const { members, plan, text } of trials())
          assert.deepEqual(given.plan(given.situation(members)), plan, `${text}: plans something else`);
      },
    },
  ];
}

function trialsOf<Situation>({ size = 3, situation, plan }: StatefulCase<Situation>): readonly Trial[] {
  return [...situationsOf(size)].map((members) => ({
    ...{ members, plan: plan(deeplyFrozen(situation(members))) },
    text: members.map(({ of, name }) => `${of} ${name}`).join('; '),
  }));
}

function* situationsOf(size: number): Generator<readonly NamedState[]> {
  for (const group of groupsOf(size)) yield group.map((state, index) => ({ ...state, of: `member-${index + 1}` }));
}

function takesOneStep({ plan: { steps }, text }: Trial): void {
  const acts = steps.filter(({ act }) => act !== 'wait');
  assert.ok(acts.length <= 1, `${text}: takes ${acts.map(({ act, why }) => `${act} (${why})`).join(' and ')}`);
  for (const { act, why } of steps) assert.ok(why.trim() !== '', `${text}: does not say why it has the step ${act}`);
}

/** The members whose Pod exists and is not rendered any more. */
function stopped({ members, plan: { pods } }: Trial): readonly NamedState[] {
  return members.filter(({ of, member }) => member.pod === 'there' && !pods.includes(of));
}

function stopsOne(trial: Trial): void {
  const names = stopped(trial).map(({ of }) => of);
  assert.ok(names.length <= 1, `${trial.text}: stops ${names.join(' and ')} at once`);
}

function stopsNoneBlindly(trial: Trial): void {
  for (const { of, member } of stopped(trial)) {
    const unknown = trial.members.find((other) => other.of !== of && !(other.member.isReady && other.isKnown));
    if (member.isReady && unknown)
      assert.fail(`${trial.text}: stops ${of}, which is ready, although ${unknown.of} ${unknown.name}`);
  }
}

function createsNoneTooEarly({ members, plan: { pods }, text }: Trial): void {
  for (const { of, member } of members) {
    const isTooEarly = member.pod === 'ending' || (member.pod === 'none' && member.claim !== 'there');
    if (isTooEarly) assert.ok(!pods.includes(of), `${text}: creates the Pod of ${of}`);
  }
}

/** A member that is given up keeps its PVC too: the data may be needed. */
function keepsClaims({ members, plan: { claims }, text }: Trial): void {
  for (const { of, member } of members) {
    const hasClaim = member.claim === 'there' || (member.claim === 'none' && member.pod === 'there');
    if (hasClaim) assert.ok(claims.includes(of), `${text}: deletes the PVC of ${of}`);
  }
}

function rests({ members, plan, text }: Trial): void {
  if (members.some(({ name }) => name !== memberStates[0]?.name)) return;
  assert.deepEqual(plan.steps, [], `${text}: takes a step`);
  const names = members.map(({ of }) => of);
  assert.deepEqual([...plan.pods].toSorted(), names, `${text}: changes the Pods`);
  assert.deepEqual([...plan.claims].toSorted(), names, `${text}: changes the PVCs`);
}

/** A plan that changes its situation would plan something else in the next reconcile. */
function deeplyFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deeplyFrozen(part);
  }
  return value;
}
