import type { Applying } from './apply.js';
import { conclude } from './conclude.js';
import { finalizerOf } from './inventory.js';
import type { Obstacle } from './obstacle.js';
import { viewOf } from './view.js';
import type { Workplace } from './workplace.js';

/** Milliseconds: whatever is done about it is told. */
const recheckAfter = 600_000;

/**
 * Says of a resource that is being deleted that a finalizer holds it which has its controller's name, though the controller
 * undoes nothing. An earlier version of the controller, or somebody, has put it on: what that was to undo only a person
 * can know, so it is not taken off.
 */
export async function sayHeld(applying: Applying, place: Workplace): Promise<number | undefined> {
  const { controller, owner, signal } = applying;
  const finalizer = finalizerOf(controller.name);
  if (!controller.leads || !owner.metadata.finalizers?.includes(finalizer)) return undefined;
  const message =
    `the finalizer ${finalizer} holds it, for which the controller has nothing to undo: an earlier version of it, or ` +
    'somebody, has put it on; see that nothing is left to undo, and take it off';
  const obstacle: Obstacle = { reason: 'FinalizerLeft', message, recheckAfter };
  return conclude(applying, await viewOf(owner, place, { signal }), { obstacles: [obstacle] });
}
