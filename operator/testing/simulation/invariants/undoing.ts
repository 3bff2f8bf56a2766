import { claimOf } from '../../../runtime/claim.js';
import { groupKindOf } from '../../../runtime/kinds.js';
import { nameOfObject } from '../expectations.js';
import { controlledBy, type Found } from '../scene.js';
import type { InvariantOf } from './invariant.js';
import { Written } from './written.js';

/** Of a controller that does not finalize, the garbage collector takes what it can reach. */
export const undoing: InvariantOf = (scene) => {
  const { controller, released } = scene;
  const written = new Written(scene);
  return {
    promise: 'lets a resource go only when nothing of it is left that it is to undo',
    onEffect: (effect) => {
      written.hear(effect);
      const { request, by, before, after } = effect;
      if (!before || after || groupKindOf(request.kind) !== groupKindOf(controller.kind)) return undefined;
      const isLeft = ({ kind, object }: Found) => {
        if (released.has(object.metadata.uid)) return false;
        if (claimOf(object)) return true;
        return controller.finalizes && !(by && written.mayMiss(by, nameOfObject(kind, object.metadata)));
      };
      const first = controlledBy(scene, before.metadata.uid).find(isLeft);
      return first && `${before.metadata.name} went, but its ${first.kind.kind} ${first.object.metadata.name} is there`;
    },
  };
};
