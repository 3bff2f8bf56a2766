import type { Observation, ReconcileContext } from '../context/reconcile-context.js';
import { type CustomResource, runtimeStatusOf } from '../controller/custom-resource.js';
import { keyOf } from '../kubernetes/object.js';
import { immediateRecheck } from '../memory/observed-versions.js';
import { askedBy } from '../observe/external-answers.js';
import { recordEvent } from '../ports/event-recorder.js';
import type { Assessment } from './assess.js';
import { conditionEvents } from './condition-events.js';
import { statusToWrite, writeStatus } from './write-status.js';

/**
 * The last stage of a reconcile: writes the status if it says anything else, and records the events of what changed.
 * @returns milliseconds after which to reconcile again at the latest
 */
export async function updateStatus(
  context: ReconcileContext,
  { observation }: { readonly observation: Observation },
  assessed: Assessment,
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
  const external = written === resource ? observation.external : askedBy(written, observation);
  // What a rejected spec asks may be what it waits for.
  const { accepted, ...unmended } = observation;
  const rejected = accepted && askedBy(written, unmended).requests;
  pollers?.follow(keyOf(written.metadata), external.requests, rejected);
  const isStale = !rememberAssessment(context, { ...assessed, written, asked: external.dependencies, requeueAfter });
  return isStale ? earliest(requeueAfter, immediateRecheck) : requeueAfter;
}

/** @returns false when what `assess` looked at has changed since: it was asked of a state before */
function rememberAssessment(
  { reconciledState }: ReconcileContext,
  {
    written,
    asked,
    requeueAfter,
    ...assessed
  }: Assessment & {
    readonly written: CustomResource;
    readonly asked: Assessment['dependencies'];
    readonly requeueAfter: number | undefined;
  },
): boolean {
  if (!reconciledState) return true;
  // Whether a change of a status is news is asked of the judgement before: this one may have looked at more.
  if (reconciledState.versions(written, assessed.dependencies) !== assessed.versions) return false;
  const isSeen = assessed.dependencies.includes(asked);
  if (isSeen && requeueAfter === undefined && !assessed.result.rejected) reconciledState.tell(written, assessed);
  return true;
}

function requeueAfterOf({ assessment, result }: Assessment): number | undefined {
  return earliest(assessment.requeueAfter, ...result.blockers.map((blocker) => blocker.requeueAfter));
}

/** The first of these times, in milliseconds from now; those that are over do not count. */
export function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const ahead = times.filter((ms) => ms !== undefined).filter((ms) => ms > 0);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
}
