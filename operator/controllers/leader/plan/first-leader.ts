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
  if (withData.length > 0) return mostData(situation, withData, canLead);
  const [first] = present.filter(isHeard).filter(canLead).toSorted(byPreference(situation));
  return first ?? wait('ready', present);
}

/** One that has more data but cannot lead now is waited for: it would lose that data as a replica. */
function mostData(
  situation: Situation,
  withData: readonly WithData[],
  canLead: (candidate: Candidate) => boolean,
): WithData | Step {
  const complete = withData.filter(({ report }) => report.application.isComplete);
  const [first] = complete.toSorted(
    (one, other) =>
      offsetOf(other) - offsetOf(one) ||
      Number(canLead(other)) - Number(canLead(one)) ||
      byPreference(situation)(one, other),
  );
  if (!first) return wait('ready', withData);
  return canLead(first) ? first : wait('ready', [first]);
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
