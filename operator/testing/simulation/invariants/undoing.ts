import { groupKindOf } from '../../../runtime/kinds.js';
import { controlledBy } from '../scene.js';
import type { InvariantOf } from './invariant.js';

/** Of a controller that does not finalize, the garbage collector does the rest. */
export const undoing: InvariantOf = (scene) => ({
  promise: 'lets a resource go only when nothing of it is left, where it finalizes',
  onEffect: ({ request, before, after }) => {
    const { controller } = scene;
    if (!controller.finalizes || groupKindOf(request.kind) !== groupKindOf(controller.kind)) return undefined;
    if (!before || after) return undefined;
    const left = controlledBy(scene, before.metadata.uid).filter(
      ({ object }) => !scene.released.has(object.metadata.uid),
    );
    const [first] = left;
    return first && `${before.metadata.name} went, but its ${first.kind.kind} ${first.object.metadata.name} is there`;
  },
});
