import type { Member } from '../member/member.js';
import { type MemberStep, type WaitStep, waitStep } from './step.js';

/** How a kind gives up a member whose volume was on a node that no longer exists. */
export interface LostVolumeProps<M extends Member, Concern extends string> {
  readonly member: M;
  readonly concern: Concern;
  /** The fact, as the beginning of a sentence. */
  readonly found: string;
  /** Why the member must not be given up now, as the end of the sentence. Undefined if it can be. */
  readonly obstacle: string | undefined;
  /** Milliseconds that the node has to return under the same name, with its disk. */
  readonly patience: number;
  /** What happens after that time, as the end of the sentence. */
  readonly prospect: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Retires a member whose volume is gone with its node, so that a replacement is created. The PVC is kept, because the node
 * may return. The proof that nothing is lost is the kind's: without it there is an obstacle.
 */
export function retireLost<M extends Member, Concern extends string>({
  member,
  concern,
  found,
  obstacle,
  patience,
  prospect,
  now,
}: LostVolumeProps<M, Concern>): MemberStep<M, Concern> | WaitStep<Concern> {
  if (obstacle !== undefined) return waitStep(concern, `${found}${obstacle}`);
  if (now - (member.unreadySince ?? now) < patience) return waitStep(concern, `${found}; ${prospect}`);
  return { act: 'retire', concern, member, why: `${found}; the volume is kept, and a replacement is created` };
}
