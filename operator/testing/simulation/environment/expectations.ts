import type { Controller } from '../../../runtime/controller/controller.js';
import { type CustomResource, runtimeStatusOf } from '../../../runtime/controller/custom-resource.js';
import type { Facts } from '../../../runtime/controller/facts.js';
import type { Owned } from '../../../runtime/controller/owned-objects.js';
import type { Polled, PollRequest } from '../../../runtime/controller/polls.js';
import { type Found, foundBy, hasLabels, type Read, type Reference } from '../../../runtime/controller/reads.js';
import { RejectedError } from '../../../runtime/kubernetes/errors.js';
import { groupKindOf, type LiveOf, type ObjectKind } from '../../../runtime/kubernetes/kinds.js';
import {
  isDeleting,
  keyOf,
  type LiveObject,
  type Manifest,
  type ObjectName,
} from '../../../runtime/kubernetes/object.js';
import { askedFor } from '../../../runtime/observe/external-answers.js';
import { withOwnershipLabels } from '../../../runtime/ownership/ownership-labels.js';
import { render } from '../../../runtime/rendering/render.js';

/** One object that a spec wants. */
export interface Wanted {
  readonly kind: ObjectKind;
  /** As the operator is to send it. */
  readonly wish: Manifest;
}

/** What one spec wants, by {@link nameOfObject}; undefined where the controller rejects it. */
export type Wish = ReadonlyMap<string, Wanted> | undefined;

/** `Kind.group namespace/name` */
export function nameOfObject(kind: ObjectKind, name: ObjectName): string {
  return `${groupKindOf(kind)} ${keyOf(name)}`;
}

/** What the controller makes of every spec that its resources have had. */
export class Expectations {
  /** By UID and generation: one, or where references changed under it several, the last one last. */
  readonly #wishes = new Map<string, Map<number, readonly Wish[]>>();

  constructor(
    readonly controller: Controller,
    readonly all: Everything,
    /** What is answered to what the controller gathers. */
    readonly answerTo: (name: string, asking: PollRequest) => Polled | undefined,
  ) {}

  /** By UID: the last generation that a status called accepted. */
  readonly #accepted = new Map<string, number>();

  /** Takes note of a resource as it is now. */
  note(resource: CustomResource): void {
    const { conditions = [] } = runtimeStatusOf(resource);
    const accepted = conditions.find(({ type, status }) => type === 'Accepted' && status === 'True');
    if (accepted?.observedGeneration) this.#accepted.set(resource.metadata.uid, accepted.observedGeneration);
    if (this.at(resource).length === 0) this.noteAgain(resource);
  }

  /** Takes note of one, of which something has changed that its generation does not tell. */
  noteAgain(resource: CustomResource): void {
    const { uid, generation = 0 } = resource.metadata;
    const wishes = this.#wishes.get(uid) ?? new Map<number, readonly Wish[]>();
    this.#wishes.set(uid, wishes.set(generation, [...this.at(resource), ...this.#wishesOf(resource)]));
  }

  /** What fails wants nothing that could be waited for; in the end it is told. */
  #wishesOf(resource: CustomResource): readonly Wish[] {
    const known = this.#wishOf(this, resource);
    if (Object.keys(this.controller.polls).length === 0) return [known];
    return [this.#wishOf({ ...this, answerTo: () => undefined }, resource), known];
  }

  #wishOf(knowing: Knowledge, resource: CustomResource): Wish {
    try {
      return wishOf(knowing, resource, []);
    } catch {
      return undefined;
    }
  }

  /** Of every spec that a resource has had, in order. */
  of(uid: string): readonly Wish[] {
    return [...(this.#wishes.get(uid)?.values() ?? [])].flat();
  }

  /** Of every spec that may be the last accepted one: that of which it was said, and those after it. */
  lastAccepted(uid: string): readonly NonNullable<Wish>[] {
    const told = this.#accepted.get(uid) ?? 0;
    const since = [...(this.#wishes.get(uid) ?? [])].filter(([generation]) => generation >= told);
    return since.flatMap(([, wishes]) => wishes.filter((wish) => wish !== undefined));
  }

  /** Of the spec of one generation, for all that it has referred to. */
  at({ metadata: { uid, generation = 0 } }: LiveObject): readonly Wish[] {
    return this.#wishes.get(uid)?.get(generation) ?? [];
  }
}

/** What a wish follows from, beside the resource. */
type Knowledge = Pick<Expectations, 'controller' | 'all' | 'answerTo'>;

/**
 * @param owned what the controller is told that is there
 * @throws what the controller throws, unless it is that it rejects the spec
 */
export function wishOf(
  { controller, all, answerTo }: Knowledge,
  resource: CustomResource,
  owned: readonly { readonly kind: ObjectKind; readonly object: LiveObject }[],
): Wish {
  if (isDeleting(resource) && !controller.finalizes) return new Map();
  const unasked: Facts = {
    resource,
    owned: ownedFrom(owned),
    siblings: ownedFrom([]),
    isServed: () => true,
    reads: referencesOf(controller, resource, all),
    polled: {},
    now: new Date(0),
  };
  try {
    const facts = { ...unasked, polled: askedFor(controller, unasked, answerTo).answers };
    const desired = render(controller, facts).map((one) => {
      const wish = withOwnershipLabels(one, { controller: controller.name, kind: controller.kind, owner: resource });
      return [nameOfObject(one.kind, wish.metadata), { kind: one.kind, wish }] as const;
    });
    return new Map(desired);
  } catch (error) {
    if (error instanceof RejectedError) return undefined;
    throw error;
  }
}

function ownedFrom(owned: readonly { readonly kind: ObjectKind; readonly object: LiveObject }[]): Owned {
  const of = <O extends ObjectKind>(kind: O) =>
    owned.filter((one) => groupKindOf(one.kind) === groupKindOf(kind)).map(({ object }) => object as LiveOf<O>);
  return { of, one: (kind) => of(kind)[0], all: () => owned.map(({ object }) => object) };
}

/** All objects of a kind. */
type Everything = (kind: ObjectKind) => readonly LiveObject[];

/** What a resource refers to, as it is now. */
function referencesOf({ reads }: Controller, resource: CustomResource, all: Everything): Found {
  const found = Object.entries(reads).map(([name, read]) => [name, referenced(read, resource, all)] as const);
  return Object.fromEntries(found) as Found;
}

function referenced(read: Read, resource: CustomResource, all: Everything): unknown {
  const everything = [...all(read.kind)].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const objects = read.refersTo(resource).map((reference) => everything.filter((one) => isMeant(one, reference)));
  return foundBy(read, objects);
}

function isMeant(object: LiveObject, reference: Reference): boolean {
  if ((object.metadata.namespace ?? '') !== reference.namespace) return false;
  return 'name' in reference ? object.metadata.name === reference.name : hasLabels(object, reference.labels);
}
