import { type AddStep, type MemberStep, type WaitStep, waitStep } from '../../../members/index.js';
import type { Instance } from '../instances/instances.js';

export { waitStep };

/**
 * A step of the plan. Missing Pods are created beside it, and steps that have started continue.
 * - `add`: adds an instance.
 * - `replace`: deletes the Pod and recreates it on the same PVC.
 * - `leave`: scales the instance down: deletes its Pod, then its PVC.
 * - `quarantine`: deletes the Pod and keeps the PVC, on which no instance runs.
 * - `switchover`: makes another instance the primary.
 * - `restart`: restarts PostgreSQL and keeps the Pod.
 * - `wait`: does nothing until a fact changes.
 */
export type Step =
  | AddStep<Concern>
  | WaitStep<Concern>
  | {
      readonly act: 'replace' | 'leave' | 'quarantine' | 'switchover' | 'restart';
      readonly concern: Concern;
      readonly instance: Instance;
      readonly why: string;
    };

/** The subject of a step, which selects the condition that reports it. `safety`: the operator withholds the step. */
export type Concern = 'provision' | 'update' | 'drain' | 'divergence' | 'stranded' | 'safety' | 'split';

/** The instruction for a user while the volume of an earlier instance is kept, as the end of a message. */
export function replacementAfter({ name }: Instance): string {
  return `to get a replacement, delete PVC ${name}, which is kept from an earlier instance`;
}

/** A step of a rule that all kinds share, in the words of a Database, which quarantines a volume instead of retiring it. */
export function onInstance(step: MemberStep<Instance, Concern> | WaitStep<Concern> | undefined): Step | undefined {
  if (!step || step.act === 'wait') return step;
  const { act, concern, member, why } = step;
  return { act: act === 'replace' ? act : 'quarantine', concern, instance: member, why };
}
