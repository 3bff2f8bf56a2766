import { randomUUID } from 'node:crypto';
import type { Condition } from '../../operator/runtime/controller/conditions.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import {
  acceptanceOf,
  type CustomResource,
  type RuntimeStatus,
  runtimeStatusOf,
} from '../../operator/runtime/controller/custom-resource.js';
import { runtimeConditions } from '../../operator/runtime/controller/owned-status.js';
import { isApiError, messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { keyOf } from '../../operator/runtime/kubernetes/object.js';
import { AppliedState } from '../../operator/runtime/memory/applied-state.js';
import { LastAcceptedSpecs } from '../../operator/runtime/memory/last-accepted-specs.js';
import { WriteGuard } from '../../operator/runtime/memory/write-guard.js';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { EventRecorder } from '../../operator/runtime/ports/event-recorder.js';
import { silent } from '../../operator/runtime/ports/telemetry.js';
import { isRelevant } from '../../operator/runtime/reconcile/predicates.js';
import { reconcile } from '../../operator/runtime/reconcile/reconcile.js';
import { failureOf } from '../controllers/author-errors.js';
import { withoutAnswers } from '../controllers/unanswered-ports.js';
import { cachesFor } from './caches.js';
import { type Change, DryRun } from './dry-run.js';
import type { Proposal } from './proposal.js';

/** What one controller would do about a resource. */
export interface DryReconcile {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  /** True where the spec is one that the controller does not act on. */
  readonly rejected: boolean;
  /** True where an object would stay other than it is wanted, until a person does something. */
  readonly blocked: boolean;
  /** False where it goes by what only the operator knows. */
  readonly known: boolean;
}

interface Around {
  readonly planned: Proposal;
  readonly cluster: Cluster;
}

/**
 * Makes one pass of a controller, in which every write is a dry run. Each sees the world as it is, not as the others would
 * make it. Where its wishes go by what only the operator knows, they are not guessed: a note says so.
 * @throws {Error} when the API server refuses a write, or cannot be asked
 */
export async function dryReconcile(controller: Controller, around: Around): Promise<DryReconcile> {
  try {
    return await tried(controller, around);
  } catch (error) {
    const why = ignorance(error, controller);
    if (why === undefined) throw isApiError(error) ? error : failureOf(controller, around.planned.resource, error);
    return {
      changes: [],
      notes: [`NotKnown: it cannot be told what controller ${controller.name} would change: ${why}`],
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
  if (!controller.isPrimary && !isRelevant(resource, { controller, stores }))
    return { changes: [], notes: [], rejected: false, blocked: false, known: true };
  const clock = systemClock;
  const recorder = new EventRecorder({ cluster: run.cluster, clock, telemetry: silent, instance: randomUUID() });
  const memory = {
    appliedState: new AppliedState(),
    writeGuard: new WriteGuard(clock),
    lastAcceptedSpecs: new LastAcceptedSpecs(),
  };
  if (live && isAccepted(live)) memory.lastAcceptedSpecs.note(live); // as the operator that runs has
  const asker = withoutAnswers(controller, (port) => {
    throw new Unanswered(`it goes by ${port}, which the operator alone asks for`);
  });
  const place = {
    ...{ controller: asker, cluster: run.cluster, stores, ...memory, recorder, telemetry: silent, clock },
    maxMisses: Number.POSITIVE_INFINITY, // no pass comes after this one
  };
  await reconcile(keyOf(resource.metadata), place, new AbortController().signal);
  // A pass that writes no status has nothing else to say than what is there, of which the one that leads says what counts here.
  const status: RuntimeStatus = run.status ?? (controller.isPrimary ? runtimeStatusOf(resource) : {});
  const { generation = 0 } = resource.metadata;
  const current = (status.conditions ?? []).filter(({ observedGeneration = 0 }) => observedGeneration === generation);
  const rejected = current.some(({ type, status }) => type === 'Accepted' && status === 'False');
  const blocked = current.some(
    ({ type, status }) => status === 'True' && (type === 'Blocked' || type === 'Conflicted'),
  );
  return { changes: run.changes, notes: notesIn(controller, current), rejected, blocked, known: true };
}

function isAccepted(resource: CustomResource): boolean {
  const accepted = acceptanceOf(resource);
  return accepted?.status === 'True' && accepted.observedGeneration === resource.metadata.generation;
}

/** Thrown by a `desire` that looks at what nobody answers here. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** Why it is not known what a controller would do; undefined of what is no such reason. */
function ignorance(error: unknown, { isPrimary }: Controller): string | undefined {
  // Who may look at a resource and its objects need not be allowed to look at all that its further controllers do.
  const isForbidden = !isPrimary && isApiError(error, 'Forbidden');
  const unanswered = error instanceof Error && error.cause instanceof Unanswered ? error.cause : undefined;
  return unanswered || isForbidden ? messageOf(unanswered ?? error) : undefined;
}

/** What the runtime itself has to say against it; what the controller finds depends on what would come later. */
function notesIn(controller: Controller, conditions: readonly Condition[]): readonly string[] {
  const own = new Set(Object.values(controller.conditions).flatMap((reasons) => Object.keys(reasons)));
  const bad = conditions.filter(({ type, status, reason }) => {
    if (!runtimeConditions.includes(type) || type === 'Ready' || own.has(reason)) return false;
    return status === (type === 'Accepted' ? 'False' : 'True');
  });
  return [...new Set(bad.map(({ reason, message }) => `${reason}: ${message}`))];
}
