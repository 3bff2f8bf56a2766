import type { Facts, Owned } from './controller.js';
import { groupKindOf, type ObjectKind } from './kinds.js';

/** What a function looked at in the facts that it was given: a change of anything else cannot change its mind. */
export class Sight {
  /** Kinds of owned objects, by {@link groupKindOf}. */
  readonly kinds = new Set<string>();
  /** The time: what was found may be another thing a moment later, without any change. */
  now = false;
  /** The status of the resource. */
  status = false;

  /** The same facts, which tell this what is looked at in them. */
  of(facts: Facts): Facts {
    const { resource } = facts;
    const see = (what: 'now' | 'status') => {
      this[what] = true;
    };
    const seen = {
      ...resource,
      get status() {
        see('status');
        return resource.status;
      },
    };
    return {
      resource: Object.freeze(seen),
      owned: this.#owned(facts.owned),
      reads: facts.reads,
      get now() {
        see('now');
        return facts.now;
      },
    };
  }

  #owned(owned: Owned): Owned {
    const see = (kind: ObjectKind) => {
      this.kinds.add(groupKindOf(kind));
    };
    return {
      of: (kind) => {
        see(kind);
        return owned.of(kind);
      },
      one: (kind) => {
        see(kind);
        return owned.one(kind);
      },
      all: () => {
        this.kinds.add(everything);
        return owned.all();
      },
    };
  }

  sees(kind: ObjectKind): boolean {
    return this.kinds.has(everything) || this.kinds.has(groupKindOf(kind));
  }
}

const everything = '*';
