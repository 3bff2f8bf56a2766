import type { AlgorithmResource } from '../../imports/index.js';

/** What became of the version that the spec asks for. The bake is a part of the trial. */
export type Ending = 'promoted' | 'takenBack';

type Conditions = NonNullable<NonNullable<AlgorithmResource['status']>['conditions']>;

/** What a resource says by a condition of this type. */
export function conditionOf({ status }: AlgorithmResource, type: string): Conditions[number] | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** How the trial of the spec's version ended; undefined while it goes on, and until the operator has seen the spec. */
export function endingOf(resource: AlgorithmResource): Ending | undefined {
  const promoted = conditionOf(resource, 'Promoted');
  if (!promoted || promoted.observedGeneration !== resource.metadata.generation) return undefined;
  if (promoted.status === 'False') return endings.has(promoted.reason) ? 'takenBack' : undefined;
  return promoted.reason === 'Stable' ? 'promoted' : undefined;
}

/** True once the version of the spec is the stable one, or about to be; it may still go back. */
export function isPromoted(resource: AlgorithmResource): boolean {
  return ['Promoting', 'Baking'].includes(conditionOf(resource, 'Promoted')?.reason ?? '');
}

/** The reasons that are final: what is refused or in the way may still be mended. */
const endings: ReadonlySet<string> = new Set(['RolledBack', 'DeadlineExceeded', 'RolloutFailed', 'Aborted']);
