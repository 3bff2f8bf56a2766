import { type Candidate, isFenced } from './candidate.js';
import { isCopyOf } from './history.js';
import type { Member } from './memory.js';

/** What decides whether a replica still has the writes that it confirmed, or could confirm more of them. */
export interface Losses {
  readonly members: readonly Member[];
  readonly candidates: readonly Candidate[];
  /** The term of the fence. */
  readonly term: number;
  readonly history: string | undefined;
  /** The process of the last leader, whose own copy confirms nothing. */
  readonly leader: string | undefined;
}

/**
 * Replicas of the last leader that may have confirmed writes which no candidate shows: they are gone, silent, not fenced, or
 * have begun a new copy since. As long as they are fewer than the replicas that a write needs, one of the candidates has
 * every confirmed write.
 */
export function lostMembers({ members, candidates, term, history, leader }: Losses): readonly Member[] {
  return members.filter((member) => {
    if (member.boot === leader) return false;
    const candidate = candidates.find(({ report }) => report?.boot === member.boot);
    if (!candidate || !isFenced(candidate, term)) return true;
    return member.isComplete === true && (history === undefined || !isCopyOf(candidate, history));
  });
}
