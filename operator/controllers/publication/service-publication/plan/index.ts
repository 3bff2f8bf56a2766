import { type Claim, isPlace } from '../../targets/destination.js';
import type { TargetRequest } from '../../targets/target-reading.js';
import type { Situation, SlotSituation } from '../situation.js';
import { nextClaims } from './claims.js';

/** What a publication records and changes next. */
export interface Plan {
  /** What the status must record. */
  readonly claims: readonly Claim[];
  /** The changes that may be sent, in the order of the targets. */
  readonly calls: readonly { readonly slot: SlotSituation; readonly change: TargetRequest }[];
}

/** A change is sent only if the status records its names, so that a later process finds them. */
export function planOf(situation: Situation): Plan {
  const { slots, policy, abandoned } = situation;
  const changes = slots.flatMap((slot) => {
    const change = slot.reading?.request;
    const isLetGo = slot.target === undefined && isAbandoned(slot, abandoned);
    return change && slot.isRecorded && !isLetGo ? [{ slot, change }] : [];
  });
  return { claims: nextClaims(situation), calls: policy === 'DryRun' ? [] : changes };
}

function isAbandoned(slot: SlotSituation, abandoned: readonly string[]): boolean {
  return abandoned.includes('*') || abandoned.some((text) => isPlace(text, slot.destination, slot.claim?.names));
}
