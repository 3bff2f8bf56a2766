import type { CustomResource, RuntimeStatus } from '../../../runtime/controller.js';
import { appliedAnnotation } from '../../../runtime/inventory.js';
import { groupKindOf } from '../../../runtime/kinds.js';
import type { LiveObject, Manifest } from '../../../runtime/object.js';
import { nameOfObject, type Wish } from '../expectations.js';
import type { SimulatedProcess } from '../process.js';
import { ownerUidOf, type Scene } from '../scene.js';
import type { Effect } from '../server.js';
import type { InvariantOf } from './invariant.js';

/** What was asked for in one write of an object; undefined of its removal. */
interface Asked {
  readonly by: string;
  readonly at: number;
  readonly what: string | undefined;
}

/** What the operator wrote of each object, whatever others made of it since. */
class Written {
  readonly #asked = new Map<string, Asked[]>();

  constructor(readonly scene: Scene) {}

  hear({ request: { kind }, by, before, after }: Effect): void {
    const object = after ?? before;
    if (!by || !object || !isOwnedKind(this.scene, kind)) return;
    const name = nameOfObject(kind, object.metadata);
    const asked = this.#asked.get(name) ?? [];
    this.#asked.set(name, asked);
    asked.push({ by: by.identity, at: this.scene.time.now, what: after && askedOf(after) });
  }

  /** The first object of a wish that a process cannot believe to be written as that wish wants it. */
  firstMissing(wish: NonNullable<Wish>, process: SimulatedProcess): string | undefined {
    const missing = [...wish].find(([name, { wish: wanted }]) => {
      const isSo = (what: string | undefined) => what === askedOf(wanted) || (this.#isLoose && what !== undefined);
      return !this.#believedBy(process, name).some(({ what }) => isSo(what));
    });
    return missing?.[0];
  }

  /** A process knows its last write, and what was there when it began; of what others wrote since it may not have heard. */
  #believedBy({ identity, born }: SimulatedProcess, name: string): readonly Asked[] {
    const asked = this.#asked.get(name) ?? [];
    const own = asked.findLastIndex(({ by }) => by === identity);
    const listed = asked.findLastIndex(({ at }) => at <= born);
    return asked.slice(Math.max(own, listed, 0));
  }

  /** What is referred to may be seen as it was: any of its states makes another wish. */
  get #isLoose(): boolean {
    return Object.keys(this.scene.controller.reads).length > 0;
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
      const isDue = wishes.some((wish) => wish && !wish.has(name) && written.firstMissing(wish, by) === undefined);
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
      const missing = scene.expectations.at(after).map((wish) => wish && written.firstMissing(wish, by));
      if (missing.length === 0 || missing.includes(undefined)) return undefined;
      return `${after.metadata.name} is Ready, but ${missing[0]} is not as generation ${generationOf(after)} wants`;
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
