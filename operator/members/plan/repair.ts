import { because, type Member } from '../member/member.js';
import type { MemberStep } from './step.js';

/**
 * Replaces an outdated member that does not run: this costs no availability and may fix the member. A member that lacks a
 * PVC would not start again.
 */
export function repair<M extends Member>(
  members: readonly M[],
  { isOutdated, isDown }: { readonly isOutdated: (member: M) => boolean; readonly isDown: (member: M) => boolean },
): MemberStep<M, 'update'> | undefined {
  const member = members.find((one) => one.missingClaim === undefined && isOutdated(one) && isDown(one));
  if (!member) return undefined;
  const why = `${member.name} is replaced first, because it does not run${because(member)}`;
  return { act: 'replace', concern: 'update', member, why };
}
