import { electedNext, namesOf } from '../annotations/unclean-election.js';
import { quorumIn, type Situation } from '../situation.js';
import { refuse, type Step, waitStep } from './step.js';

/** Elects leaders without all records, for the partitions that a person named and for no others. */
export function uncleanElection(situation: Situation): Step | undefined {
  const { unclean } = situation;
  if (!unclean) return undefined;
  if (unclean.refusal !== undefined) return refuse('unclean', unclean.refusal);
  if (!quorumIn(situation) || unclean.named.length === 0)
    return waitStep('unclean', `no leader is elected, because ${situation.silence ?? 'the brokers do not answer'}`);
  // The status has what will be lost before it is lost.
  if (!unclean.recorded) return waitStep('unclean', `${namesOf(unclean.named)} get leaders without all records`);
  const partitions = electedNext(unclean);
  if (partitions.length === 0) return undefined;
  return {
    ...{ act: 'call', concern: 'unclean', request: { act: 'electUncleanLeaders', partitions } },
    why: `${namesOf(partitions)} get leaders without all records`,
  };
}
