import type { Asked } from './asked.js';
import type { Clock } from './clock.js';
import type { Cluster } from './cluster.js';
import type { Controller } from './controller.js';
import type { Recorder } from './events.js';
import type { Gathering } from './gathering.js';
import type { Ground } from './ground.js';
import type { AcceptedSpec, LastAccepted } from './last-accepted.js';
import type { Found } from './reads.js';
import type { Rendered } from './rendered.js';
import type { Restraint } from './restraint.js';
import type { Settled } from './settled.js';
import type { Stores } from './stores.js';
import type { Telemetry } from './telemetry.js';

/** What the passes of one controller share. */
export interface Workplace {
  readonly controller: Controller;
  readonly cluster: Cluster;
  readonly stores: Stores;
  readonly settled: Settled;
  readonly restraint: Restraint;
  readonly lastAccepted: LastAccepted;
  readonly recorder: Recorder;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  /** @default - nobody is asked anything */
  readonly gathering?: Gathering | undefined;
  /** What the last pass over the resource went by, and where this one notes its own. @default - everything is looked at */
  readonly ground?: Ground | undefined;
  /** Passes over the resource that have failed in a row before this one. @default 0 */
  readonly failures?: number;
  /** What was rendered of each resource before. @default - nothing: each pass renders */
  readonly rendered?: Rendered | undefined;
  /** Reads of one pass that may find nothing of what an inventory lists, before it leaves the rest to the next one. @default 250 */
  readonly readsInVain?: number | undefined;
}

/** A workplace, what one resource refers to, and what it asks. */
export interface View extends Workplace {
  readonly reads: Found;
  readonly asked: Asked;
  /** What is looked at instead of the spec, which is rejected. @default - the spec */
  readonly accepted?: AcceptedSpec;
}
