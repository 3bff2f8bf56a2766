import type { ReconcileContext } from '../context/reconcile-context.js';
import { conditionsOf, type Finding } from '../controller/conditions.js';
import type { Controller } from '../controller/controller.js';
import type { RuntimeStatus } from '../controller/custom-resource.js';
import { advice, untilOverdue } from '../controller/finalization.js';
import { pausedCondition, reportsElsewhere } from '../controller/owned-status.js';
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
import { isPaused } from '../kubernetes/pause.js';
import { refusalAdvice } from '../kubernetes/refusal-advice.js';
import { timestampOf } from '../kubernetes/timestamp.js';
import { reportOf } from '../observe/observe.js';
import { type ResourceEvent, recordEvent } from '../ports/event-recorder.js';
import { pauseEvents } from './condition-events.js';
import { accepted, concluded, refusedBy } from './status-summary.js';
import { kept, writeStatus } from './write-status.js';

/** The number of consecutive failures after which an event is recorded. Earlier ones usually resolve themselves. */
const worthTelling = 3;
/**
 * The same if the last failure met a newer state. If there are many changes, the next reconcile may meet an even newer
 * one.
 */
const worthTellingOfNews = 5;
/**
 * The same if the newer state is a deletion of a namespace or an object. It usually completes or is reported within
 * half a minute, which these tries take.
 */
const worthTellingOfEnds = 14;

/** True for a failure that need not be reported: it met a newer state that the next reconcile will see. */
export function isOnlyNews(error: unknown, failures: number): boolean {
  return isObsolete(error) && failures < patienceWith(error);
}

/** True if the consecutive failures are due for an event. */
export function isDue(error: unknown, failures: number): boolean {
  return failures >= patienceWith(error);
}

function patienceWith(error: unknown): number {
  if (!isObsolete(error)) return worthTelling;
  if (error instanceof AggregateError) return Math.max(...error.errors.map(patienceWith));
  return isApiError(error, 'NamespaceTerminating', 'NotFound') ? worthTellingOfEnds : worthTellingOfNews;
}

/**
 * Reports in the status that a reconcile failed, without changing the findings of the last successful one: the number
 * of consecutive failures, and the cause if the API server rejected the request or the failure persists.
 *
 * @param failures in a row, including this one
 */
export async function writeFailureStatus(
  error: unknown,
  failures: number,
  context: ReconcileContext,
  now: Date,
): Promise<void> {
  const status = statusOfFailure(error, failures, context, now);
  const before = reportOf(context);
  if (contains(before, status, statusStrategy)) return;
  await writeStatus(status, context);
  if (!context.controller.isPrimary) return;
  const ended = pauseEvents(before.conditions ?? [], status.conditions ?? []);
  for (const event of ended) recordEvent(event, context, context.resource);
}

/** The event about consecutive failures. */
export function failureEvent(error: unknown, failures: number): ResourceEvent {
  return {
    type: 'Warning',
    reason: 'ReconcileFailed',
    note: `${failures} reconciles in a row failed: ${explained(error)}`,
  };
}

/**
 * The stack for the log: only for the 1st, 2nd, 4th, 8th consecutive failure and so on. A stack for each try would hide
 * everything else.
 */
export function stackWorthTelling(error: unknown, failures: number): string | undefined {
  return Number.isInteger(Math.log2(failures)) ? stackOf(error) : undefined;
}

function statusOfFailure(error: unknown, failures: number, context: ReconcileContext, now: Date): RuntimeStatus {
  const { controller, resource } = context;
  const before = reportOf(context);
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
  // A manifest that the server rejects was rendered, so an earlier rejection of the spec is over.
  const spec = error instanceof UnjudgedError ? refusedBy(error.rejected) : refused ? accepted : undefined;
  const found = controller.isPrimary ? [...(spec ? [spec] : []), ...concluded(failing, refused)] : [failing];
  const summaries = controller.isPrimary ? ['Stalled', 'Reconciling'] : [];
  const ended = isPaused(resource) ? [] : [pausedCondition];
  const over = new Set([...summaries, ...ended, ...found.map(({ type }) => type)]);
  const left = (before.conditions ?? []).filter(({ type }) => !over.has(type));
  const judged = conditionsOf(found, before.conditions ?? [], { generation, now: seconds });
  // Of a paused resource nothing is applied, whatever was refused.
  const isApplied = refused && !isPaused(resource) && !reportsElsewhere(controller);
  const observed = isApplied ? { observedGeneration: generation } : {};
  return ours({ ...status, ...observed, conditions: [...left, ...judged] }, controller);
}

/** Without the fields and conditions of others, which our status write must not claim. */
function ours(status: RuntimeStatus, { kind, ownedStatus }: Controller): RuntimeStatus {
  const isOthers = (field: string) => !ownedStatus.fields.has(field) && (kind.statusFields?.includes(field) ?? false);
  const fields = Object.entries(status).filter(([field]) => !isOthers(field));
  const conditions = (status.conditions ?? []).filter(({ type }) => ownedStatus.conditions.has(type));
  return { ...Object.fromEntries(fields), conditions };
}

/** The message of the error, with what a person can do about it. */
function explained(error: unknown): string {
  return [messageOf(error), ...new Set(remedies(error))].join(': ');
}

function remedies(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(remedies);
  if (isHomeless(error)) return [`create the namespace ${error.missing}, or use another one`];
  if (isNotServed(error)) return ['install the CRD of this kind in this version'];
  const advice = isApiError(error) ? refusalAdvice(error) : undefined;
  return advice === undefined ? [] : [advice];
}
