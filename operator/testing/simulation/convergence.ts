import { conditionOf } from '../../runtime/controller/conditions.js';
import type { CustomResource } from '../../runtime/controller/custom-resource.js';
import { reportIn, reportsElsewhere } from '../../runtime/controller/owned-status.js';
import { callIntentsOf } from '../../runtime/external/call-intents.js';
import { contains } from '../../runtime/fields/contains.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import { groupKindOf, type ObjectKind } from '../../runtime/kubernetes/kinds.js';
import { controllerOf, keyOf, type LiveObject, type Manifest } from '../../runtime/kubernetes/object.js';
import { controllerLabel, managerOf } from '../../runtime/kubernetes/well-known-names.js';
import { isMadeOnce, ownerAnnotationOf } from '../../runtime/ownership/ownership-labels.js';
import type { Keep } from '../../runtime/rendering/keep.js';
import { type ManagedFieldsEntry, pathsIn } from '../memory/managed-fields.js';
import { statedPaths } from '../memory/server-side-apply.js';
import { nameOfObject, neededCalls, type Wish, wishOf } from './environment/expectations.js';
import { controlledBy, type Found, objectsIn, ownerUidOf, type Scene } from './environment/scene.js';

/** Why the desired state is not reached yet, for users; undefined if it is reached. */
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
  const { controller } = scene;
  const { metadata } = resource;
  const { observedGeneration } = reportIn(controller, resource);
  const owned = controlledBy(scene, metadata.uid);
  let wish: Wish;
  let left: readonly Keep[] = [];
  try {
    wish = wishOf(scene.expectations, resource, owned, (_, kept) => {
      left = kept.filter(({ isLeft = false }) => isLeft);
    });
  } catch (error) {
    return `its controller failed: ${messageOf(error)}`;
  }
  if (metadata.deletionTimestamp) {
    const squat = wish && squatIn(scene, wish);
    return squat ? squatUnsaid(scene, resource, squat) : 'it is still being deleted';
  }
  const [call] = neededCalls(scene.expectations, resource);
  // A call waits for the objects, so it also waits while another owner has the name of one.
  if (call && wish && !squatIn(scene, wish)) return `call ${call.name} is still needed`;
  if (callIntentsOf({ controller, resource }).length > 0) return 'its status still has the intent of a call';
  const isWhole = controller.isPrimary && !reportsElsewhere(controller);
  const judged = isWhole ? observedGeneration : saidOf(scene, resource);
  if (controller.reportsTo !== 'events' && judged !== metadata.generation)
    return `its status has generation ${judged}, must be ${metadata.generation}`;
  if (!wish) return unmended(scene, resource, owned);
  const others = owned.filter(({ kind, object }) => !left.some((one) => isObject(one, kind, object)));
  return unlike(scene, resource, wish, others);
}

function isObject({ object: left }: Keep, kind: ObjectKind, { metadata }: LiveObject): boolean {
  return left !== undefined && left.key === keyOf(metadata) && groupKindOf(left.kind) === groupKindOf(kind);
}

/** The generation in the last conditions of a controller that reports no other. */
function saidOf({ controller }: Scene, resource: CustomResource): number | undefined {
  const { conditions = [] } = reportIn(controller, resource);
  return conditions.find(({ type }) => controller.ownedStatus.conditions.has(type))?.observedGeneration;
}

