import { apiVersionOf } from '../../../runtime/kubernetes/kinds.js';
import { keyOf } from '../../../runtime/kubernetes/object.js';
import type { Wanted } from '../environment/expectations.js';
import { type Found, objectsIn, type Scene } from '../environment/scene.js';
import type { Act } from './act.js';

/** Somebody makes an object of a name that the operator wants, if need be in the place of the operator's. */
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
  return `makes a ${kind.kind} ${keyOf(metadata)} of his own`;
};

const leaves: Act = (scene) => {
  const [found] = foreignIn(scene);
  return found && leave(scene, found);
};

/** At the end most give the names back; some never do. */
export function leaveNames(scene: Scene): void {
  for (const found of foreignIn(scene)) {
    if (scene.chance.happens(0.7)) scene.history.say('somebody', leave(scene, found));
  }
}

function leave({ server }: Scene, { kind, object }: Found): string {
  server.remove(kind, object);
  return `removes his own ${kind.kind} ${keyOf(object.metadata)}`;
}

function foreignIn(scene: Scene): Found[] {
  return objectsIn(scene).filter(({ object }) => scene.foreign.has(object.metadata.uid));
}

/** What any resource wants, or wanted. */
function wantedIn({ server, controller, expectations }: Scene): Wanted[] {
  const resources = server.all(controller.kind);
  return resources.flatMap(({ metadata }) =>
    expectations.of(metadata.uid).flatMap((wish) => [...(wish?.values() ?? [])]),
  );
}

/** What others do with names that the operator wants. */
export const squatters: readonly Act[] = [squats, leaves];
