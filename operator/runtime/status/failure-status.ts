import type { ReconcileContext } from '../context/reconcile-context.js';
import { conditionsOf, type Finding } from '../controller/conditions.js';
import type { Controller } from '../controller/controller.js';
import { type RuntimeStatus, runtimeStatusOf } from '../controller/custom-resource.js';
import { advice, untilOverdue } from '../controller/finalization.js';
import { contains } from '../fields/contains.js';
import { statusStrategy } from '../fields/merge-strategies.js';
import {
  isApiError,
  isHomeless,
  isNotServed,
  isObsolete,
  isRefusal,
  messageOf,
  stackOf,
  UnjudgedError,
} from '../kubernetes/errors.js';
import { timestampOf } from '../kubernetes/timestamp.js';
import type { ResourceEvent } from '../ports/event-recorder.js';
import { accepted, concluded, refusedBy } from './status-summary.js';
import { kept, writeStatus } from './write-status.js';

/** Failures in a row after which people are told: earlier ones mostly mend themselves. */
const worthTelling = 3;
/** The same where the last one met a newer state: among many changes the next look may meet one that is newer again. */
const worthTellingOfNews = 5;
/** The same where that is an end, of a namespace or of an object: it mostly comes, or is heard of, within the half minute that these take. */
const worthTellingOfEnds = 14;

/** True of a failure that nobody need hear of: it met a newer state, which the next look will see. */
export function isOnlyNews(error: unknown, failures: number): boolean {
  return isObsolete(error) && failures < patienceWith(error);
}

/** True when people should have heard of the failures in a row. */
export function isDue(error: unknown, failures: number): boolean {
  return failures >= patienceWith(error);
}

function patienceWith(error: unknown): number {
  if (!isObsolete(error)) return worthTelling;
  if (error instanceof AggregateError) return Math.max(...error.errors.map(patienceWith));
  return isApiError(error, 'NamespaceTerminating', 'NotFound') ? worthTellingOfEnds : worthTellingOfNews;
}

/**
 * Says in the status that a pass failed, without touching what the last good one found: how often in a row, and, when
 * the API server refused or it goes on, why.
 *
 * @param failures in a row, this one included
 */
export async function writeFailureStatus(
  error: unknown,
  failures: number,
  context: ReconcileContext,
  now: Date,
): Promise<void> {
  const status = statusOfFailure(error, failures, context, now);
  if (!contains(runtimeStatusOf(context.resource), status, statusStrategy)) await writeStatus(status, context);
}

/** What to tell people of failures in a row. */
export function failureEvent(error: unknown, failures: number): ResourceEvent {
  return {
    type: 'Warning',
    reason: 'ReconcileFailed',
    note: `${failures} reconciles in a row failed: ${explained(error)}`,
  };
}

/** For the log: of failures in a row the 1st, 2nd, 4th, 8th and so on. A stack for each try would bury all else there. */
export function stackWorthTelling(error: unknown, failures: number): string | undefined {
  return Number.isInteger(Math.log2(failures)) ? stackOf(error) : undefined;
}

function statusOfFailure(
  error: unknown,
  failures: number,
  { controller, resource }: ReconcileContext,
  now: Date,
): RuntimeStatus {
  const before = runtimeStatusOf(resource);
  const seconds = timestampOf(now);
  const status = { ...before, ...kept(controller, { retryCount: failures, lastReconciled: seconds }) };
  const refused = isRefusal(error);
  if (!refused && failures < worthTelling) return ours(status, controller);
  const isOverdue = (untilOverdue(controller, resource, now.getTime()) ?? 1) <= 0;
  const message = isOverdue ? `${explained(error)}; ${advice(resource)}` : explained(error);
  const [first = 'Ready'] = Object.keys(controller.conditions);
  const failing: Finding = {
    type: controller.isPrimary ? 'Ready' : first,
    ...(refused ? { status: 'False', reason: 'ApplyRejected' } : { status: 'Unknown', reason: 'ReconcileFailed' }),
    message,
  };
  const generation = resource.metadata.generation ?? 0;
  // What the server refuses was rendered: of the spec itself an older complaint is over.
  const spec = error instanceof UnjudgedError ? refusedBy(error.rejected) : refused ? accepted : undefined;
  const found = controller.isPrimary ? [...(spec ? [spec] : []), ...concluded(failing, refused)] : [failing];
  const over = new Set([...(controller.isPrimary ? ['Stalled', 'Reconciling'] : []), ...found.map(({ type }) => type)]);
  const left = (before.conditions ?? []).filter(({ type }) => !over.has(type));
  const judged = conditionsOf(found, before.conditions ?? [], { generation, now: seconds });
  const observed = refused ? { observedGeneration: generation } : {};
  return ours({ ...status, ...observed, conditions: [...left, ...judged] }, controller);
}

/** Without what others say, which a status write of ours must not claim. */
function ours(status: RuntimeStatus, { kind, share }: Controller): RuntimeStatus {
  const isOthers = (field: string) => !share.fields.has(field) && (kind.statusFields?.includes(field) ?? false);
  const fields = Object.entries(status).filter(([field]) => !isOthers(field));
  const conditions = (status.conditions ?? []).filter(({ type }) => share.conditions.has(type));
  return { ...Object.fromEntries(fields), conditions };
}

/** What the server said, and for what is in a person's hands what to do about it. */
function explained(error: unknown): string {
  return [messageOf(error), ...new Set(remedies(error))].join(': ');
}

function remedies(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(remedies);
  if (isApiError(error, 'Forbidden')) return ['grant the right or raise the quota'];
  if (isHomeless(error)) return [`make the namespace ${error.missing}, or name another one`];
  return isNotServed(error) ? ['install the definition of this kind, with this version'] : [];
}
