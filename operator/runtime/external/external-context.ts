import type { Stores } from '../cache/stores.js';
import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import type { Clock } from '../ports/clock.js';
import type { CallOptions, Cluster } from '../ports/cluster.js';
import type { EventRecorder } from '../ports/event-recorder.js';
import type { Telemetry } from '../ports/telemetry.js';
import type { Callers } from './callers.js';
import type { Pollers } from './pollers.js';

/** What the polls and the calls of one resource need of its reconcile. */
export interface ExternalContext extends CallOptions {
  readonly controller: Controller;
  readonly resource: CustomResource;
  readonly cluster: Cluster;
  readonly stores: Stores;
  readonly recorder: EventRecorder;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  /** @default - nothing is polled */
  readonly pollers?: Pollers | undefined;
  /** @default - no calls are sent */
  readonly callers?: Callers | undefined;
}
