import { conditionOf } from '../../../runtime/controller/conditions.js';
import type { Controller } from '../../../runtime/controller/controller.js';
import type { CustomResource } from '../../../runtime/controller/custom-resource.js';
import type { Facts } from '../../../runtime/controller/facts.js';
import type { Owned } from '../../../runtime/controller/owned-objects.js';
import { reportIn } from '../../../runtime/controller/owned-status.js';
import type { Polled, PollRequest } from '../../../runtime/controller/polls.js';
import { type Found, foundBy, isReferredToBy, type Read } from '../../../runtime/controller/reads.js';
import { answersToPolls, unansweredKeeps } from '../../../runtime/external/external-answers.js';
import { isSame, specOf } from '../../../runtime/kubernetes/equality.js';
import { RejectedError } from '../../../runtime/kubernetes/errors.js';
import { groupKindOf, type LiveOf, type ObjectKind } from '../../../runtime/kubernetes/kinds.js';
import {
  isDeleting,
  keyOf,
  type LiveObject,
  type Manifest,
  type ObjectKey,
  type ObjectName,
} from '../../../runtime/kubernetes/object.js';
import { ObservedDependencies } from '../../../runtime/memory/observed-dependencies.js';
import { withPodOwners } from '../../../runtime/ownership/pod-owner.js';
import { withOwnershipLabels } from '../../../runtime/ownership/wish.js';
import type { DesiredCall } from '../../../runtime/rendering/external-call.js';
import type { Keep } from '../../../runtime/rendering/keep.js';
import { renderAll } from '../../../runtime/rendering/render.js';

/** One desired object of a spec. */
export interface Wanted {
  readonly kind: ObjectKind;
  /** The manifest that the operator should apply. */
  readonly wish: Manifest;
  /**
   * True if the operator may delete the object and create it again: a policy allows it, or `desire` decides by what exists or
   * by the status, which a process can know in an earlier state.
   */
  readonly isReplaceable: boolean;
}

/** The desired objects of one spec, by {@link nameOfObject}; undefined if the controller rejects the spec. */
export type Wish = ReadonlyMap<string, Wanted> | undefined;

/** `Kind.group namespace/name` */
export function nameOfObject(kind: ObjectKind, name: ObjectName): string {
  return `${groupKindOf(kind)} ${keyOf(name)}`;
}

/** The desired objects of every spec that the resources have had. */
export class Expectations {
  /** By UID and generation, oldest first. There are several if references changed under one generation. */
  readonly #wishes = new Map<string, Map<number, readonly Wish[]>>();

  constructor(
    readonly controller: Controller,
    readonly all: Everything,
    /** Answers the polls of the controller. */
    readonly answerTo: (name: string, asking: PollRequest) => Polled | undefined,
  ) {}

  /** The wishes besides which all objects stay. */
  readonly #keeping = new WeakSet<NonNullable<Wish>>();

  /** The last accepted generation in a status, by UID. */
  readonly #accepted = new Map<string, number>();

  /** Records the current state of a resource. */
  note(resource: CustomResource): void {
    const accepted = conditionOf({ status: reportIn(this.controller, resource) }, 'Accepted');
    if (accepted?.status === 'True' && accepted.observedGeneration)
      this.#accepted.set(resource.metadata.uid, accepted.observedGeneration);
    if (this.at(resource).length === 0) this.noteAgain(resource);
  }

  /** What the wishes of a resource followed from when they were recorded last, by UID. */
  readonly #grounds = new Map<string, readonly unknown[]>();

