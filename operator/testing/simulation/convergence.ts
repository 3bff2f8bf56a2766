import { type CustomResource, runtimeStatusOf } from '../../runtime/controller/custom-resource.js';
import { contains } from '../../runtime/fields/contains.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import { controllerOf, type LiveObject, type Manifest } from '../../runtime/kubernetes/object.js';
import { controllerLabel, managerOf } from '../../runtime/kubernetes/well-known-names.js';
import { ownerAnnotationOf } from '../../runtime/ownership/owner-annotation.js';
import { isMadeOnce } from '../../runtime/ownership/ownership-labels.js';
import { type ManagedFieldsEntry, pathsIn } from '../memory/managed-fields.js';
import { contentOf } from '../memory/server-side-apply.js';
import { nameOfObject, type Wish, wishOf } from './environment/expectations.js';
import { controlledBy, type Found, objectsIn, ownerUidOf, type Scene } from './environment/scene.js';

/** Why the world is not yet as the resources want it, for a person; undefined when it is. */
export function unrest(scene: Scene): string | undefined {
  const { controller, server } = scene;
  const resources = server.all(controller.kind) as readonly CustomResource[];
  for (const resource of resources) {
    const why = unrestOf(scene, resource);
    if (why !== undefined) return `${resource.metadata.name}: ${why}`;
  }
  return orphan(scene);
}

function unrestOf(scene: Scene, resource: CustomResource): string | undefined {
  const { metadata } = resource;
  const { observedGeneration } = runtimeStatusOf(resource);
  const owned = controlledBy(scene, metadata.uid);
  let wish: Wish;
  try {
    wish = wishOf(scene.expectations, resource, owned);
  } catch (error) {
    return `its controller fails: ${messageOf(error)}`;
  }
  if (metadata.deletionTimestamp) {
    const squat = wish && squatIn(scene, wish);
    return squat ? squatUnsaid(scene, resource, squat) : 'it is still being deleted';
  }
  const judged = scene.controller.isPrimary ? observedGeneration : saidOf(scene, resource);
  if (judged !== metadata.generation) return `its status is of generation ${judged}, not of ${metadata.generation}`;
  if (!wish) return unmended(scene, resource, owned);
  return unlike(scene, resource, wish, owned);
}

/** The generation that a further controller of the kind has judged last. */
function saidOf({ controller }: Scene, resource: CustomResource): number | undefined {
  const { conditions = [] } = runtimeStatusOf(resource);
  return conditions.find(({ type }) => controller.share.conditions.has(type))?.observedGeneration;
}

/** What a resource has whose spec is rejected is what the last accepted one wants. */
function unmended(scene: Scene, resource: CustomResource, owned: readonly Found[]): string | undefined {
  const message = said(resource, 'Accepted', 'False')?.message;
  if (message === undefined) return 'its spec is to be rejected, but is accepted';
  // A process that knows no accepted spec of it, or none that can be carried out, leaves what runs as it is, and says so.
  const isAlone = !owned.some(({ object }) => object.metadata.labels?.[controllerLabel]);
  const isUnknown = isAlone || message.includes('its objects stay unchanged');
  if (isUnknown && (scene.processes.size > 1 || isAlone)) return undefined;
  const wishes = scene.expectations.lastAccepted(resource.metadata.uid);
  const whys = wishes.map((wish) => unlike(scene, resource, wish, owned));
  return whys.includes(undefined) ? undefined : `its spec is rejected, and by the last accepted one ${whys.at(-1)}`;
}

function said(resource: CustomResource, type: string, is: string) {
  const { conditions } = runtimeStatusOf(resource);
  return conditions?.find((one) => one.type === type && one.status === is);
}

/** How what is there differs from a wish. */
function unlike(
  scene: Scene,
  resource: CustomResource,
  wish: NonNullable<Wish>,
  owned: readonly Found[],
): string | undefined {
  const squat = squatIn(scene, wish);
  if (squat) return squatUnsaid(scene, resource, squat);
  const extra = owned.find(
    ({ kind, object }) => !wish.has(nameOfObject(kind, object.metadata)) && !scene.released.has(object.metadata.uid),
  );
  if (extra) return `it has ${nameOfObject(extra.kind, extra.object.metadata)}, which it does not want`;
  for (const [name, { kind, wish: wanted }] of wish) {
    const why = difference(scene, scene.server.find(kind, wanted.metadata), wanted);
    if (why !== undefined) return `${name} ${why}`;
  }
  return undefined;
}

/** The name of a wanted object that somebody else has. */
function squatIn(scene: Scene, wish: NonNullable<Wish>): string | undefined {
  const squat = [...wish].find(([, { kind, wish: wanted }]) => {
    const live = scene.server.find(kind, wanted.metadata);
    return live && isOthers(scene, live);
  });
  return squat?.[0];
}

/** While somebody has its name, nothing more can be asked than that this is said. */
function squatUnsaid({ controller }: Scene, resource: CustomResource, squat: string): string | undefined {
  if (!controller.isPrimary || said(resource, 'Conflicted', 'True')) return undefined;
  return `${squat} is somebody else's, which it does not say`;
}

/** True of what was never the operator's, and of what somebody took from it and it cannot know any more. */
export function isOthers(scene: Scene, live: LiveObject): boolean {
  const { uid } = live.metadata;
  return scene.foreign.has(uid) || (scene.released.has(uid) && !controllerOf(live) && !ownerAnnotationOf(live));
}

function difference({ controller }: Scene, live: LiveObject | undefined, wanted: Manifest): string | undefined {
  if (!live) return 'is missing';
  if (live.metadata.deletionTimestamp) return 'is being deleted';
  if (isMadeOnce(live)) return undefined; // an edit of it stays
  const { uid: _, ...metadata } = wanted.metadata;
  if (!contains(live, { ...wanted, metadata })) return 'is not as it is wanted';
  const { managedFields = [] } = live.metadata as { managedFields?: readonly ManagedFieldsEntry[] };
  const stated = contentOf(wanted, undefined);
  const manager = managerOf(controller.name);
  const ours = managedFields.filter((entry) => entry.manager === manager && !entry.subresource);
  const stale = ours.flatMap(({ fieldsV1 }) => pathsIn(fieldsV1)).find((path) => !stated.has(path));
  return stale === undefined ? undefined : `still states ${stale.replaceAll('\0', '.')}, which is not wanted any more`;
}

/** What the operator made and no resource controls. */
function orphan(scene: Scene): string | undefined {
  const { controller, server } = scene;
  const alive = new Set(server.all(controller.kind).map(({ metadata }) => metadata.uid));
  const left = objectsIn(scene).find(({ kind, object }) => {
    if (isOthers(scene, object)) return false;
    if (kind.withoutOwnerReference && controller.retains && !controllerOf(object)) return false; // what it leaves is nobody's
    return object.metadata.labels?.[controllerLabel] === controller.name && !alive.has(ownerUidOf(scene, object) ?? '');
  });
  return left && `${nameOfObject(left.kind, left.object.metadata)} is there without a resource that controls it`;
}
