import type { SparkJobResource } from '../../../imports/index.js';
import type { DrawAnswer } from '../../passwords/draw.js';
import { type Facts, type LivePod, type Outcome, type Owned, Pod, type Polled } from '../../runtime/index.js';
import type { owns, SparkReads } from './declarations.js';
import type { LeftoversAnswer } from './ports/leftovers.js';

/** The part of the input that does not change with time. */
export interface StableView extends Pick<Facts<SparkJobResource>, 'resource'> {
  readonly owned: Pick<Owned<(typeof owns)[number]>, 'of'>;
  readonly reads: SparkReads;
}

/** The input of `desire` and `assess`. */
export interface SparkView extends StableView, Pick<Facts<SparkJobResource>, 'now'> {
  /** Undefined for a source that is not asked. */
  readonly polled: {
    readonly drawn: Polled<DrawAnswer> | undefined;
    readonly leftovers: Polled<LeftoversAnswer> | undefined;
  };
}

/** What the status of a SparkJob follows from. */
export type SparkOutcome = SparkView & Pick<Outcome, 'accepted' | 'blocker'>;

/** All Pods of the job. Those that it owns are known at once after they are written, and the others may be older. */
export function podsIn({ owned, reads: { pods } }: StableView): readonly LivePod[] {
  const own = owned.of(Pod);
  const known = new Set(own.map(({ metadata }) => metadata.uid));
  return [...own, ...pods.filter(({ metadata }) => !known.has(metadata.uid))];
}
