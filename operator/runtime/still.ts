import { nothingAsked } from './asked.js';
import { assessed } from './assessed.js';
import { isSame } from './content.js';
import type { CustomResource } from './controller.js';
import { isDeleting } from './deletion.js';
import { resourceIn } from './doubts.js';
import type { Assessed, Ground } from './ground.js';
import { keyOf } from './object.js';
import { nothingRead } from './read.js';
import type { Workplace } from './workplace.js';

/**
 * Whether a pass would find nothing new: what is desired is there, and of how far it got there is nothing to say that the
 * status does not say. Of the many changes of status of which every rollout is full that is true of nearly all, so it is
 * found out at once, without what a pass that may write takes.
 */
export function isStill(resource: CustomResource, place: Workplace & { readonly ground: Ground }): boolean {
  const { controller, ground, stores } = place;
  const told = ground.told(resource);
  if (!told || isDeleting(resource) || !ground.isSettled(resource)) return false;
  if (told.versions === ground.versions(resource, told.sight)) return true;
  // What it refers to or gathers may have to be asked for, and what is in doubt has to be.
  const asks = Object.keys({ ...controller.reads, ...controller.gather }).length > 0;
  if (asks || stores.doubts.of(resourceIn(controller.name, keyOf(resource.metadata))).length > 0) return false;
  const found = judged(resource, place);
  if (!found || !isSame(found.assessment, told.assessment)) return false;
  ground.tell(resource, found);
  return true;
}

function judged(resource: CustomResource, place: Workplace): Assessed | undefined {
  try {
    return assessed(resource, { ...place, reads: nothingRead, asked: nothingAsked }, { accepted: true });
  } catch {
    return undefined; // the pass will meet the same, and tell
  }
}
