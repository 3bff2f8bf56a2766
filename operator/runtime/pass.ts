import { type Applying, apply } from './apply.js';
import { authored } from './authored.js';
import { assertWhole, complete } from './complete.js';
import { conclude } from './conclude.js';
import type { CustomResource } from './controller.js';
import { deletingPass } from './deleting-pass.js';
import { isDeleting } from './deletion.js';
import { resourceIn, settleDoubts } from './doubts.js';
import { hasFinalizer } from './finalizer.js';
import { isGone } from './forget.js';
import { hold, loosen } from './hold.js';
import { isLeft, sayHeld } from './left-finalizer.js';
import { atOnce } from './outdone.js';
import { isPartial } from './partial.js';
import { planOf } from './plan.js';
import { tidy } from './undo.js';
import { viewOf } from './view.js';
import type { Workplace } from './workplace.js';

/**
 * Looks at one resource and brings the world one step nearer to it: look, desire, apply, assess, report.
 *
 * Level-based: it depends on what is there, not on what happened, so a pass that was cut anywhere is made good by the
 * next one, and a pass with nothing to do sends nothing.
 * @returns milliseconds after which to look again at the latest, if the controller wants that
 */
export async function pass(key: string, place: Workplace, signal: AbortSignal): Promise<number | undefined> {
  const { controller, stores } = place;
  const resource = stores.of(controller.kind).get(key) as CustomResource | undefined;
  if (!resource) {
    stores.doubts.forget(resourceIn(controller.name, key));
    return undefined; // gone; what it owned goes by owner reference
  }
  const applying: Applying = { ...place, owner: resource, signal };
  const deleting = isDeleting(resource);
  const isHeld = hasFinalizer(resource, controller);
  if (deleting && !isHeld && !isLeft(applying)) return undefined; // the garbage collector's business
  if (deleting && isHeld) return deletingPass(applying, place);
  await settleDoubts(applying);
  const parts = await complete(applying);
  if (deleting) return sayHeld(applying, place, parts);

  if (!isPartial(resource)) authored(controller.name, 'concerns', () => controller.concerns?.(resource));
  const { span } = place.telemetry;
  const view = await span('look', {}, () => viewOf(resource, place, { signal }));
  if (isGone(applying)) return undefined;
  const { ground } = place;
  if (ground?.isSettled(resource)) return conclude(applying, view, { obstacles: [] });

  const { desired, rejected, view: seen, sight, isOutdone } = await planOf(applying, view);
  assertWhole(parts, desired);
  if (!desired) return conclude(applying, seen, { rejected, obstacles: [] });

  const inventory = await hold(desired, applying);
  const obstacles = await apply(desired, applying);
  if (obstacles.length === 0) {
    const left = await tidy(inventory, desired, applying);
    await loosen(inventory, { desired, left }, applying);
    if (left.length === 0 && !rejected && !isOutdone()) ground?.settle(resource, { sight, size: desired.length });
  }
  const again = await conclude(applying, seen, { rejected, obstacles }, desired);
  return isOutdone() ? atOnce : again;
}
