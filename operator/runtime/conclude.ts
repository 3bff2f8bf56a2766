import type { Applying } from './apply.js';
import { askedBy } from './asked.js';
import { assessed } from './assessed.js';
import { type Assessment, type CustomResource, runtimeStatusOf } from './controller.js';
import { UnjudgedError } from './errors.js';
import { isGone } from './forget.js';
import type { Assessed } from './ground.js';
import { happenings } from './happenings.js';
import { keyOf } from './object.js';
import { obstructed } from './obstacle.js';
import { atOnce } from './outdone.js';
import type { Desired } from './render.js';
import { report, statusToWrite } from './report.js';
import { tell } from './tell.js';
import { type Result, verdict } from './verdict.js';
import type { View } from './workplace.js';

/**
 * Judges what is there now and says so.
 * @returns milliseconds after which to look again at the latest
 */
export async function conclude(
  applying: Applying,
  view: View,
  result: Result,
  desired?: readonly Desired[],
): Promise<number | undefined> {
  if (isGone(applying)) return undefined;
  const { controller, owner } = applying;
  const { ground, lastAccepted, stores } = view;
  const obstacle = obstructed(result.obstacles)?.ready.message;
  const judged = judgedOrRejected(
    () => assessed(owner, view, { accepted: !result.rejected, obstacle, desired }),
    result,
  );
  const { assessment, now } = judged;
  const found = verdict(controller, assessment, result);
  const status = statusToWrite(controller, owner, { found, own: assessment.status ?? {}, now });
  if (status) {
    await view.telemetry.span('report', {}, () => report(status, applying));
    const before = runtimeStatusOf(owner).conditions ?? [];
    const news = [...(assessment.events ?? []), ...happenings(controller, before, status.conditions ?? [])];
    for (const happening of news) tell(happening, view, owner);
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
  if (ground && ground.versions(told, judged.sight) !== judged.versions) return earliest(again, atOnce);
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

function recheck({ recheckAfter }: Assessment, { obstacles }: Result): number | undefined {
  return earliest(recheckAfter, ...obstacles.map((obstacle) => obstacle.recheckAfter));
}

/** The first of these times, in milliseconds from now; those that are over do not count. */
export function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const ahead = times.filter((ms) => ms !== undefined).filter((ms) => ms > 0);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
}
