import type { Kept, Stores } from '../cache/stores.js';
import type { Controller } from '../controller/controller.js';
import type { CustomResource, RuntimeStatus } from '../controller/custom-resource.js';
import type { Found } from '../controller/reads.js';
import type { Callers } from '../external/callers.js';
import type { ExternalAnswers } from '../external/external-answers.js';
import type { Pollers } from '../external/pollers.js';
import type { TooDeepError } from '../kubernetes/deep-freeze.js';
import type { AppliedState } from '../memory/applied-state.js';
import type { ForeignDeletions } from '../memory/foreign-deletions.js';
import type { AcceptedSpec, LastAcceptedSpecs } from '../memory/last-accepted-specs.js';
import type { ReconciledState } from '../memory/reconciled-state.js';
import type { RenderCache } from '../memory/render-cache.js';
import type { HeldPrunes, ReportedConditions } from '../memory/reported-conditions.js';
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
  /** @default - nothing is polled */
  readonly pollers?: Pollers | undefined;
  /** @default - no calls are sent */
  readonly callers?: Callers | undefined;
  /**
   * What the last reconcile of the resource was based on. This reconcile records its own state here. @default -
   * everything is read
   */
  readonly reconciledState?: ReconciledState | undefined;
  /** Since when objects are held that are no longer desired. @default - no condition names them */
  readonly heldPrunes?: HeldPrunes | undefined;
  /** The owned objects that other clients deleted. @default - events do not tell who deleted an object */
  readonly foreignDeletions?: ForeignDeletions | undefined;
  /** What was reported about resources whose status belongs to others. @default - nothing */
  readonly reportedConditions?: ReportedConditions | undefined;
  /** Why the reconcile was requested, up to a limit. @default - causes are kept only for spans */
  readonly causes?: ReadonlySet<string> | undefined;
  /** Consecutive failed reconciles of the resource before this one. @default 0 */
  readonly failures?: number;
  /** The objects that were rendered before, by resource. @default - each reconcile renders */
  readonly renderCache?: RenderCache | undefined;
  /**
   * The number of reads of one reconcile that may find no inventory entry, before it leaves the rest to the next one.
   * @default 250
   */
  readonly maxMisses?: number | undefined;
}

/** What one reconcile of one resource carries. */
export interface ReconcileContext extends ControllerContext, CallOptions {
  readonly resource: CustomResource;
}

/** The input of one reconcile besides the cached objects. */
export interface Observation extends ControllerContext {
  /** The objects that the resource refers to. */
  readonly reads: Found;
  /** The answers of external sources. */
  readonly external: ExternalAnswers;
  /** The accepted spec that replaces a rejected one. @default - the spec of the resource */
  readonly accepted?: AcceptedSpec;
  /** What the controller reported last about the resource. */
  readonly reported: RuntimeStatus;
  /** Objects of the resource that cannot be kept whole. @default [] */
  readonly partial?: readonly PartialObject[];
}

/** An object that is nested too deep to be kept whole. The cache holds its metadata. */
export interface PartialObject extends Kept {
  readonly isOwned: boolean;
  readonly why: TooDeepError;
}

/** True if the resource was deleted during its reconcile. From then on, only the metadata of its objects is kept. */
export function isGone({
  controller,
  resource,
  stores,
}: Pick<ReconcileContext, 'controller' | 'resource' | 'stores'>): boolean {
  return !stores.holds(controller.kind, resource);
}
