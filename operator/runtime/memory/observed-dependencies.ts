import type { Facts } from '../controller/facts.js';
import type { Owned } from '../controller/owned-objects.js';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject } from '../kubernetes/object.js';

/** What a function looked at in the facts that it was given: a change of anything else cannot change its mind. */
export class ObservedDependencies {
  /** Kinds of owned objects, by {@link groupKindOf}. */
  readonly kinds: Set<string>;
  /** The time: what was found may be another thing a moment later, without any change. */
  now: boolean;
  /** The status of the resource. */
  status: boolean;
  /** What none of its own versions shows: what it refers to or gathers, and what is served. */
  elsewhere: boolean;

  /** Kinds of which it was asked whether they are served, which nobody is told. */
  readonly served: Set<ObjectKind>;

  /** @param seen what was looked at already */
  constructor(seen?: ObservedDependencies) {
    this.kinds = new Set(seen?.kinds);
    this.served = new Set(seen?.served);
    this.now = seen?.now ?? false;
    this.status = seen?.status ?? false;
    this.elsewhere = seen?.elsewhere ?? false;
  }

  /** The same facts, which tell this what is looked at in them. */
  of(facts: Facts): Facts {
    const { resource } = facts;
    const see = (what: 'now' | 'status' | 'elsewhere') => {
      this[what] = true;
    };
    const metadata = {
      ...resource.metadata,
      // What somebody adds to them makes no new version of the content.
      get annotations() {
        see('status');
        return resource.metadata.annotations;
      },
    };
    const seen = {
      ...resource,
      metadata: Object.freeze(metadata) as typeof resource.metadata,
      get status() {
        see('status');
        return resource.status;
      },
    };
    return {
      resource: Object.freeze(seen),
      owned: this.among(facts.owned),
      siblings: facts.siblings,
      isServed: (kind) => {
        see('elsewhere');
        this.served.add(kind);
        return facts.isServed(kind);
      },
      get reads() {
        see('elsewhere');
        return facts.reads;
      },
      get polled() {
        see('elsewhere');
        return facts.polled;
      },
      get now() {
        see('now');
        return facts.now;
      },
    };
  }

  /** The same objects, of which it is told too which kinds are looked at. */
  among(owned: Owned): Owned {
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

  /** True when all that another looked at was looked at here too. */
  includes({ kinds, now }: ObservedDependencies): boolean {
    return (this.now || !now) && [...kinds].every((kind) => this.kinds.has(everything) || this.kinds.has(kind));
  }

  /** The versions of those owned objects that were looked at. */
  versionsIn(owned: readonly { readonly kind: ObjectKind; readonly object: LiveObject }[]): string {
    const seen = owned.filter(({ kind }) => this.includesKind(kind));
    return seen.map(({ object }) => object.metadata.resourceVersion).join(' ');
  }

  includesKind(kind: ObjectKind): boolean {
    return this.kinds.has(everything) || this.kinds.has(groupKindOf(kind));
  }
}

const everything = '*';
