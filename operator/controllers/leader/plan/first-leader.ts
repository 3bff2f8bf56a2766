import type { Candidate } from '../election/candidate.js';
import { isHeard, offsetOf, type WithData } from '../election/history.js';
import type { Situation } from '../situation.js';
import { byPreference } from './preference.js';
import type { Step } from './step.js';

/**
 * The first leader: the candidate with data, or any one if none has data. Each Pod must have answered, because one that
 * answers later may have the data, and would lose it as a replica of an empty leader.
 */
export function firstLeader(situation: Situation, canLead: (candidate: Candidate) => boolean): WithData | Step {
  const present = situation.candidates.filter(({ isEnding }) => !isEnding);
  const unknown = present.filter(({ report }) => report?.application.hasData === undefined);
  if (unknown.length > 0 || present.length === 0) return wait('reports', unknown);
  const withData = present.filter(isHeard).filter(({ report }) => report.application.hasData);
  if (hasSeveralHistories(withData)) return wait('histories', withData);
  const able = (withData.length > 0 ? withData : present.filter(isHeard)).filter(canLead);
  const ofData = able.filter(({ report }) => withData.length === 0 || report.application.isComplete);
  const [first] = ofData.toSorted(
    (one, other) => (withData.length > 0 ? offsetOf(other) - offsetOf(one) : 0) || byPreference(situation)(one, other),
  );
  return first ?? wait('ready', present);
}

function wait(why: 'reports' | 'histories' | 'ready', all: readonly Candidate[]): Step {
  return { does: 'wait', why, names: all.map(({ name }) => name) };
}

/** Data of one history has one ID, or names it as the history before. */
function hasSeveralHistories(all: readonly WithData[]): boolean {
  const [first, ...others] = all.toSorted((one, other) => offsetOf(other) - offsetOf(one));
  if (!first) return false;
  const ids = idsOf(first);
  return others.some((one) => !idsOf(one).some((id) => ids.includes(id)));
}

function idsOf({ report: { application } }: WithData): readonly string[] {
  const { replicationId, secondReplicationId } = application;
  return [replicationId, ...(secondReplicationId === undefined ? [] : [secondReplicationId])].filter((id) => id !== '');
}
