import { askedBy, nothingAsked } from './asked.js';
import type { CallOptions } from './cluster.js';
import type { CustomResource } from './controller.js';
import { TooDeepError } from './frozen.js';
import { asAccepted } from './look.js';
import { isPartial } from './partial.js';
import { readsOf } from './read.js';
import type { View, Workplace } from './workplace.js';

/** What a pass over a resource goes by, beside what it owns: what it refers to, and what is known of what it asks. */
export async function viewOf(
  resource: CustomResource,
  place: Workplace & Pick<View, 'accepted'>,
  options: CallOptions,
): Promise<View> {
  if (isPartial(resource)) throw new TooDeepError(); // of a resource all is kept, unless it is that
  const { accepted } = place;
  const reads = await readsOf(resource, { ...place, accepted: accepted && asAccepted(resource, accepted) }, options);
  const view = { ...place, reads, asked: nothingAsked };
  return { ...view, asked: askedBy(resource, view) };
}
