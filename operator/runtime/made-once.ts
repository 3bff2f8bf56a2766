import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Applying } from './apply.js';
import type { PatchOperation } from './cluster.js';
import { write } from './doubts.js';
import { controllerLabel, isClaimedBy, isOwnedBy } from './inventory.js';
import { token } from './json-pointer.js';
import type { LiveObject, Manifest } from './object.js';
import { patching } from './patching.js';
import type { Desired } from './render.js';

/** The metadata of a construct whose objects are made once. */
const metadataType = 'reconstruct.dev/once';

/**
 * Has the objects of a construct made where they are missing, and never changed: a Secret whose value was drawn by lot, a
 * Pod that is to be replaced by deciding so, not by what its spec has become. What is edited stays edited; what is
 * deleted is made again, as it is desired then; what is not desired any more goes, as everything does.
 *
 * @example makeOnce(new ApiObject(scope, 'password', { apiVersion: 'v1', kind: 'Secret', … }));
 */
export function makeOnce(construct: IConstruct): void {
  construct.node.addMetadata(metadataType, true);
}

/** What was said of an object, or of a construct around it. */
export function isToBeMadeOnce(object: ApiObject): boolean {
  return object.node.scopes.some(({ node }) => node.metadata.some(({ type }) => type === metadataType));
}

/**
 * Leaves an object as it was made. What was handed over gets its new owner, what lost the label by which it is seen gets
 * that back, and both keep what they hold: an apply would take away what an earlier one stated, before it was made once.
 */
export async function leaveAsMade(
  desired: Desired,
  { wish, live }: { readonly wish: Manifest; readonly live: LiveObject },
  applying: Applying,
): Promise<void> {
  const { controller, owner } = applying;
  const isSeen = live.metadata.labels?.[controllerLabel] === controller.name;
  const isOwn = desired.distant ? isClaimedBy(live, owner) : isOwnedBy(live, owner);
  if (isSeen && isOwn) return;
  await write(desired, applying, patching(desired.kind, live, markings(live, wish), applying));
}

/** What says whose an object is, and of which wish. */
function markings({ metadata: live }: LiveObject, { metadata: wish }: Manifest): readonly PatchOperation[] {
  const owners = wish.ownerReferences ?? [];
  const others = (live.ownerReferences ?? []).filter(({ uid }) => !owners.some((owner) => owner.uid === uid));
  const owned = { op: 'add', path: '/metadata/ownerReferences', value: [...others, ...owners] } as const;
  return [
    ...entries('/metadata/labels', live.labels, wish.labels),
    ...entries('/metadata/annotations', live.annotations, wish.annotations),
    ...(owners.length > 0 ? [owned] : []),
  ];
}

type Texts = Readonly<Record<string, string>>;

/** One by one, since the caches do not know all that there are. */
function entries(path: string, live: Texts | undefined, wish: Texts = {}): readonly PatchOperation[] {
  if (!live) return [{ op: 'add', path, value: wish }];
  return Object.entries(wish).map(([key, value]) => ({ op: 'add', path: `${path}/${token(key)}`, value }));
}
