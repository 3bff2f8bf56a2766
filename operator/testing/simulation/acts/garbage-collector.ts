import { ControllerRevision, groupKindOf } from '../../../runtime/kinds.js';
import { controllerOf, keyOf, untiedOwnerOf } from '../../../runtime/object.js';
import { objectsIn, ownerUidOf, type Scene } from '../scene.js';

/** Removes what a resource controlled that is gone: not at once. */
export function collectGarbage(scene: Scene): void {
  const { server, controller, time, chance, history } = scene;
  const own = chance.fork('garbage collector');
  let isDue = false;
  const sweep = () => {
    isDue = false;
    const alive = new Set(server.all(controller.kind).map(({ metadata }) => metadata.uid));
    const revisions = server.all(ControllerRevision).map((object) => ({ kind: ControllerRevision, object }));
    for (const { kind, object } of [...objectsIn(scene), ...revisions]) {
      const isTied = controllerOf(object) && !untiedOwnerOf(object);
      const owner = isTied ? ownerUidOf(scene, object) : undefined;
      if (owner === undefined || alive.has(owner) || object.metadata.deletionTimestamp) continue;
      history.say('collector', `removes ${kind.kind} ${keyOf(object.metadata)}`);
      server.remove(kind, object);
    }
  };
  server.listen(({ request, after }) => {
    const isGone = !after && groupKindOf(request.kind) === groupKindOf(controller.kind);
    const isOwned = after !== undefined && controllerOf(after) !== undefined;
    if (isDue || !(isGone || isOwned)) return;
    isDue = true;
    time.after(own.spread(50, 8_000), sweep);
  });
}
