import type { Kept, Stores } from '../cache/stores.js';
import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import type { Answers } from '../controller/polls.js';
import type { Found } from '../controller/reads.js';
import type { TooDeepError } from '../kubernetes/deep-freeze.js';
import { keyOf } from '../kubernetes/object.js';
import type { AppliedState } from '../memory/applied-state.js';
import type { AcceptedSpec, LastAcceptedSpecs } from '../memory/last-accepted-specs.js';
import type { ObservedDependencies } from '../memory/observed-dependencies.js';
import type { Askings, Pollers } from '../memory/pollers.js';
import type { ReconciledState } from '../memory/reconciled-state.js';
import type { RenderCache } from '../memory/render-cache.js';
import type { WriteGuard } from '../memory/write-guard.js';
import type { Clock } from '../ports/clock.js';
import type { CallOptions, Cluster } from '../ports/cluster.js';
import type { EventRecorder } from '../ports/event-recorder.js';
import type { Telemetry } from '../ports/telemetry.js';

/** What all reconciles of one controller share. */
export interface ControllerContext {
  readonly controller: Controller;
  readonly cluster: Cluster;
  readonly stores: Stores;
  readonly appliedState: AppliedState;
  readonly writeGuard: WriteGuard;
  readonly lastAcceptedSpecs: LastAcceptedSpecs;
  readonly recorder: EventRecorder;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  /** @default - nobody is asked anything */
  readonly pollers?: Pollers | undefined;
  /** What the last pass over the resource went by, and where this one notes its own. @default - everything is looked at */
  readonly reconciledState?: ReconciledState | undefined;
  /** Passes over the resource that have failed in a row before this one. @default 0 */
  readonly failures?: number;
  /** What was rendered of each resource before. @default - nothing: each pass renders */
  readonly renderCache?: RenderCache | undefined;
  /** Reads of one pass that may find nothing of what an inventory lists, before it leaves the rest to the next one. @default 250 */
  readonly maxMisses?: number | undefined;
}

/** What one reconcile of one resource carries. */
export interface ReconcileContext extends ControllerContext, CallOptions {
  readonly resource: CustomResource;
}

/** What one reconcile goes by, beside the objects that the caches hold. */
export interface Observation extends ControllerContext {
  /** The objects that the resource refers to. */
  readonly reads: Found;
  /** What external sources answered. */
  readonly external: Asked;
  /** The accepted spec that stands in for a rejected one. @default - the spec of the resource */
  readonly accepted?: AcceptedSpec;
  /** Objects of the resource of which the whole cannot be kept. @default [] */
  readonly partial?: readonly PartialObject[];
}

/** An object too deep to be kept whole: the cache holds its metadata. */
export interface PartialObject extends Kept {
  readonly isOwned: boolean;
  readonly why: TooDeepError;
}

/** What a resource asks as it is now, and what is known of it. */
export interface Asked {
  readonly requests: Askings;
  readonly answers: Answers;
  /** What was looked at to say so. */
  readonly dependencies: ObservedDependencies;
}

/** True of a resource that went while a pass was over it: of what it owned no more than metadata is kept from then on. */
export function isGone({
  controller,
  resource,
  stores,
}: Pick<ReconcileContext, 'controller' | 'resource' | 'stores'>): boolean {
  return stores.of(controller.kind).get(keyOf(resource.metadata))?.metadata.uid !== resource.metadata.uid;
}
