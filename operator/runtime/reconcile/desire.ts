import { searchIn } from '../apply/pod-owner-changes.js';
import type { Observation, ReconcileContext } from '../context/reconcile-context.js';
import { callUserCode } from '../controller/user-code.js';
import { RejectedError } from '../kubernetes/errors.js';
import { isDeleting } from '../kubernetes/object.js';
import type { AcceptedSpec } from '../memory/last-accepted-specs.js';
import { ObservedDependencies } from '../memory/observed-dependencies.js';
import { supersession } from '../memory/observed-versions.js';
import { observeSpec } from '../observe/observe.js';
import { observedFacts } from '../observe/observed-facts.js';
import { assertWhole } from '../observe/partial-objects.js';
import { withPodOwners } from '../ownership/pod-owner.js';
import { type Desired, renderOrReject } from '../rendering/render.js';
import { accept, keepLast, lastAcceptedOf } from '../status/controller-revisions.js';
import type { Result } from '../status/status-summary.js';

/** What a reconcile is to achieve. */
export interface Plan {
  /** Undefined if nothing changes: everything is as desired already, or the desired state is not known. */
  readonly desired: readonly Desired[] | undefined;
  /** Why the spec was rejected. */
  readonly rejected?: Result['rejected'];
  /** The observation from which the desired objects were rendered. */
  readonly observation: Observation;
  /** The facts that `desire` read. */
  readonly dependencies: ObservedDependencies;
  /** Reports whether facts that `desire` read have changed since. */
  readonly isSuperseded: () => boolean;
}

type Rendered = Pick<Plan, 'dependencies'> & { readonly desired: Desired[] | RejectedError };

/**
 * The second stage of a reconcile: renders the objects that the spec describes. If the spec is rejected, the last
 * accepted spec is rendered, so that its objects keep running and are repaired.
 */
export async function desire(context: ReconcileContext, observation: Observation): Promise<Plan> {
  const { controller, lastAcceptedSpecs, reconciledState, renderCache, resource, telemetry } = context;
  const deleting = isDeleting(resource);
  if (!deleting && reconciledState?.isSettled(resource)) return unchanged(observation, reconciledState.dependencies);
  if (!deleting) callUserCode(controller.name, 'secondaryFor', () => controller.secondaryFor?.(resource));
  const rendered = telemetry.span(
    'desire',
    {},
    () => renderCache?.of(resource, observation) ?? render(context, observation),
  );
  const { desired, dependencies } = rendered;
  const isSuperseded = supersession(dependencies, context);
  const isRejected = desired instanceof RejectedError;
  const plan = isRejected
    ? await fromLastAccepted({ desired, dependencies }, context, observation)
    : { desired: withPodOwners(desired, searchIn(context)), observation, rejected: undefined, dependencies };
  // Objects to delete need not be whole.
  if (!deleting) assertWhole(observation.partial ?? [], plan.desired);
  if (!isRejected) lastAcceptedSpecs.note(resource);
  if (!isRejected && !deleting) await accept(context, lastAcceptedSpecs);
  return { ...plan, isSuperseded: plan.desired ? isSuperseded : never };
}

const never = () => false;

function unchanged(observation: Observation, dependencies = new ObservedDependencies()): Plan {
  return { desired: undefined, observation, dependencies, isSuperseded: never };
}

function render({ controller, renderCache, resource }: ReconcileContext, observation: Observation): Rendered {
  const dependencies = new ObservedDependencies();
  const desired = renderOrReject(controller, dependencies.of(observedFacts(resource, observation)));
  if (!(desired instanceof RejectedError)) renderCache?.keep(resource, { desired, dependencies }, observation);
  return { desired, dependencies };
}

async function fromLastAccepted(
  { desired: rejected, dependencies }: Rendered & { readonly desired: RejectedError },
  context: ReconcileContext,
  observation: Observation,
): Promise<Pick<Plan, 'desired' | 'rejected' | 'observation' | 'dependencies'>> {
  const { controller, lastAcceptedSpecs, resource, signal, stores } = context;
  const last = await lastAcceptedOf(context, lastAcceptedSpecs);
  if (last) {
    const before = await observeSpec(resource, { ...observation, accepted: last }, { signal });
    const both = new ObservedDependencies(dependencies);
    const desired = renderOrReject(controller, both.of(observedFacts(resource, before)));
    if (!isDeleting(resource)) await keepLast(context, lastAcceptedSpecs);
    if (!(desired instanceof RejectedError)) {
      const all = withPodOwners(desired, searchIn(context));
      return { desired: all, rejected, observation: before, dependencies: both };
    }
  }
  const isAlone = stores.ownedBy(resource, controller).length === 0;
  return { desired: undefined, rejected: isAlone ? rejected : unmended(rejected, last), observation, dependencies };
}

function unmended({ reason, message }: RejectedError, last: AcceptedSpec | undefined): Result['rejected'] {
  const why = last ? 'the last accepted spec cannot be applied now' : 'no accepted spec is known';
  return { reason, message: `${message}; ${why}, so its objects stay unchanged` };
}
