import { randomUUID } from 'node:crypto';
import type { Condition } from '../../operator/runtime/controller/conditions.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import {
  acceptanceOf,
  type CustomResource,
  type RuntimeStatus,
} from '../../operator/runtime/controller/custom-resource.js';
import { reportIn, reportsElsewhere, runtimeConditions } from '../../operator/runtime/controller/owned-status.js';
import { isApiError, messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { keyOf } from '../../operator/runtime/kubernetes/object.js';
import { AppliedState } from '../../operator/runtime/memory/applied-state.js';
import { LastAcceptedSpecs } from '../../operator/runtime/memory/last-accepted-specs.js';
import { ReportedConditions } from '../../operator/runtime/memory/reported-conditions.js';
import { WriteGuard } from '../../operator/runtime/memory/write-guard.js';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { EventRecorder } from '../../operator/runtime/ports/event-recorder.js';
import { silent, type Telemetry } from '../../operator/runtime/ports/telemetry.js';
import { isRelevant } from '../../operator/runtime/reconcile/predicates.js';
import { reconcile } from '../../operator/runtime/reconcile/reconcile.js';
import { failureOf } from '../controllers/author-errors.js';
import { withoutAnswers } from '../controllers/unanswered-ports.js';
import { cachesFor } from './caches.js';
import { type Change, DryRun } from './dry-run.js';
import type { Proposal } from './proposal.js';

/** The changes that one controller would make for a resource. */
export interface DryReconcile {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  /** True if the controller rejects the spec. */
  readonly rejected: boolean;
  /** True if an object would differ from the desired state until a user acts. */
  readonly blocked: boolean;
  /** False if the changes depend on data that only the running operator has. */
  readonly known: boolean;
}

interface Around {
  readonly planned: Proposal;
  readonly cluster: Cluster;
}

/**
 * Runs one reconcile of a controller in which every write is a dry run. The controller sees the current state, without
 * the changes of other controllers. If its desired state depends on data that only the running operator has, a note
 * reports that.
 * @throws {Error} if the API server rejects a write or does not answer
 */
export async function dryReconcile(controller: Controller, around: Around): Promise<DryReconcile> {
  try {
    return await tried(controller, around);
  } catch (error) {
    const why = ignorance(error, controller);
    if (why === undefined) throw isApiError(error) ? error : failureOf(controller, around.planned.resource, error);
    return {
      changes: [],
      notes: [`NotKnown: the changes of controller ${controller.name} are unknown: ${why}`],
      rejected: false,
      blocked: false,
      known: false,
    };
  }
}

async function tried(controller: Controller, { planned, cluster }: Around): Promise<DryReconcile> {
  const { resource, exists, live } = planned;
  const run = new DryRun(cluster, exists ? undefined : resource);
  if (exists) run.saw(controller.kind, live ?? resource);
  const stores = await cachesFor({ controller, resource }, run.cluster);
  if (!isRelevant(resource, { controller, stores }))
    return { changes: [], notes: [], rejected: false, blocked: false, known: true };
  const clock = systemClock;
  const recorder = new EventRecorder({ cluster: run.cluster, clock, telemetry: silent, instance: randomUUID() });
  const memory = {
    appliedState: new AppliedState(),
    writeGuard: new WriteGuard(clock),
    lastAcceptedSpecs: new LastAcceptedSpecs(),
    reportedConditions: new ReportedConditions(),
  };
  if (live && !reportsElsewhere(controller) && isAccepted(live)) memory.lastAcceptedSpecs.note(live); // like in the running operator
  const asker = withoutAnswers(controller, (port) => {
    throw new Unanswered(`they depend on ${port}, which only the running operator polls`);
  });
  const calls: string[] = [];
  const place = {
    ...{ controller: asker, cluster: run.cluster, stores, ...memory, recorder, telemetry: hearingCalls(calls), clock },
    maxMisses: Number.POSITIVE_INFINITY, // no reconcile follows this one
  };
  await reconcile(keyOf(resource.metadata), place, new AbortController().signal);
  // A reconcile that writes no status leaves the existing one, of which the conditions of the primary controller count.
  const reported = memory.reportedConditions.of(resource.metadata.uid);
  const status: RuntimeStatus =
    run.status ??
    (reported.length > 0 ? { conditions: reported } : controller.isPrimary ? reportIn(controller, resource) : {});
  const { generation = 0 } = resource.metadata;
  const current = (status.conditions ?? []).filter(({ observedGeneration = 0 }) => observedGeneration === generation);
  const rejected = current.some(({ type, status }) => type === 'Accepted' && status === 'False');
  const blocked = current.some(
    ({ type, status }) => status === 'True' && (type === 'Blocked' || type === 'Conflicted'),
  );
  return { changes: run.changes, notes: [...notesIn(controller, current), ...calls], rejected, blocked, known: true };
}

/** Collects the external calls that the operator would send. */
function hearingCalls(calls: string[]): Telemetry {
  const info = (fields: object) => {
    const { call, port, request } = fields as Readonly<Record<string, string>>;
    if (call !== undefined) calls.push(`ExternalCall: would send ${call} of ${port}: ${request}`);
  };
  return { ...silent, log: { ...silent.log, info } };
}

function isAccepted(resource: CustomResource): boolean {
  const accepted = acceptanceOf(resource);
  return accepted?.status === 'True' && accepted.observedGeneration === resource.metadata.generation;
}

/** Thrown when `desire` reads a polled answer, which does not exist here. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** Why the changes of a controller are unknown; undefined for any other error. */
function ignorance(error: unknown, { isPrimary }: Controller): string | undefined {
  // A user who may read a resource and its objects may lack permission to read all that its other controllers read.
  const isForbidden = !isPrimary && isApiError(error, 'Forbidden');
  const unanswered = error instanceof Error && error.cause instanceof Unanswered ? error.cause : undefined;
  return unanswered || isForbidden ? messageOf(unanswered ?? error) : undefined;
}

/** The problems that the runtime reports. Conditions of the controller are omitted: they depend on later events. */
function notesIn(controller: Controller, conditions: readonly Condition[]): readonly string[] {
  const own = new Set(Object.values(controller.conditions).flatMap((reasons) => Object.keys(reasons)));
  const bad = conditions.filter(({ type, status, reason }) => {
    if (!runtimeConditions.includes(type) || type === 'Ready' || own.has(reason)) return false;
    return status === (type === 'Accepted' ? 'False' : 'True');
  });
  return [...new Set(bad.map(({ reason, message }) => `${reason}: ${message}`))];
}
