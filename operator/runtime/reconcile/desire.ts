import type { Observation, PartialObject, ReconcileContext } from '../context/reconcile-context.js';
import { runtimeStatusOf } from '../controller/custom-resource.js';
import { isEnding, isProtected } from '../controller/finalization.js';
import { reportsElsewhere } from '../controller/owned-status.js';
import { callUserCode } from '../controller/user-code.js';
import { unansweredKeeps } from '../external/external-answers.js';
import { RejectedError } from '../kubernetes/errors.js';
import { groupKindOf } from '../kubernetes/kinds.js';
import { isDeleting, keyOf } from '../kubernetes/object.js';
import { isPaused } from '../kubernetes/pause.js';
import { finalizerOf } from '../kubernetes/well-known-names.js';
import type { AcceptedSpec } from '../memory/last-accepted-specs.js';
import { ObservedDependencies } from '../memory/observed-dependencies.js';
import { supersession } from '../memory/observed-versions.js';
import { observeSpec } from '../observe/observe.js';
import { observedFacts } from '../observe/observed-facts.js';
import { searchIn, withPodOwners } from '../ownership/pod-owner.js';
import type { DesiredCall } from '../rendering/external-call.js';
import type { Keep } from '../rendering/keep.js';
import { type Desired, type Rendering, renderOrReject } from '../rendering/render.js';
import { accept, keepLast, lastAcceptedOf } from '../status/controller-revisions.js';
import type { Result } from '../status/status-summary.js';

/** What a reconcile is to achieve. */
export interface Plan {
  /** Undefined if nothing changes: everything is as desired already, or the desired state is not known. */
  readonly desired: readonly Desired[] | undefined;
  /** The calls to send after the apply. Undefined if the desired state is not known. */
  readonly calls: readonly DesiredCall[] | undefined;
  /** What stays although it is not desired. */
  readonly keeps: readonly Keep[];
  /** Why the spec was rejected. */
  readonly rejected?: Result['rejected'];
  /** The observation from which the desired objects were rendered. */
  readonly observation: Observation;
  /** The facts that `desire` read. */
  readonly dependencies: ObservedDependencies;
  /** Reports whether facts that `desire` read have changed since. */
  readonly isSuperseded: () => boolean;
}

type Rendered = Pick<Plan, 'dependencies'> & { readonly rendering: Rendering | RejectedError };

/**
 * The second stage of a reconcile: renders the objects that the spec describes. If the spec is rejected, the last
 * accepted spec is rendered, so that its objects keep running and are repaired.
 */
export async function desire(context: ReconcileContext, observation: Observation): Promise<Plan> {
  const { controller, lastAcceptedSpecs, reconciledState, resource, telemetry } = context;
  const deleting = isDeleting(resource);
  if (!isEnding(controller, resource) && reconciledState?.isSettled(resource))
    return unchanged(observation, reconciledState.dependencies);
  if (!deleting) callUserCode(controller.name, 'secondaryFor', () => controller.secondaryFor?.(resource));
  const rendered = telemetry.span('desire', {}, () => kept(context, observation) ?? render(context, observation));
  const { rendering, dependencies } = rendered;
  const isSuperseded = supersession(dependencies, context);
  const isRejected = rendering instanceof RejectedError;
  const plan = isRejected
    ? await fromLastAccepted({ rendering, dependencies }, context, observation)
    : {
        ...withOwners({ rendering, dependencies }, context, observation),
        observation,
        rejected: undefined,
        dependencies,
      };
  // Objects to delete need not be whole.
  if (!deleting) assertWhole(observation.partial ?? [], plan.desired);
  const paused = isPaused(resource);
  // While it is paused, the accepted spec may not be the one that runs.
  const isApplied = !paused || runtimeStatusOf(resource).observedGeneration === resource.metadata.generation;
  if (!isRejected && isApplied && !reportsElsewhere(controller)) lastAcceptedSpecs.note(resource);
  if (!isRejected && !deleting && !paused) await accept(context, lastAcceptedSpecs);
  return { ...plan, isSuperseded: plan.desired ? isSuperseded : never };
}

const never = () => false;

