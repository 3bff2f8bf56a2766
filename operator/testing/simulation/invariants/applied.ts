import type { CustomResource, RuntimeStatus } from '../../../runtime/controller.js';
import { appliedAnnotation } from '../../../runtime/inventory.js';
import { groupKindOf } from '../../../runtime/kinds.js';
import type { LiveObject, Manifest } from '../../../runtime/object.js';
import { nameOfObject, type Wish } from '../expectations.js';
import { ownerUidOf, type Scene } from '../scene.js';
import type { Effect } from '../server.js';
import type { InvariantOf } from './invariant.js';

/** What the operator wrote last of each object, whatever others made of it since. */
class Written {
  readonly #asked = new Map<string, string | undefined>();

  constructor(readonly scene: Scene) {}

  hear({ request: { kind }, by, before, after }: Effect): void {
    const object = after ?? before;
    if (!by || !object || !isOwnedKind(this.scene, kind)) return;
    this.#asked.set(nameOfObject(kind, object.metadata), after && askedOf(after));
  }

  /** The first object of a wish that the operator has not written as that wish wants it. */
  firstMissing(wish: NonNullable<Wish>): string | undefined {
    const missing = [...wish].find(([name, { wish: wanted }]) => this.#asked.get(name) !== askedOf(wanted));
    return missing?.[0];
  }
}

function askedOf({ metadata }: Manifest): string | undefined {
  return metadata.annotations?.[appliedAnnotation];
}

function isOwnedKind({ controller }: Scene, kind: { group: string; kind: string }): boolean {
  return controller.owns.some((owned) => groupKindOf(owned) === groupKindOf(kind));
}

/** A pass may act on any spec that the resource has had: it must have applied all of one that does not want the object. */
export const pruning: InvariantOf = (scene) => {
  const written = new Written(scene);
  return {
    promise: 'prunes only when everything that is wanted has been applied',
    onEffect: (effect) => {
      const { request, by, before } = effect;
      const owner = before && ownerUidOf(scene, before);
      if (!by || !before || request.verb !== 'remove' || owner === undefined || !isOwnedKind(scene, request.kind)) {
        written.hear(effect);
        return undefined;
      }
      const name = nameOfObject(request.kind, before.metadata);
      const wishes = scene.expectations.of(owner);
      const isReplaced = wishes.at(-1)?.has(name) ?? false;
      const isDue = wishes.some((wish) => wish && !wish.has(name) && written.firstMissing(wish) === undefined);
      written.hear(effect);
      return isReplaced || isDue ? undefined : `${name} was removed before all was applied of a spec that lacks it`;
    },
  };
};

export const readiness: InvariantOf = (scene) => {
  const written = new Written(scene);
  return {
    promise: 'says Ready only of a spec of which everything has been applied',
    onEffect: (effect) => {
      written.hear(effect);
      const { request, by, before, after } = effect;
      if (!by || !after || groupKindOf(request.kind) !== groupKindOf(scene.controller.kind)) return undefined;
      if (!isReady(after) || (before && isReady(before))) return undefined;
      const wish = scene.expectations.at(after);
      const missing = wish && written.firstMissing(wish);
      return (
        missing && `${after.metadata.name} is Ready, but ${missing} is not as generation ${generationOf(after)} wants`
      );
    },
  };
};

/** True if the status calls the spec that the resource has now Ready. */
function isReady(resource: LiveObject): boolean {
  const { conditions, observedGeneration } = ((resource as CustomResource).status ?? {}) as RuntimeStatus;
  const ready = conditions?.find(({ type }) => type === 'Ready');
  const generation = generationOf(resource);
  return ready?.status === 'True' && ready.observedGeneration === generation && observedGeneration === generation;
}

function generationOf({ metadata }: LiveObject): number | undefined {
  return metadata.generation;
}
