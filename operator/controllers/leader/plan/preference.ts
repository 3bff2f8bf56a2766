import type { Candidate } from '../election/candidate.js';
import type { Situation } from '../situation.js';

/** Orders candidates of which each could lead as well: the stated Pod, the preferred zone, Pods that are ready, the name. */
export function byPreference({ spec, switchover }: Situation): (one: Candidate, other: Candidate) => number {
  const { zone } = spec.prefer;
  const rank = (candidate: Candidate) => [
    Number(candidate.name !== switchover?.to),
    Number(zone !== undefined && candidate.zone !== zone),
    Number(!candidate.isReady),
  ];
  return (one, other) => {
    const [left, right] = [rank(one), rank(other)];
    const difference = left.map((value, index) => value - (right[index] ?? 0)).find((value) => value !== 0);
    return difference ?? (one.name < other.name ? -1 : 1);
  };
}
