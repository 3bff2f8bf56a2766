import { groupKindOf, Secret } from '../../../runtime/kubernetes/kinds.js';
import { keyOf } from '../../../runtime/kubernetes/object.js';
import { givenReads } from '../../contract/trial/given-resource.js';
import type { Chance } from '../environment/chance.js';
import type { Scene } from '../environment/scene.js';
import type { Act } from './act.js';
import { leafPointers } from './leaf-pointers.js';

/** An act on an object that resources refer to. */
function on(
  verb: string,
  act: (scene: Scene, given: ReturnType<typeof givenReads>[number], chance: Chance) => boolean,
): Act {
  return (scene, chance) => {
    const given = chance.pick(givenReads(scene.controller, scene.given));
    return act(scene, given, chance) ? `${verb} ${given.kind.kind} ${keyOf(given.object.metadata)}` : undefined;
  };
}

const makes = on('applies', ({ server }, { kind, object }) => {
  server.apply(kind, object);
  return true;
});

const removes = on('removes', ({ server }, { kind, object }) => {
  const there = server.find(kind, object.metadata);
  if (there) server.remove(kind, there);
  return there !== undefined;
});

const edits = on('changes', ({ server }, { kind, object }, chance) => {
  const there = server.find(kind, object.metadata);
  const fields = there ? leafPointers(there) : [];
  if (fields.length === 0) return false;
  const value = `changed ${Math.floor(chance.between(0, 1000))}`;
  server.patch(kind, object.metadata, [{ op: 'replace', path: chance.pick(fields), value }]);
  return true;
});

/** Creates the Secrets again at the end without which no system can be called. */
export function putBackCredentials({ controller, given, server, credentials, history }: Scene): void {
  for (const { kind, object } of givenReads(controller, given)) {
    const isNeeded = groupKindOf(kind) === groupKindOf(Secret) && credentials.has(keyOf(object.metadata));
    if (!isNeeded || server.find(kind, object.metadata)) continue;
    server.apply(kind, object);
    history.say('user', `puts back Secret ${keyOf(object.metadata)}`);
  }
}

/** Acts on objects that the operator only reads. */
export const referents: readonly Act[] = [makes, makes, removes, edits, edits];
