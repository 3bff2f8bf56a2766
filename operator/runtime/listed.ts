import type { Applying } from './apply.js';
import { distantKinds } from './distant.js';
import { inventoryAnnotation, type Recorded, recordedOf, roomFor } from './recorded.js';

/**
 * What a resource's inventory lists of the kinds whose objects may be out of its reach. More than we ever list somebody else
 * has listed: what is ours of it the caches show.
 */
export function listedOf({
  controller,
  owner,
  stores,
}: Pick<Applying, 'controller' | 'owner' | 'stores'>): readonly Recorded[] {
  const listed = recordedOf(owner, distantKinds(controller));
  const isForged = (owner.metadata.annotations?.[inventoryAnnotation]?.length ?? 0) > roomFor;
  return isForged ? listed.filter((one) => stores.claimed(one, owner) !== undefined) : listed;
}
