import type { Observation, ReconcileContext } from '../context/reconcile-context.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { untilExpired } from '../controller/expiry.js';
import { isExternal } from '../controller/finalization.js';
import { externalAnswersFor } from '../external/external-answers.js';
import { keyOf } from '../kubernetes/object.js';
import type { ObservedDependencies } from '../memory/observed-dependencies.js';
import { immediateRecheck } from '../memory/observed-versions.js';
import { observedFacts } from '../observe/observed-facts.js';
import { recordEvent } from '../ports/event-recorder.js';
import type { AssessedResource } from './assess.js';
import { conditionEvents } from './condition-events.js';
import { report } from './write-status.js';

/** What a reconcile went by. */
interface Planned {
  readonly observation: Observation;
  /** What `desire` read. @default - `desire` was not called */
  readonly dependencies?: ObservedDependencies | undefined;
}

/**
 * The last stage of a reconcile: writes the status if it differs, and records the events about changes.
 * @returns milliseconds until the next reconcile at the latest
 */
export async function updateStatus(
  context: ReconcileContext,
  { observation, dependencies }: Planned,
  assessed: AssessedResource,
): Promise<number | undefined> {
  const { clock, controller, lastAcceptedSpecs, pollers, resource, stores } = context;
  const { assessment, findings, now } = assessed;
  const before = observation.reported;
  const isPending = assessed.result.pause?.isPending;
  const status = await report(context, { found: findings, own: assessment.status, now, before, isPending });
  if (status) {
    const changes = conditionEvents(controller, before.conditions ?? [], status.conditions ?? []);
    const news = [...((!isPending && assessment.events) || []), ...changes];
    for (const event of news) recordEvent(event, context, resource);
  }
  const written = stores.of(controller.kind).get(keyOf(resource.metadata)) as CustomResource | undefined;
  if (!written) return requeueAfterOf(assessed);
  const requeueAfter = earliest(requeueAfterOf(assessed), untilExpired(controller, written, clock.now()));
  lastAcceptedSpecs.refresh(written);
  const answersFor = (observed: Observation) =>
    externalAnswersFor(written, observed, () => observedFacts(written, observed));
  const external = written === resource ? observation.external : answersFor(observation);
  // A rejected spec may wait for the answer to its own poll.
  const { accepted, ...unmended } = observation;
  const rejected = accepted && answersFor(unmended).requests;
  pollers?.follow(keyOf(written.metadata), external.requests, rejected);
  const isStale = !rememberAssessment(context, { ...assessed, written, asked: external.dependencies, requeueAfter });
  const isNews = isStatusNews(context, written, dependencies);
  return isStale || isNews ? earliest(requeueAfter, immediateRecheck) : requeueAfter;
}

/** The number of reconciles in a row that may change what they read of the status. A controller may never settle. */
const maxStatusChanges = 20;

/**
 * True if the reconcile has changed what it read of the status itself, so that the next one has a different result. No
 * event triggers that one, because own writes trigger none.
 */
function isStatusNews(
  { controller, reconciledState, resource, telemetry }: ReconcileContext,
  written: CustomResource,
  dependencies: ObservedDependencies | undefined,
): boolean {
  const isToBeHeld = isExternal(controller, resource) !== isExternal(controller, written);
  if (isToBeHeld) reconciledState?.unsettle();
  const isNews = isToBeHeld || (dependencies?.differIn(resource.status, written.status) ?? false);
  const changes = reconciledState?.noteStatusChange(isNews) ?? 0;
  if (changes === maxStatusChanges + 1) {
    const fields = { controller: controller.name, key: keyOf(resource.metadata) };
    telemetry.log.warn(fields, 'Status does not settle, waiting for the next resync');
  }
  return isNews && changes <= maxStatusChanges;
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
  return earliest(
    assessment.requeueAfter,
    result.prune?.requeueAfter,
    ...result.blockers.map((blocker) => blocker.requeueAfter),
  );
}

/** The earliest of these times, in milliseconds from now. Times in the past do not count. */
export function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const ahead = times.filter((ms) => ms !== undefined).filter((ms) => ms > 0);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
}
