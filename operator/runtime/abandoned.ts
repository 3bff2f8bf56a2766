import type { Applying } from './apply.js';
import { distantKinds } from './distant.js';
import { recordedBeside } from './recorded.js';
import { shortened } from './shortened.js';
import { tell } from './tell.js';

/** Names in a sentence for people. */
const most = 5;
/** Bytes of these: whoever may edit the resource can have written them. */
const longest = 600;

/**
 * Tells of what the inventory of a resource lists of kinds that its controller does not own any more, and that nobody takes
 * away therefore: the rights to do so went with the kind.
 */
export function tellAbandoned(applying: Applying): void {
  const { controller, owner } = applying;
  const all = recordedBeside(owner, distantKinds(controller));
  if (all.length === 0) return;
  const more = all.length > most ? ` and ${all.length - most} more` : '';
  const names = shortened(all.slice(0, most).join(', '), longest);
  const note = `left as they are, since ${controller.name} does not own such objects any more: ${names}${more}; delete what is not needed`;
  tell({ type: 'Warning', reason: 'LeftBehind', note }, applying, owner);
}
