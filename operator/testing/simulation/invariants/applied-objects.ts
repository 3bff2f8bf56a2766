import { conditionOf } from '../../../runtime/controller/conditions.js';
import type { Controller } from '../../../runtime/controller/controller.js';
import { reportIn, reportsElsewhere } from '../../../runtime/controller/owned-status.js';
import { groupKindOf } from '../../../runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../runtime/kubernetes/object.js';
import { nameOfObject } from '../environment/expectations.js';
import { ownerUidOf, type Scene } from '../environment/scene.js';
import type { InvariantOf } from './invariant.js';
import { isOwnedKind, Written } from './write-record.js';

/**
 * A reconcile may use any former spec. Before it prunes, it must have applied all objects of a spec without the object. What
 * is not rendered for want of an answer is no such spec: the object would be deleted and created again.
 */
export const pruning: InvariantOf = (scene) => {
  const written = new Written(scene);
  return {
    promise: 'prunes only after it has applied all desired objects',
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
      const isReplaced = wishes.at(-1)?.get(name)?.isReplaceable ?? false;
      const isDue = wishes.some(
        (wish) =>
          wish && scene.expectations.isWhole(wish) && !wish.has(name) && written.firstMissing(wish, by) === undefined,
      );
      written.hear(effect);
      return isReplaced || isDue
        ? undefined
        : `${name} was removed before all objects of a spec without it were applied, or for want of an answer`;
    },
  };
};

/** True for objects of a deleted resource, which the garbage collector removes instead of pruning. */
function isUncollected({ controller, server }: Scene, { metadata }: LiveObject, owner: string): boolean {
  return (
    metadata.ownerReferences !== undefined && !server.all(controller.kind).some((one) => one.metadata.uid === owner)
  );
}

export const readiness: InvariantOf = (scene) => {
  const written = new Written(scene);
  return {
    promise: 'reports Ready only after it has applied all objects of the spec',
    onEffect: (effect) => {
      written.hear(effect);
      const { request, by, before, after } = effect;
      if (!by || !after || groupKindOf(request.kind) !== groupKindOf(scene.controller.kind)) return undefined;
      const { controller } = scene;
      if (!isReady(after, controller) || (before && isReady(before, controller))) return undefined;
      const missing = scene.expectations.at(after).map((wish) => wish && written.firstMissing(wish, by));
      if (missing.length === 0 || missing.includes(undefined)) return undefined;
      return `${after.metadata.name} is Ready, but ${missing[0]} differs from the desired state of generation ${generationOf(after)}`;
    },
  };
};

/** True if the status reports Ready for the current spec. */
function isReady(resource: LiveObject, controller: Controller): boolean {
  const status = reportIn(controller, resource);
  const ready = conditionOf({ status }, 'Ready');
  const generation = generationOf(resource);
  const isWhole = reportsElsewhere(controller) || status.observedGeneration === generation;
  return ready?.status === 'True' && ready.observedGeneration === generation && isWhole;
}

function generationOf({ metadata }: LiveObject): number | undefined {
  return metadata.generation;
}
