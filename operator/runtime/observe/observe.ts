import type { ControllerContext, Observation } from '../context/reconcile-context.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { TooDeepError } from '../kubernetes/deep-freeze.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import type { CallOptions } from '../ports/cluster.js';
import { askedBy, nothingAsked } from './external-answers.js';
import { asAccepted } from './observed-facts.js';
import { referencedObjects } from './referenced-objects.js';

/** What a pass over a resource goes by, beside what it owns: what it refers to, and what is known of what it asks. */
export async function observe(
  resource: CustomResource,
  place: ControllerContext & Pick<Observation, 'accepted'>,
  options: CallOptions,
): Promise<Observation> {
  if (isPartial(resource)) throw new TooDeepError(); // of a resource all is kept, unless it is that
  const { accepted } = place;
  const reads = await referencedObjects(
    resource,
    { ...place, accepted: accepted && asAccepted(resource, accepted) },
    options,
  );
  const view = { ...place, reads, asked: nothingAsked };
  return { ...view, asked: askedBy(resource, view) };
}
