import type { Stores } from '../cache/stores.js';
import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import type { Answers } from '../controller/gather.js';
import type { Found } from '../controller/reads.js';
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
  readonly settled: AppliedState;
  readonly restraint: WriteGuard;
  readonly lastAccepted: LastAcceptedSpecs;
  readonly recorder: EventRecorder;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  /** @default - nobody is asked anything */
  readonly gathering?: Pollers | undefined;
  /** What the last pass over the resource went by, and where this one notes its own. @default - everything is looked at */
  readonly ground?: ReconciledState | undefined;
  /** Passes over the resource that have failed in a row before this one. @default 0 */
  readonly failures?: number;
  /** What was rendered of each resource before. @default - nothing: each pass renders */
  readonly rendered?: RenderCache | undefined;
  /** Reads of one pass that may find nothing of what an inventory lists, before it leaves the rest to the next one. @default 250 */
  readonly readsInVain?: number | undefined;
}

/** What one reconcile goes by: the context of its controller, what the resource refers to, and what it asks. */
export interface Observation extends ControllerContext {
  readonly reads: Found;
  readonly asked: Asked;
  /** What is looked at instead of the spec, which is rejected. @default - the spec */
  readonly accepted?: AcceptedSpec;
}

/** What one reconcile of one resource carries. */
export interface ReconcileContext
  extends CallOptions,
    Pick<
      ControllerContext,
      'cluster' | 'controller' | 'readsInVain' | 'recorder' | 'restraint' | 'settled' | 'stores' | 'telemetry'
    > {
  /** The resource. */
  readonly owner: CustomResource;
}

/** What a resource asks as it is now, and what is known of it. */
export interface Asked {
  readonly askings: Askings;
  readonly answers: Answers;
  /** What was looked at to say so. */
  readonly sight: ObservedDependencies;
}

/** True of a resource that went while a pass was over it: of what it owned no more than metadata is kept from then on. */
export function isGone({
  controller,
  owner,
  stores,
}: Pick<ReconcileContext, 'controller' | 'owner' | 'stores'>): boolean {
  return stores.of(controller.kind).get(keyOf(owner.metadata))?.metadata.uid !== owner.metadata.uid;
}
