import { settleUnconfirmedWrites } from '../context/object-writes.js';
import type { ControllerContext, Observation, ReconcileContext } from '../context/reconcile-context.js';
import type { CustomResource, RuntimeStatus } from '../controller/custom-resource.js';
import { reportIn } from '../controller/owned-status.js';
import { externalAnswersFor, noExternalAnswers } from '../external/external-answers.js';
import { TooDeepError } from '../kubernetes/deep-freeze.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import type { CallOptions } from '../ports/cluster.js';
import { asAccepted, observedFacts } from './observed-facts.js';
import { complete } from './partial-objects.js';
import { referencedObjects } from './referenced-objects.js';

/**
 * The first stage of a reconcile: reads what the caches cannot show with certainty, the objects that the resource
 * refers to, and the answers of external sources.
 */
export async function observe(context: ReconcileContext): Promise<Observation> {
  const { resource, signal, telemetry } = context;
  await settleUnconfirmedWrites(context);
  const partial = await complete(context);
  const known = { ...context, reported: reportOf(context) };
  const observation = await telemetry.span('observe', {}, () => observeSpec(resource, known, { signal }));
  return { ...observation, partial };
}

/** What a controller reported last about a resource: in its status, in its annotation, or in events of this process. */
export function reportOf({
  controller,
  reportedConditions,
  resource,
}: Pick<ReconcileContext, 'controller' | 'reportedConditions' | 'resource'>): RuntimeStatus {
  if (controller.reportsTo !== 'events') return reportIn(controller, resource);
  return { conditions: reportedConditions?.of(resource.metadata.uid) ?? [] };
}

/** The same for one spec: the resource's own, or the last accepted one. */
export async function observeSpec(
  resource: CustomResource,
  controllerContext: ControllerContext & Pick<Observation, 'accepted' | 'reported'>,
  options: CallOptions,
): Promise<Observation> {
  if (isPartial(resource)) throw new TooDeepError(); // a resource is kept whole, unless it is nested too deep
  const { accepted } = controllerContext;
  const reads = await referencedObjects(
    resource,
    { ...controllerContext, accepted: accepted && asAccepted(resource, accepted) },
    options,
  );
  const observation = { ...controllerContext, reads, external: noExternalAnswers };
  return {
    ...observation,
    external: externalAnswersFor(resource, observation, () => observedFacts(resource, observation)),
  };
}
