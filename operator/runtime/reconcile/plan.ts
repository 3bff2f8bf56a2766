import type { Observation, ReconcileContext } from '../context/reconcile-context.js';
import { RejectedError } from '../kubernetes/errors.js';
import { isDeleting } from '../kubernetes/object.js';
import type { AcceptedSpec } from '../memory/last-accepted-specs.js';
import { ObservedDependencies } from '../memory/observed-dependencies.js';
import { supersession } from '../memory/observed-versions.js';
import { observe } from '../observe/observe.js';
import { observedFacts } from '../observe/observed-facts.js';
import { type Desired, renderOrReject } from '../rendering/render.js';
import { accept, keepLast, lastAcceptedOf } from '../status/controller-revisions.js';
import type { Result } from '../status/status-summary.js';

/** What a pass is to bring about. */
export interface Plan {
  /** Undefined when that is not known: everything stays as it is. */
  readonly desired: readonly Desired[] | undefined;
  /** Why the spec was rejected. */
  readonly rejected?: Result['rejected'];
  /** What the desired objects were rendered from. */
  readonly view: Observation;
  /** What `desire` looked at of it. */
  readonly sight: ObservedDependencies;
  /** Tells whether what `desire` looked at is another by now. */
  readonly isOutdone: () => boolean;
}

/**
 * What the spec wants; where it is rejected, what the last accepted one wants, so that what runs keeps running and is
 * mended.
 */
export async function planOf(applying: ReconcileContext, view: Observation): Promise<Plan> {
  const { owner } = applying;
  const { desired, sight } = view.telemetry.span(
    'desire',
    {},
    () => view.rendered?.of(owner, view) ?? rendered(applying, view),
  );
  const isOutdone = supersession(sight, applying);
  if (desired instanceof RejectedError) return { ...(await older(desired, { ...applying, sight }, view)), isOutdone };
  view.lastAccepted.note(owner);
  if (!isDeleting(owner)) await accept(applying, view.lastAccepted);
  return { desired, view, sight, isOutdone };
}

function rendered(
  { controller, owner }: ReconcileContext,
  view: Observation,
): { desired: Desired[] | RejectedError; sight: ObservedDependencies } {
  const sight = new ObservedDependencies();
  const desired = renderOrReject(controller, sight.of(observedFacts(owner, view)));
  if (!(desired instanceof RejectedError)) view.rendered?.keep(owner, { desired, sight }, view);
  return { desired, sight };
}

async function older(
  rejected: RejectedError,
  applying: ReconcileContext & { readonly sight: ObservedDependencies },
  view: Observation,
): Promise<Omit<Plan, 'isOutdone'>> {
  const { controller, owner, stores, signal, sight } = applying;
  const last = await lastAcceptedOf(applying, view.lastAccepted);
  if (last) {
    const before = await observe(owner, { ...view, accepted: last }, { signal });
    const desired = renderOrReject(controller, observedFacts(owner, before));
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
