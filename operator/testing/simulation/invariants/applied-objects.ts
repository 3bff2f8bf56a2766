import { runtimeStatusOf } from '../../../runtime/controller/custom-resource.js';
import { groupKindOf } from '../../../runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../runtime/kubernetes/object.js';
import { nameOfObject } from '../environment/expectations.js';
import { ownerUidOf, type Scene } from '../environment/scene.js';
import type { InvariantOf } from './invariant.js';
import { isOwnedKind, Written } from './write-record.js';

/** A pass may act on any spec that the resource has had: it must have applied all of one that does not want the object. */
export const pruning: InvariantOf = (scene) => {
  const written = new Written(scene);
  return {
    promise: 'prunes only when everything that is wanted has been applied',
    onEffect: (effect) => {
      const { request, by, before } = effect;
      const owner = before && ownerUidOf(scene, before);
      const isRemoval = by !== undefined && request.verb === 'remove' && isOwnedKind(scene, request.kind);
      if (!isRemoval || !before || owner === undefined || isUncollected(scene, before, owner)) {
        written.hear(effect);
        return undefined;
      }
      const name = nameOfObject(request.kind, before.metadata);
      const wishes = scene.expectations.of(owner);
      const isReplaced = wishes.at(-1)?.has(name) ?? false;
      const isDue = wishes.some((wish) => wish && !wish.has(name) && written.firstMissing(wish, by) === undefined);
      written.hear(effect);
      return isReplaced || isDue ? undefined : `${name} was removed before all was applied of a spec that lacks it`;
    },
  };
};

/** What a resource that is gone had is not pruned: the garbage collector would have it. */
function isUncollected({ controller, server }: Scene, { metadata }: LiveObject, owner: string): boolean {
  return (
    metadata.ownerReferences !== undefined && !server.all(controller.kind).some((one) => one.metadata.uid === owner)
  );
}

export const readiness: InvariantOf = (scene) => {
  const written = new Written(scene);
  return {
    promise: 'says Ready only of a spec of which everything has been applied',
    onEffect: (effect) => {
      written.hear(effect);
      const { request, by, before, after } = effect;
      if (!by || !after || groupKindOf(request.kind) !== groupKindOf(scene.controller.kind)) return undefined;
      if (!isReady(after) || (before && isReady(before))) return undefined;
      const missing = scene.expectations.at(after).map((wish) => wish && written.firstMissing(wish, by));
      if (missing.length === 0 || missing.includes(undefined)) return undefined;
      return `${after.metadata.name} is Ready, but ${missing[0]} is not as generation ${generationOf(after)} wants`;
    },
  };
};

/** True if the status calls the spec that the resource has now Ready. */
function isReady(resource: LiveObject): boolean {
  const { conditions, observedGeneration } = runtimeStatusOf(resource);
  const ready = conditions?.find(({ type }) => type === 'Ready');
  const generation = generationOf(resource);
  return ready?.status === 'True' && ready.observedGeneration === generation && observedGeneration === generation;
}

function generationOf({ metadata }: LiveObject): number | undefined {
  return metadata.generation;
}
