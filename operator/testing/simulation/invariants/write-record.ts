import { groupKindOf } from '../../../runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../runtime/kubernetes/object.js';
import { appliedAnnotation } from '../../../runtime/kubernetes/well-known-names.js';
import { nameOfObject, type Wish } from '../environment/expectations.js';
import type { SimulatedProcess } from '../environment/process.js';
import type { Scene } from '../environment/scene.js';
import type { Effect } from '../environment/server.js';

/** One write of an object. `what` is undefined for a removal. */
interface Asked {
  readonly by: string;
  readonly at: number;
  readonly what: string | undefined;
}

/** The writes of the operator per object, without later changes by others. */
export class Written {
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

  /** The first object of a wish that, as far as the process can know, is not written in its desired state. */
  firstMissing(wish: NonNullable<Wish>, process: SimulatedProcess): string | undefined {
    const missing = [...wish].find(([name, { wish: wanted }]) => {
      const isSo = (what: string | undefined) => what === askedOf(wanted) || (this.#isLoose && what !== undefined);
      return !this.#believedBy(process, name).some(({ what }) => isSo(what));
    });
    return missing?.[0];
  }

  /** The states that a process may know: since its last write or its start, because later events may be missing. */
  #believedBy({ identity, born }: SimulatedProcess, name: string): readonly Asked[] {
    const asked = this.#asked.get(name) ?? [];
    const own = asked.findLastIndex(({ by }) => by === identity);
    const listed = asked.findLastIndex(({ at }) => at <= born);
    return asked.slice(Math.max(own, listed, 0));
  }

  /** True if the controller reads objects. A process may see any of their former states, each with another wish. */
  get #isLoose(): boolean {
    return Object.keys(this.scene.controller.reads).length > 0;
  }
}

function askedOf({ metadata }: Manifest): string | undefined {
  return metadata.annotations?.[appliedAnnotation];
}

/** True of a kind that the controller owns. */
export function isOwnedKind({ controller }: Scene, kind: { group: string; kind: string }): boolean {
  return controller.owns.some((owned) => groupKindOf(owned) === groupKindOf(kind));
}
