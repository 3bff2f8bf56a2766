import { groupKindOf } from '../../../runtime/kubernetes/kinds.js';
import { ownerAnnotationOf } from '../../../runtime/ownership/owner-annotation.js';
import { controlledBy } from '../environment/scene.js';
import type { InvariantOf } from './invariant.js';

/**
 * However little a process has heard: what it lets go of the server has shown to be alone. Of a controller that does not
 * finalize, the garbage collector takes what it can reach.
 */
export const undoing: InvariantOf = (scene) => {
  const { controller, released } = scene;
  return {
    promise: 'lets a resource go only when nothing of it is left that it is to undo',
    onEffect: ({ request, before, after }) => {
      if (!before || after || groupKindOf(request.kind) !== groupKindOf(controller.kind)) return undefined;
      const first = controlledBy(scene, before.metadata.uid).find(
        ({ object }) => !released.has(object.metadata.uid) && (controller.finalizes || ownerAnnotationOf(object)),
      );
      return first && `${before.metadata.name} went, but its ${first.kind.kind} ${first.object.metadata.name} is there`;
    },
  };
};
