import type { Observation, ReconcileContext } from '../context/reconcile-context.js';
import { type CustomResource, runtimeStatusOf } from '../controller/custom-resource.js';
import { keyOf } from '../kubernetes/object.js';
import { immediateRecheck } from '../memory/observed-versions.js';
import { externalAnswersFor } from '../observe/external-answers.js';
import { recordEvent } from '../ports/event-recorder.js';
import type { AssessedResource } from './assess.js';
import { conditionEvents } from './condition-events.js';
import { statusToWrite, writeStatus } from './write-status.js';

/**
 * The last stage of a reconcile: writes the status if it differs, and records the events about changes.
 * @returns milliseconds until the next reconcile at the latest
 */
export async function updateStatus(
  context: ReconcileContext,
  { observation }: { readonly observation: Observation },
  assessed: AssessedResource,
): Promise<number | undefined> {
  const { controller, lastAcceptedSpecs, pollers, resource, stores, telemetry } = context;
  const { assessment, findings, now } = assessed;
  const status = statusToWrite(controller, resource, { found: findings, own: assessment.status ?? {}, now });
  if (status) {
    await telemetry.span('status', {}, () => writeStatus(status, context));
    const before = runtimeStatusOf(resource).conditions ?? [];
    const news = [...(assessment.events ?? []), ...conditionEvents(controller, before, status.conditions ?? [])];
    for (const event of news) recordEvent(event, context, resource);
  }
  const requeueAfter = requeueAfterOf(assessed);
  const written = stores.of(controller.kind).get(keyOf(resource.metadata)) as CustomResource | undefined;
  if (!written) return requeueAfter;
  lastAcceptedSpecs.refresh(written);
  const external = written === resource ? observation.external : externalAnswersFor(written, observation);
  // A rejected spec may wait for the answer to its own poll.
  const { accepted, ...unmended } = observation;
  const rejected = accepted && externalAnswersFor(written, unmended).requests;
  pollers?.follow(keyOf(written.metadata), external.requests, rejected);
  const isStale = !rememberAssessment(context, { ...assessed, written, asked: external.dependencies, requeueAfter });
  return isStale ? earliest(requeueAfter, immediateRecheck) : requeueAfter;
}

/** @returns false if something that `assess` read has changed since, so that it assessed an earlier state */
function rememberAssessment(
  { reconciledState }: ReconcileContext,
  {
    written,
    asked,
    requeueAfter,
    ...assessed
  }: AssessedResource & {
    readonly written: CustomResource;
    readonly asked: AssessedResource['dependencies'];
    readonly requeueAfter: number | undefined;
  },
): boolean {
  if (!reconciledState) return true;
  // The previous assessment decides whether a status change is news, because this one may have read more.
  if (reconciledState.versions(written, assessed.dependencies) !== assessed.versions) return false;
  const isSeen = assessed.dependencies.includes(asked);
  if (isSeen && requeueAfter === undefined && !assessed.result.rejected) reconciledState.tell(written, assessed);
  return true;
}

function requeueAfterOf({ assessment, result }: AssessedResource): number | undefined {
  return earliest(assessment.requeueAfter, ...result.blockers.map((blocker) => blocker.requeueAfter));
}

/** The earliest of these times, in milliseconds from now. Times in the past do not count. */
export function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const ahead = times.filter((ms) => ms !== undefined).filter((ms) => ms > 0);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
}
