import type { Facts } from '../controller/facts.js';
import type { Owned } from '../controller/owned-objects.js';
import type { Answers } from '../controller/polls.js';
import { isSame } from '../kubernetes/equality.js';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject } from '../kubernetes/object.js';

/** Records which facts a function read. A change of any other fact cannot change its result. */
export class ObservedDependencies {
  /** The kinds of owned objects that were read, by {@link groupKindOf}. */
  readonly kinds: Set<string>;
  /** The kinds of objects of sibling controllers that were read, by {@link groupKindOf}. */
  readonly siblingKinds: Set<string>;
  /** The time was read. The result may change without any event. */
  now: boolean;
  /** The status or the annotations of the resource were read. */
  status: boolean;
  /** The fields of the status that were read. Undefined if the status was not read. */
  statusFields: Set<string> | undefined;
  /** Facts that no own version shows were read: references, polls, or whether a kind is served. */
  elsewhere: boolean;

  /** The polls that were read and had no answer. */
  readonly unanswered: Set<string>;

  /** The kinds for which `isServed` was called. */
  readonly served: Set<ObjectKind>;

  /** @param seen what was read already */
  constructor(seen?: ObservedDependencies) {
    this.kinds = new Set(seen?.kinds);
    this.siblingKinds = new Set(seen?.siblingKinds);
    this.served = new Set(seen?.served);
    this.unanswered = new Set(seen?.unanswered);
    this.now = seen?.now ?? false;
    this.status = seen?.status ?? false;
    this.statusFields = seen?.statusFields && new Set(seen.statusFields);
    this.elsewhere = seen?.elsewhere ?? false;
  }

  /** The same facts, with a record of what is read in them. */
  of(facts: Facts): Facts {
    const { resource } = facts;
    const see = (what: 'now' | 'status' | 'elsewhere') => {
      this[what] = true;
    };
    const { unanswered } = this;
    let polled: Answers | undefined;
    // One for all reads: it is the same object each time, and a status is read many times.
    let status: object | undefined;
    const statusSeen = () => {
      this.statusFields ??= new Set();
      status ??= recorded(resource.status, this.statusFields);
      return status;
    };
    const metadata = {
      ...resource.metadata,
      // Annotations by others create no new content version.
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
        return statusSeen();
      },
    };
    return {
      resource: Object.freeze(seen),
      owned: this.among(facts.owned),
      siblings: recordedKinds(facts.siblings, this.siblingKinds),
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
        polled ??= recordedAnswers(facts.polled, unanswered);
        return polled;
      },
      get now() {
        see('now');
        return facts.now;
      },
    };
  }

  /** The same objects, with a record of which kinds are read. */
  among(owned: Owned): Owned {
    return recordedKinds(owned, this.kinds);
  }

  /** True if everything that the other one read was read here too. */
  includes({ kinds, siblingKinds, now }: ObservedDependencies): boolean {
    const isSeen = has(this.kinds);
    const isSeenBeside = has(this.siblingKinds);
    return (this.now || !now) && [...kinds].every(isSeen) && [...siblingKinds].every(isSeenBeside);
  }

  /**
   * True if something that was read of the status differs. A field that was read while it was missing leaves no trace,
   * so a field that appears or disappears counts as read.
   */
  differIn(before: object = {}, after: object = {}): boolean {
    const fields = this.statusFields;
    if (!fields || before === after) return false;
    const read = [...Object.keys(before), ...Object.keys(after)].filter(
      (field) => fields.has(field) || !Object.hasOwn(before, field) || !Object.hasOwn(after, field),
    );
    return read.some((field) => !isSame(before[field as keyof object], after[field as keyof object]));
  }

  /** The versions of the owned objects that were read. */
  versionsIn(owned: readonly { readonly kind: ObjectKind; readonly object: LiveObject }[]): string {
    const seen = owned.filter(({ kind }) => this.includesKind(kind));
    return seen.map(({ object }) => object.metadata.resourceVersion).join(' ');
  }

  includesKind(kind: ObjectKind): boolean {
    return has(this.kinds)(groupKindOf(kind));
  }

  /** True if objects of the kind that sibling controllers created were read. */
  includesSibling(kind: ObjectKind): boolean {
    return has(this.siblingKinds)(groupKindOf(kind));
  }
}

const everything = '*';

function has(kinds: ReadonlySet<string>): (kind: string) => boolean {
  return (kind) => kinds.has(everything) || kinds.has(kind);
}

/** The same objects, with a record of which kinds are read. */
function recordedKinds(objects: Owned, kinds: Set<string>): Owned {
  return {
    of: (kind) => {
      kinds.add(groupKindOf(kind));
      return objects.of(kind);
    },
    one: (kind) => {
      kinds.add(groupKindOf(kind));
      return objects.one(kind);
    },
    all: () => {
      kinds.add(everything);
      return objects.all();
    },
  };
}

/** The same status, with a record of which fields are read. */
function recorded(status: object | undefined, fields: Set<string>): object | undefined {
  if (status === undefined) return undefined;
  const seen = {};
  for (const [field, value] of Object.entries(status)) {
    const get = () => {
      fields.add(field);
      return value;
    };
    Object.defineProperty(seen, field, { enumerable: true, get });
  }
  return Object.freeze(seen);
}

/** The same answers, with a record of the polls that are read and have none. */
function recordedAnswers(answers: Answers, unanswered: Set<string>): Answers {
  const missing = Object.entries(answers).filter(([, answer]) => answer?.known === false);
  if (missing.length === 0) return answers;
  const seen = { ...answers };
  for (const [name, answer] of missing) {
    const get = () => {
      unanswered.add(name);
      return answer;
    };
    Object.defineProperty(seen, name, { enumerable: true, get });
  }
  return Object.freeze(seen);
}
