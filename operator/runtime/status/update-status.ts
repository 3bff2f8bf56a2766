import { isGone, type Observation, type ReconcileContext } from '../context/reconcile-context.js';
import { blockerSummary } from '../controller/blocker.js';
import type { Assessment } from '../controller/controller.js';
import { type CustomResource, runtimeStatusOf } from '../controller/custom-resource.js';
import { UnjudgedError } from '../kubernetes/errors.js';
import { keyOf } from '../kubernetes/object.js';
import { immediateRecheck } from '../memory/observed-versions.js';
import type { Assessed } from '../memory/reconciled-state.js';
import { askedBy } from '../observe/external-answers.js';
import { recordEvent } from '../ports/event-recorder.js';
import type { Desired } from '../rendering/render.js';
import { assessed } from './assess.js';
import { conditionEvents } from './condition-events.js';
import { type Result, statusSummary } from './status-summary.js';
import { statusToWrite, writeStatus } from './write-status.js';

/**
 * Judges what is there now and says so.
 * @returns milliseconds after which to look again at the latest
 */
export async function updateStatus(
  applying: ReconcileContext,
  view: Observation,
  result: Result,
  desired?: readonly Desired[],
): Promise<number | undefined> {
  if (isGone(applying)) return undefined;
  const { controller, owner } = applying;
  const { ground, lastAccepted, stores } = view;
  const blocker = blockerSummary(result.blockers)?.ready.message;
  const judged = judgedOrRejected(
    () => assessed(owner, view, { accepted: !result.rejected, blocker, desired }),
    result,
  );
  const { assessment, now } = judged;
  const found = statusSummary(controller, assessment, result);
  const status = statusToWrite(controller, owner, { found, own: assessment.status ?? {}, now });
  if (status) {
    await view.telemetry.span('status', {}, () => writeStatus(status, applying));
    const before = runtimeStatusOf(owner).conditions ?? [];
    const news = [...(assessment.events ?? []), ...conditionEvents(controller, before, status.conditions ?? [])];
    for (const happening of news) recordEvent(happening, view, owner);
  }
  const again = recheck(assessment, result);
  const told = stores.of(controller.kind).get(keyOf(owner.metadata)) as CustomResource | undefined;
  if (!told) return again;
  lastAccepted.refresh(told);
  const asked = told === owner ? view.asked : askedBy(told, view);
  // What a rejected spec asks may be what it waits for.
  const { accepted: _, ...unmended } = view;
  const rejected = view.accepted && askedBy(told, unmended).askings;
  view.gathering?.follow(keyOf(told.metadata), asked.askings, rejected);
  // Whether a change of a status is news is asked of the judgement before: this one may have looked at more.
  if (ground && ground.versions(told, judged.sight) !== judged.versions) return earliest(again, immediateRecheck);
  const isSeen = judged.sight.includes(asked.sight);
  if (isSeen && again === undefined && !result.rejected) ground?.tell(told, judged);
  return again;
}

/** Where nobody can judge, that the spec is rejected is still what its author has to hear. */
function judgedOrRejected(judge: () => Assessed, { rejected }: Result): Assessed {
  try {
    return judge();
  } catch (error) {
    throw rejected ? new UnjudgedError(rejected, error) : error;
  }
}

function recheck({ requeueAfter }: Assessment, { blockers }: Result): number | undefined {
  return earliest(requeueAfter, ...blockers.map((blocker) => blocker.requeueAfter));
}

/** The first of these times, in milliseconds from now; those that are over do not count. */
export function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const ahead = times.filter((ms) => ms !== undefined).filter((ms) => ms > 0);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
}
