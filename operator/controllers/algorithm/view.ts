import type { AlgorithmResource, AlgorithmStatusConditions } from '../../../imports/index.js';
import { conditionOf, type Facts, type Outcome, type Owned, type Polled } from '../../runtime/index.js';
import type { AlgorithmReads, owns, watchesSiblings } from './declarations.js';
import type { StartingPodsAnswer } from './ports/starting-pods.js';
import type { conditions as trialConditions } from './trial/conditions.js';
import { faultReasons } from './trial/resource/record.js';
import { wantedOf } from './versions/versions.js';

/** The input of `desire`. */
export interface StableView extends Pick<Facts<AlgorithmResource>, 'resource'> {
  /** The ControllerRevisions that its trials created. */
  readonly siblings: Pick<Owned<(typeof watchesSiblings)[number]>, 'of'>;
}

/** The input of `assess`. */
export interface AlgorithmView
  extends StableView,
    Pick<Outcome<AlgorithmResource, (typeof owns)[number]>, 'accepted' | 'owned' | 'now'> {
  readonly reads: AlgorithmReads;
  readonly polled: { readonly startingPods: Polled<StartingPodsAnswer> | undefined };
}

/** The `Promoted` condition of the version in the spec; undefined until the trial controller has seen that version. */
export function promotionOf(resource: AlgorithmResource): AlgorithmStatusConditions | undefined {
  const { metadata, status } = resource;
  const promoted = conditionOf<typeof trialConditions>(resource, 'Promoted');
  if (promoted?.observedGeneration === metadata.generation) return promoted;
  // Other edits raise the generation, but the version stays the same.
  return status?.trial?.revision === wantedOf(resource).name ? promoted : undefined;
}

/** True only of a rollback. A trial may also be blocked, for example by an object of another owner. */
export function isRollback({ reason }: AlgorithmStatusConditions): boolean {
  return Object.values<string>(faultReasons).includes(reason);
}
