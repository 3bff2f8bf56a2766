import { apiVersionOf } from '../../../runtime/kubernetes/kinds.js';
import { keyOf } from '../../../runtime/kubernetes/object.js';
import type { Wanted } from '../environment/expectations.js';
import { type Found, objectsIn, type Scene } from '../environment/scene.js';
import type { Act } from './act.js';

/** Another user creates an object with a name that the operator needs, and if necessary removes the operator's object. */
const squats: Act = (scene, chance) => {
  const { server, foreign } = scene;
  const wanted = wantedIn(scene);
  if (wanted.length === 0) return undefined;
  const { kind, wish } = chance.pick(wanted);
  const there = server.find(kind, wish.metadata);
  if (there && (foreign.has(there.metadata.uid) || there.metadata.finalizers?.length)) return undefined;
  if (there) server.remove(kind, there);
  const { name, namespace } = wish.metadata;
  const metadata = { name, ...(namespace !== undefined && { namespace }) };
  server.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata });
  const made = server.find(kind, metadata);
  if (made) foreign.add(made.metadata.uid);
  return `creates a foreign ${kind.kind} ${keyOf(metadata)}`;
};

const leaves: Act = (scene) => {
  const [found] = foreignIn(scene);
  return found && leave(scene, found);
};

/** Removes most foreign objects at the end. Some stay forever. */
export function leaveNames(scene: Scene): void {
  for (const found of foreignIn(scene)) {
    if (scene.chance.happens(0.7)) scene.history.say('user', leave(scene, found));
  }
}

function leave({ server }: Scene, { kind, object }: Found): string {
  server.remove(kind, object);
  return `removes the foreign ${kind.kind} ${keyOf(object.metadata)}`;
}

function foreignIn(scene: Scene): Found[] {
  return objectsIn(scene).filter(({ object }) => scene.foreign.has(object.metadata.uid));
}

/** The current and former desired objects of all resources. */
function wantedIn({ server, controller, expectations }: Scene): Wanted[] {
  const resources = server.all(controller.kind);
  return resources.flatMap(({ metadata }) =>
    expectations.of(metadata.uid).flatMap((wish) => [...(wish?.values() ?? [])]),
  );
}

/** Acts of other users on names that the operator needs. */
export const squatters: readonly Act[] = [squats, leaves];
