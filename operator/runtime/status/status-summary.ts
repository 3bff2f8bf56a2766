import { type Blocker, blockerSummary } from '../controller/blocker.js';
import { type Finding, findings, readiness } from '../controller/conditions.js';
import type { Assessment, Controller } from '../controller/controller.js';
import { runtimeReasons } from './runtime-reasons.js';

/** What a reconcile says about objects that it holds. */
export interface HeldPrune {
  /** The condition, if they have been held for long. */
  readonly finding?: Finding;
  /** Milliseconds until there is such a condition. */
  readonly requeueAfter?: number;
}

/** What is said about the annotation that pauses a resource. */
export interface Pause {
  /** The condition. */
  readonly finding: Finding;
  /** True if something of the resource is not as it is desired, and is not changed. */
  readonly isPending: boolean;
}

/** The result of a reconcile, besides the findings of the controller. */
export interface Result {
  /** Why the spec was rejected. */
  readonly rejected?: { readonly reason: string; readonly message: string } | undefined;
  /** Objects that were left unchanged. */
  readonly blockers: readonly Blocker[];
  /** For a resource that is being deleted: what its deletion waits for. */
  readonly departing?: string;
  /** What is said about objects that are no longer desired and stay. */
  readonly prune?: HeldPrune;
  /** What is said about a pause. */
  readonly pause?: Pause;
}

/** All findings of a reconcile, in the order of the status. */
export function statusSummary(controller: Controller, { conditions }: Assessment, result: Result): Finding[] {
  const { rejected, blockers, departing, prune, pause } = result;
  const more = [...(prune?.finding ? [prune.finding] : []), ...(pause ? [pause.finding] : [])];
  const own = findings(controller.conditions, conditions);
  if (!controller.isPrimary) return withRejection(controller, own, blockers);
  const found = [rejected ? refusedBy(rejected) : accepted, ...own];
  const { informationalConditions, optionalConditions } = controller;
  const isReported = (wanted: string) => own.some(({ type }) => type === wanted);
  const counted = Object.keys(controller.conditions).filter(
    (type) => !informationalConditions.includes(type) && (!optionalConditions.includes(type) || isReported(type)),
  );

  const stop = blockerSummary(blockers);
  if (stop) return [...found, ...concluded(stop.ready, stop.stalled), ...stop.conditions, ...more];
  const met = readiness(['Accepted', ...counted], found);
  const halted = pause?.isPending && !rejected ? pause.finding : undefined;
  const kept = halted ? waiting(halted, met) : met;
  const ready = departing === undefined || rejected ? kept : deleting(departing, met);
  const pending = halted ?? own.find(({ type, status }) => counted.includes(type) && status === 'Unknown');
  return [...found, ...concluded(ready, rejected !== undefined, pending), ...more];
}

/** Only the primary controller has `Ready`, so the first condition of another one reports a rejected write. */
function withRejection(controller: Controller, own: Finding[], blockers: readonly Blocker[]): Finding[] {
  const summary = blockerSummary(blockers.filter(({ reason }) => reason === 'ApplyRejected'));
  const [type] = Object.keys(controller.conditions);
  if (!summary || type === undefined) return own;
  return [{ ...summary.ready, type }, ...own.filter((one) => one.type !== type)];
}

/** The condition of an accepted spec. */
export const accepted: Finding = {
  type: 'Accepted',
  status: 'True',
  reason: 'Valid',
  message: runtimeReasons.Accepted.Valid[1],
};

/** A resource that is not as it is desired is not ready. What is wrong with its objects is more urgent. */
function waiting({ reason, message }: Finding, met: Finding): Finding {
  return met.status === 'False' ? met : { type: 'Ready', status: 'Unknown', reason, message };
}

/**
 * A resource that is being deleted is not ready, however well it still works. Something may be missing because it was
 * already cleaned up.
 */
function deleting(departing: string, { status, message: worst }: Finding): Finding {
  const message = status === 'False' ? `${departing}; ${worst}` : departing;
  return { type: 'Ready', status: 'Unknown', reason: 'Terminating', message };
}

/** Field by field: spreading an Error would copy its name and lose its message. */
export function refusedBy({ reason, message }: { reason: string; message: string }): Finding {
  return { type: 'Accepted', status: 'False', reason, message };
}

/**
 * `Ready`, and the conditions that tell generic tools whether to wait or to report an error.
 * @param pending a condition in progress, while another one is already bad
 * @see https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md
 */
export function concluded(ready: Finding, stalled: boolean, pending?: Finding): Finding[] {
  const { reason, message } = ready;
  if (stalled) return [ready, { type: 'Stalled', status: 'True', reason, message }];
  const waiting = ready.status === 'Unknown' ? ready : pending;
  if (!waiting) return [ready];
  return [ready, { type: 'Reconciling', status: 'True', reason: waiting.reason, message: waiting.message }];
}
