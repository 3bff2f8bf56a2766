import type { TrainingJobStatus } from '../../../imports/index.js';
import { trainingRevision } from '../../../src/index.js';
import { PersistentVolumeClaim, pollFailureOf, pollValueOf } from '../../runtime/index.js';
import type { LoggedJob } from './faults/log-faults.js';
import type { GangState } from './gang/elastic.js';
import type { QuotaJob } from './gang/quota.js';
import { quotaStateOf } from './gang/quota-state.js';
import { type Memory, memoryOf } from './job/memory.js';
import { type TrainingView, workersOf } from './view.js';
import { missingObjectIn } from './workers/missing-object.js';
import { type MountedClaim, mountedClaimsIn } from './workers/mounted-claims.js';

/** The observed and desired state of a TrainingJob. */
export interface Situation extends GangState, LoggedJob, QuotaJob {
  /** Whether all workers mount the volume of the checkpoints. @default false - only the one with the index 0 */
  readonly sharesVolume?: boolean | undefined;
  /** Those that exist. @default [] */
  readonly claims?: readonly MountedClaim[] | undefined;
}

/** Derives the situation from what is observed. */
export function situationOf(view: TrainingView & { readonly blocker?: string | undefined }): Situation {
  const { resource, polled, now } = view;
  const { metadata, spec } = resource;
  const { name, namespace = '', uid } = metadata;
  const room = polled.capacity;
  return {
    ...{ name, namespace, spec, now: now.getTime() },
    revision: trainingRevision({ name, namespace, uid, spec }),
    workers: workersOf(view),
    memory: memoryOf(resource),
    report: pollValueOf(polled.coordinator),
    room: pollValueOf(room),
    logs: pollValueOf(polled.logs),
    sharesVolume: view.reads.isShared,
    missingObject: missingObjectIn(view),
    quota: quotaStateOf(view),
    claims: mountedClaimsIn(view, view.owned.of(PersistentVolumeClaim)),
    wasTraining: resource.status?.phase === 'Running',
    roomUnknownSince: room && !room.known && pollFailureOf(room) !== undefined ? room.since : undefined,
  };
}

/** What is known after a reconcile. */
export interface Next {
  readonly memory: Memory;
  readonly phase: NonNullable<TrainingJobStatus['phase']>;
}