/** Checks that a resource with a rejected spec has the objects of the last accepted spec. */
function unmended(scene: Scene, resource: CustomResource, owned: readonly Found[]): string | undefined {
  const message = said(scene, resource, 'Accepted', 'False')?.message;
  if (message === undefined) return 'its spec was accepted, must be rejected';
  // A process without a usable accepted spec keeps the existing objects, and reports that.
  const isAlone = !owned.some(({ object }) => object.metadata.labels?.[controllerLabel]);
  const isUnknown = isAlone || /what runs is left as it is|objects stay unchanged/.test(message);
  // Without an object that it requires, the last accepted spec is not rendered either.
  const isRequiring = Object.values(scene.controller.reads).some(({ isRequired }) => isRequired);
  if (isUnknown && (scene.processes.size > 1 || isAlone || isRequiring)) return undefined;
  const wishes = scene.expectations.lastAccepted(resource.metadata.uid);
  const whys = wishes.map((wish) => unlike(scene, resource, wish, owned));
  return whys.includes(undefined) ? undefined : `its spec is rejected, and of the last accepted spec ${whys.at(-1)}`;
}

function said({ controller }: Pick<Scene, 'controller'>, resource: CustomResource, type: string, is: string) {
  const found = conditionOf({ status: reportIn(controller, resource) }, type);
  return found?.status === is ? found : undefined;
}

/** A difference between the existing and the desired objects. */
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
  if (extra) return `${nameOfObject(extra.kind, extra.object.metadata)} exists, but is not desired`;
  for (const [name, { kind, wish: wanted }] of wish) {
    const why = difference(scene, scene.server.find(kind, wanted.metadata), wanted);
    if (why !== undefined) return `${name} ${why}`;
  }
  return undefined;
}

/** The name of a desired object that another owner uses. */
function squatIn(scene: Scene, wish: NonNullable<Wish>): string | undefined {
  const squat = [...wish].find(([, { kind, wish: wanted }]) => {
    const live = scene.server.find(kind, wanted.metadata);
    return live && isOthers(scene, live);
  });
  return squat?.[0];
}

/** While another owner uses the name, the operator must only report that. */
function squatUnsaid({ controller }: Scene, resource: CustomResource, squat: string): string | undefined {
  const isSilent = !controller.isPrimary || controller.reportsTo === 'events';
  if (isSilent || said({ controller }, resource, 'Conflicted', 'True')) return undefined;
  return `${squat} belongs to another owner, which the resource does not report`;
}

/** True for objects of other owners, and for released objects that the operator can no longer recognize. */
export function isOthers(scene: Scene, live: LiveObject): boolean {
  const { uid } = live.metadata;
  return scene.foreign.has(uid) || (scene.released.has(uid) && !controllerOf(live) && !ownerAnnotationOf(live));
}

function difference({ controller }: Scene, live: LiveObject | undefined, wanted: Manifest): string | undefined {
  if (!live) return 'is missing';
  if (live.metadata.deletionTimestamp) return 'is being deleted';
  if (isMadeOnce(live)) return undefined; // edits of it are kept
  const { uid: _, ...metadata } = wanted.metadata;
  if (!contains(live, { ...wanted, metadata })) return 'differs from the desired state';
  const { managedFields = [] } = live.metadata as { managedFields?: readonly ManagedFieldsEntry[] };
  const stated = statedPaths(wanted, undefined);
  const manager = managerOf(controller.name);
  const ours = managedFields.filter((entry) => entry.manager === manager && !entry.subresource);
  const stale = ours.flatMap(({ fieldsV1 }) => pathsIn(fieldsV1)).find((path) => !stated.has(path));
  return stale === undefined ? undefined : `still has ${stale.replaceAll('\0', '.')}, which is no longer desired`;
}

/** An object of the operator without an owner. */
function orphan(scene: Scene): string | undefined {
  const { controller, server } = scene;
  const alive = new Set(server.all(controller.kind).map(({ metadata }) => metadata.uid));
  const left = objectsIn(scene).find(({ kind, object }) => {
    if (isOthers(scene, object)) return false;
    if (kind.withoutOwnerReference && controller.retains && !controllerOf(object)) return false; // retained objects have no owner
    return object.metadata.labels?.[controllerLabel] === controller.name && !alive.has(ownerUidOf(scene, object) ?? '');
  });
  return left && `${nameOfObject(left.kind, left.object.metadata)} exists, but no resource owns it`;
}
