import type { AlgorithmResource } from '../../imports/index.js';
import { conditionOf } from '../../operator/runtime/controller/conditions.js';

/** The outcome of the version in the spec. The bake is a part of the trial. */
export type Ending = 'promoted' | 'takenBack';

/** The outcome of the trial of the version in the spec; undefined while it runs, and until the operator saw the spec. */
export function endingOf(resource: AlgorithmResource): Ending | undefined {
  const promoted = conditionOf(resource, 'Promoted');
  if (!promoted || promoted.observedGeneration !== resource.metadata.generation) return undefined;
  if (promoted.status === 'False') return endings.has(promoted.reason) ? 'takenBack' : undefined;
  return promoted.reason === 'Stable' ? 'promoted' : undefined;
}

/** True if the version in the spec is the stable one or about to be. It may still be rolled back. */
export function isPromoted(resource: AlgorithmResource): boolean {
  return ['Promoting', 'Baking'].includes(conditionOf(resource, 'Promoted')?.reason ?? '');
}

/** The final reasons. Rejected or blocked objects are not final, because users can fix them. */
const endings: ReadonlySet<string> = new Set(['RolledBack', 'DeadlineExceeded', 'RolloutFailed', 'Aborted']);
