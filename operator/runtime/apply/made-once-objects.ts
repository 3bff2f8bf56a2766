import { patching, write } from '../context/object-writes.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { pointerToken } from '../kubernetes/json.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { controllerLabel } from '../kubernetes/well-known-names.js';
import { isClaimedBy, isOwnedBy } from '../ownership/ownership-labels.js';
import type { PatchOperation } from '../ports/cluster.js';
import type { Desired } from '../rendering/render.js';

/**
 * Leaves an object as it was created. An adopted object gets its new owner, and an object that lost its label gets it
 * back. Both keep their content, because an apply would remove the fields of an earlier apply.
 */
export async function leaveAsMade(
  desired: Desired,
  { wish, live }: { readonly wish: Manifest; readonly live: LiveObject },
  context: ReconcileContext,
): Promise<void> {
  const { controller, resource } = context;
  const isSeen = live.metadata.labels?.[controllerLabel] === controller.name;
  const isOwn = desired.crossNamespace ? isClaimedBy(live, resource) : isOwnedBy(live, resource);
  if (isSeen && isOwn) return;
  await write(desired, context, patching(desired.kind, live, markings(live, wish), context));
}

/** The labels, annotations and owner references that identify the owner and the manifest. */
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

/** Entry by entry, because the caches do not know all entries. */
function entries(path: string, live: Texts | undefined, wish: Texts = {}): readonly PatchOperation[] {
  if (!live) return [{ op: 'add', path, value: wish }];
  return Object.entries(wish).map(([key, value]) => ({ op: 'add', path: `${path}/${pointerToken(key)}`, value }));
}