function unchanged(observation: Observation, dependencies = new ObservedDependencies()): Plan {
  return { desired: undefined, calls: [], keeps: [], observation, dependencies, isSuperseded: never };
}

function render({ controller, renderCache, resource }: ReconcileContext, observation: Observation): Rendered {
  const dependencies = new ObservedDependencies();
  const rendering = renderOrReject(controller, dependencies.of(observedFacts(resource, observation)));
  if (!(rendering instanceof RejectedError) && rendering.calls.length + rendering.keeps.length === 0)
    renderCache?.keep(resource, { desired: rendering.desired, dependencies }, observation);
  return { rendering, dependencies };
}

/** What was rendered before, without calls and keeps, from the same facts. */
function kept({ renderCache, resource }: ReconcileContext, observation: Observation): Rendered | undefined {
  const { desired, dependencies } = renderCache?.of(resource, observation) ?? {};
  return desired && dependencies && { rendering: { desired, calls: [], keeps: [] }, dependencies };
}

function withOwners(
  { rendering: { desired, calls, keeps }, dependencies }: Rendered & { readonly rendering: Rendering },
  context: ReconcileContext,
  { external }: Observation,
): Pick<Plan, 'desired' | 'calls' | 'keeps'> {
  const unknown = unansweredKeeps(context.controller, dependencies, external.answers);
  return {
    desired: withProtection(withPodOwners(desired, searchIn(context)), context),
    calls,
    keeps: [...keeps, ...unknown],
  };
}

/** Adds the finalizer of the controller to what it protects. */
function withProtection(desired: readonly Desired[], { controller, resource }: ReconcileContext): readonly Desired[] {
  if (!controller.protects) return desired;
  const finalizer = finalizerOf(controller.name);
  return desired.map((one) => {
    if (!isProtected(one.manifest, controller, resource)) return one;
    const { metadata } = one.manifest;
    const finalizers = [...(metadata.finalizers ?? []), finalizer];
    return { ...one, manifest: { ...one.manifest, metadata: { ...metadata, finalizers } } };
  });
}

async function fromLastAccepted(
  { rendering: rejected, dependencies }: Rendered & { readonly rendering: RejectedError },
  context: ReconcileContext,
  observation: Observation,
): Promise<Omit<Plan, 'isSuperseded'>> {
  const { controller, lastAcceptedSpecs, resource, signal, stores } = context;
  // Most kinds of others decide by their labels, of which no former state is kept.
  const last = reportsElsewhere(controller) ? undefined : await lastAcceptedOf(context, lastAcceptedSpecs);
  if (last) {
    const before = await observeSpec(resource, { ...observation, accepted: last }, { signal });
    const both = new ObservedDependencies(dependencies);
    const rendering = renderOrReject(controller, both.of(observedFacts(resource, before)));
    if (!isDeleting(resource) && !isPaused(resource)) await keepLast(context, lastAcceptedSpecs);
    if (!(rendering instanceof RejectedError))
      return {
        ...withOwners({ rendering, dependencies: both }, context, before),
        ...{ rejected, observation: before, dependencies: both },
      };
  }
  const isAlone = stores.ownedBy(resource, controller).length === 0;
  const told = isAlone ? rejected : unmended(rejected, last);
  return { desired: undefined, calls: undefined, keeps: [], rejected: told, observation, dependencies };
}

function unmended({ reason, message }: RejectedError, last: AcceptedSpec | undefined): Result['rejected'] {
  const why = last ? 'the last accepted spec cannot be applied now' : 'no accepted spec is known';
  return { reason, message: `${message}; ${why}, so its objects stay unchanged` };
}

/**
 * A decision must not treat a part of an object as the whole. An owned object that is no longer desired need not be
 * whole to be deleted.
 * @param desired undefined if the desired state is not known
 * @throws {TooDeepError} of the first object that matters
 */
function assertWhole(parts: readonly PartialObject[], desired: readonly Desired[] | undefined): void {
  for (const { kind, object, isOwned, why } of parts) {
    const key = keyOf(object.metadata);
    const isWanted = desired?.some((one) => one.key === key && groupKindOf(one.kind) === groupKindOf(kind)) ?? true;
    if (isWanted || !isOwned) throw why;
  }
}
