import { ControllerRevision, groupKindOf } from '../../../runtime/kubernetes/kinds.js';
import { annotatedOwnerOf, controllerOf, keyOf } from '../../../runtime/kubernetes/object.js';
import { controllerLabel } from '../../../runtime/kubernetes/well-known-names.js';
import { objectsIn, ownerUidOf, type Scene } from '../environment/scene.js';

/**
 * Removes the objects of deleted resources, with a delay, and sometimes never. Like the real garbage collector it matches
 * by name after a lost connection: a resource that was recreated meanwhile looks like a changed one.
 */
export function collectGarbage(scene: Scene): void {
  const { server, controller, time, chance, history } = scene;
  const own = chance.fork('garbage collector');
  const connection = chance.fork('connection of the garbage collector');
  let isDue = false;
  const gone = new Map<string, string>();
  const missed = new Set<string>();
  const sweep = () => {
    isDue = false;
    gone.clear();
    const alive = new Set(server.all(controller.kind).map(({ metadata }) => metadata.uid));
    const revisions = server.all(ControllerRevision).map((object) => ({ kind: ControllerRevision, object }));
    for (const { kind, object } of [...objectsIn(scene), ...revisions]) {
      const isTied = controllerOf(object) && !annotatedOwnerOf(object);
      const owner = isTied ? ownerUidOf(scene, object) : undefined;
      if (owner === undefined || alive.has(owner) || object.metadata.deletionTimestamp) continue;
      // The operator does not see objects without its label, so it cannot make up for a missed deletion of them.
      if (missed.has(owner) && object.metadata.labels?.[controllerLabel] !== undefined) continue;
      history.say('collector', `removes ${kind.kind} ${keyOf(object.metadata)}`);
      server.remove(kind, object);
    }
  };
  server.listen(({ request, before, after }) => {
    const isResource = groupKindOf(request.kind) === groupKindOf(controller.kind);
    const isGone = isResource && !after;
    if (isGone && before) gone.set(keyOf(before.metadata), before.metadata.uid);
    const old = isResource && after && !before ? gone.get(keyOf(after.metadata)) : undefined;
    if (old !== undefined && connection.happens(0.3)) missed.add(old);
    const isOwned = after !== undefined && controllerOf(after) !== undefined;
    if (isDue || !(isGone || isOwned)) return;
    isDue = true;
    time.after(own.spread(50, 8_000), sweep);
  });
}