  /** Records a resource after a change that does not affect its generation, unless its wishes follow from the same. */
  noteAgain(resource: CustomResource): void {
    const { uid, generation = 0 } = resource.metadata;
    const grounds = groundsOf(this, resource);
    if (grounds && isSame(grounds, this.#grounds.get(uid))) return;
    if (grounds) this.#grounds.set(uid, grounds);
    const wishes = this.#wishes.get(uid) ?? new Map<number, readonly Wish[]>();
    this.#wishes.set(uid, wishes.set(generation, [...this.at(resource), ...this.#wishesOf(resource)]));
  }

  /** A failure has no desired objects. The convergence check reports it at the end. */
  #wishesOf(resource: CustomResource): readonly Wish[] {
    const known = this.#wishOf(this, resource);
    if (Object.keys(this.controller.polls).length === 0) return [known];
    return [this.#wishOf({ ...this, answerTo: () => undefined }, resource), known];
  }

  #wishOf(knowing: Knowledge, resource: CustomResource): Wish {
    try {
      return wishOf(knowing, resource, [], (wish) => this.#keeping.add(wish));
    } catch {
      return undefined;
    }
  }

  /** The desired objects of every spec of a resource, in order. */
  of(uid: string): readonly Wish[] {
    return [...(this.#wishes.get(uid)?.values() ?? [])].flat();
  }

  /** True if an object that is not among them may be pruned: nothing is missing that `desire` had to know. */
  isWhole(wish: NonNullable<Wish>): boolean {
    return !this.#keeping.has(wish);
  }

  /** The desired objects of every spec that may be the last accepted one: the last reported one and all later ones. */
  lastAccepted(uid: string): readonly NonNullable<Wish>[] {
    const told = this.#accepted.get(uid) ?? 0;
    const since = [...(this.#wishes.get(uid) ?? [])].filter(([generation]) => generation >= told);
    return since.flatMap(([, wishes]) => wishes.filter((wish) => wish !== undefined));
  }

  /** The desired objects of one generation, for all states of its references. */
  at({ metadata: { uid, generation = 0 } }: LiveObject): readonly Wish[] {
    return this.#wishes.get(uid)?.get(generation) ?? [];
  }
}

/** The input of a wish beside the resource. */
type Knowledge = Pick<Expectations, 'controller' | 'all' | 'answerTo'>;

/**
 * @param owned the owned objects for `desire`
 * @param keeps called if something stays besides the desired objects
 * @throws the errors of the controller, except a rejection of the spec
 */
export function wishOf(
  knowing: Knowledge,
  resource: CustomResource,
  owned: readonly { readonly kind: ObjectKind; readonly object: LiveObject }[],
  keeps: (wish: NonNullable<Wish>, kept: readonly Keep[]) => void = () => {},
): Wish {
  const { controller, all } = knowing;
  if (isDeleting(resource) && !controller.finalizes) return new Map();
  try {
    const facts = factsFor(knowing, resource, owned);
    const dependencies = new ObservedDependencies();
    const { desired, keeps: kept } = renderAll(controller, dependencies.of(facts));
    const find = (kind: ObjectKind, key: ObjectKey) => all(kind).find(({ metadata }) => keyOf(metadata) === key);
    const search = { controller, resource, find };
    const by = { controller: controller.name, kind: controller.kind, owner: resource };
    const { kinds, now, status } = dependencies;
    const isDecided = kinds.size > 0 || now || status;
    const wishes = withPodOwners(desired, search).map((one) => {
      const wish = withOwnershipLabels(one, { ...by, search });
      const isReplaceable = isDecided || one.once || one.replace === 'recreate';
      return [nameOfObject(one.kind, wish.metadata), { kind: one.kind, wish, isReplaceable }] as const;
    });
    const wish = new Map(wishes);
    if (kept.length + unansweredKeeps(controller, dependencies, facts.polled).length > 0) keeps(wish, kept);
    return wish;
  } catch (error) {
    if (error instanceof RejectedError) return undefined;
    throw error;
  }
}

/** The input of a wish that changes under one generation, without the times of answers; undefined if the controller fails. */
function groundsOf(knowing: Knowledge, resource: CustomResource): readonly unknown[] | undefined {
  const { metadata } = resource;
  try {
    const { reads, polled } = factsFor(knowing, resource, []);
    const answers = Object.entries(polled).map(([name, answer]) => [name, answer?.known ? [answer.value] : []]);
    return [metadata.generation, isDeleting(resource), specOf(resource), reads, answers];
  } catch {
    return undefined;
  }
}

/** The calls that a resource still needs, judged by what the systems outside are in fact. */
export function neededCalls(knowing: Knowledge, resource: CustomResource): readonly DesiredCall[] {
  const { controller } = knowing;
  if (controller.calls.length === 0 || (isDeleting(resource) && !controller.finalizes)) return [];
  try {
    return renderAll(controller, factsFor(knowing, resource, [])).calls;
  } catch (error) {
    if (error instanceof RejectedError) return [];
    throw error;
  }
}

function factsFor(
  { controller, all, answerTo }: Knowledge,
  resource: CustomResource,
  owned: readonly { readonly kind: ObjectKind; readonly object: LiveObject }[],
): Facts {
  const unasked: Facts = {
    resource,
    owned: ownedFrom(owned),
    siblings: ownedFrom([]),
    isServed: () => true,
    reads: referencesOf(controller, resource, all),
    polled: {},
    now: new Date(0),
  };
  return { ...unasked, polled: answersToPolls(controller, unasked, answerTo).answers };
}

function ownedFrom(owned: readonly { readonly kind: ObjectKind; readonly object: LiveObject }[]): Owned {
  const of = <O extends ObjectKind>(kind: O) =>
    owned.filter((one) => groupKindOf(one.kind) === groupKindOf(kind)).map(({ object }) => object as LiveOf<O>);
  return { of, one: (kind) => of(kind)[0], all: () => owned.map(({ object }) => object) };
}

/** All objects of a kind. */
type Everything = (kind: ObjectKind) => readonly LiveObject[];

/** The current objects that a resource refers to. */
function referencesOf({ reads }: Controller, resource: CustomResource, all: Everything): Found {
  const found = Object.entries(reads).map(([name, read]) => [name, referenced(read, resource, all)] as const);
  return Object.fromEntries(found) as Found;
}

function referenced(read: Read, resource: CustomResource, all: Everything): unknown {
  const everything = [...all(read.kind)].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const objects = read
    .refersTo(resource)
    .map((reference) => everything.filter((one) => isReferredToBy(one, reference, read)));
  return foundBy(read, objects);
}
