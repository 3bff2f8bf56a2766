import type { Applying } from './apply.js';
import { isDeleting } from './deletion.js';
import { RejectedError } from './errors.js';
import type { AcceptedSpec } from './last-accepted.js';
import { look } from './look.js';
import { outdone } from './outdone.js';
import { type Desired, renderOrReject } from './render.js';
import { accept, keepLast, lastAcceptedOf } from './revisions.js';
import { Sight } from './sight.js';
import type { Result } from './verdict.js';
import { viewOf } from './view.js';
import type { View } from './workplace.js';

/** What a pass is to bring about. */
export interface Plan {
  /** Undefined when that is not known: everything stays as it is. */
  readonly desired: readonly Desired[] | undefined;
  /** Why the spec was rejected. */
  readonly rejected?: Result['rejected'];
  /** What the desired objects were rendered from. */
  readonly view: View;
  /** What `desire` looked at of it. */
  readonly sight: Sight;
  /** Tells whether what `desire` looked at is another by now. */
  readonly isOutdone: () => boolean;
}

/**
 * What the spec wants; where it is rejected, what the last accepted one wants, so that what runs keeps running and is
 * mended.
 */
export async function planOf(applying: Applying, view: View): Promise<Plan> {
  const { owner } = applying;
  const { desired, sight } = view.telemetry.span(
    'desire',
    {},
    () => view.rendered?.of(owner, view) ?? rendered(applying, view),
  );
  const isOutdone = outdone(sight, applying);
  if (desired instanceof RejectedError) return { ...(await older(desired, { ...applying, sight }, view)), isOutdone };
  view.lastAccepted.note(owner);
  if (!isDeleting(owner)) await accept(applying, view.lastAccepted);
  return { desired, view, sight, isOutdone };
}

function rendered({ controller, owner }: Applying, view: View): { desired: Desired[] | RejectedError; sight: Sight } {
  const sight = new Sight();
  const desired = renderOrReject(controller, sight.of(look(owner, view)));
  if (!(desired instanceof RejectedError)) view.rendered?.keep(owner, { desired, sight }, view);
  return { desired, sight };
}

async function older(
  rejected: RejectedError,
  applying: Applying & { readonly sight: Sight },
  view: View,
): Promise<Omit<Plan, 'isOutdone'>> {
  const { controller, owner, stores, signal, sight } = applying;
  const last = await lastAcceptedOf(applying, view.lastAccepted);
  if (last) {
    const before = await viewOf(owner, { ...view, accepted: last }, { signal });
    const desired = renderOrReject(controller, look(owner, before));
    if (!isDeleting(owner)) await keepLast(applying, view.lastAccepted);
    if (!(desired instanceof RejectedError)) return { desired, rejected, view: before, sight };
  }
  const isAlone = stores.ownedBy(owner, controller).length === 0;
  return { desired: undefined, rejected: isAlone ? rejected : unmended(rejected, last), view, sight };
}

function unmended({ reason, message }: RejectedError, last: AcceptedSpec | undefined): Result['rejected'] {
  const why = last ? 'the spec that was accepted last cannot be carried out now' : 'no accepted spec is known';
  return { reason, message: `${message}; ${why}, so what runs is left as it is` };
}
