import { groupKindOf } from '../../../runtime/kubernetes/kinds.js';
import { ownerAnnotationOf } from '../../../runtime/ownership/ownership-labels.js';
import { controlledBy } from '../environment/scene.js';
import type { InvariantOf } from './invariant.js';

/**
 * Holds even if a process has missed events. If a controller has no finalizer, the garbage collector deletes the objects
 * with an owner reference.
 */
export const undoing: InvariantOf = (scene) => {
  const { controller, released } = scene;
  return {
    promise: 'completes a deletion only after the cleanup of all objects',
    onEffect: ({ request, before, after }) => {
      if (!before || after || groupKindOf(request.kind) !== groupKindOf(controller.kind)) return undefined;
      const first = controlledBy(scene, before.metadata.uid).find(
        ({ object }) => !released.has(object.metadata.uid) && (controller.finalizes || ownerAnnotationOf(object)),
      );
      return (
        first &&
        `${before.metadata.name} was deleted, but its ${first.kind.kind} ${first.object.metadata.name} still exists`
      );
    },
  };
};
