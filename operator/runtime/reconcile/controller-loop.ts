import { CacheSync } from '../cache/cache-sync.js';
import type { Change } from '../cache/listeners.js';
import type { ReferenceIndex } from '../cache/reference-index.js';
import { aborted, linked } from '../concurrency/abort-signals.js';
import { reconcileBackoff, refusalBackoff } from '../concurrency/backoff.js';
import { type Attempt, type Load, type Priority, WorkQueue } from '../concurrency/work-queue.js';
import { evictOwned } from '../context/object-writes.js';
import type { ControllerContext } from '../context/reconcile-context.js';
import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { untilOverdue } from '../controller/finalization.js';
import { kindsRead } from '../controller/reads.js';
import { GarbageCollection } from '../deletion/garbage-collection.js';
import { isFenced, isOutdated, isRefusal, retryAfterOf, UnfinishedError } from '../kubernetes/errors.js';
import { distinct, groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import { keyOf } from '../kubernetes/object.js';
import { ReconciledState } from '../memory/reconciled-state.js';
import { isOwnedAlike, ownerKeysOf } from '../ownership/owner-annotation.js';
import { withFields } from '../ports/telemetry.js';
import { evictGone, evictResource } from './eviction.js';
import { Failures } from './failures.js';
import { fencedByGeneration } from './generation-fence.js';
import { isRelevant, isSpecChange, isUnchanged } from './predicates.js';
import { reconcile } from './reconcile.js';

export interface LoopOptions {
  /** Passes at a time. */
  readonly maxConcurrentReconciles: number;
  /** Milliseconds after which every resource is looked at again, from the caches; ten times later where all is done. */
  readonly resyncPeriod: number;
  /** Milliseconds after which a pass is given up. */
  readonly reconcileTimeout: number;
}

/** Passes of one resource that edits may cut in a row; the next one is finished, so that edits without end starve nothing. */
const maxSupersededRuns = 5;

/** How much later a resource is looked at again of which all is done: whatever changes that wakes it. */
const calmer = 10;

/** Milliseconds until a pass goes on with what another one has left to it: a forged inventory has many parts. */
const nextPart = 1_000;

const idle: Load = { waiting: { edit: 0, event: 0, routine: 0 }, running: [] };

/**
 * Runs one controller: turns what changes in the caches into keys, and keys into passes.
 *
 * What changes before a run is seen by its first look.
 */
export class ControllerLoop {
  #queue: WorkQueue | undefined;
  readonly #references: ReferenceIndex;
  /** Of each resource that had a pass, until a change that its versions do not show. */
  readonly #reconciledStates = new Map<string, ReconciledState>();
  readonly #unlisten: (() => void)[];
  /** Passes that edits have cut, by key, until one was finished. */
  readonly #supersededRuns = new Map<string, number>();
  readonly #failures: Failures;
  readonly #cacheSync: CacheSync;

  constructor(
    readonly place: ControllerContext,
    readonly options: LoopOptions,
  ) {
    const { controller, stores } = place;
    this.#references = stores.reading(controller);
    this.#failures = new Failures(place);
    this.#cacheSync = new CacheSync(place);
    place.pollers?.listen((key) => this.#add(key, 'event'));
    stores.enlist(controller);
    const { name } = controller;
    const made = distinct([...controller.owns, ...controller.watchesSiblings]);
    this.#unlisten = [
      this.#cacheSync.listen((key) => this.#enqueue(key, 'routine')),
      stores.of(controller.kind).listen((change) => this.#resourceChanged(change), name),
      // Of a resource that it makes of its own kind it would not hear.
      ...made
        .filter((kind) => groupKindOf(kind) === groupKindOf(controller.kind))
        .map((kind) => stores.of(kind).listen((change) => this.#madeItself(change), `${name} as owner`)),
      ...made.map((kind) => stores.of(kind).listen((change) => this.#ownedChanged(kind, change), name)),
      ...kindsRead([controller]).map((kind) => stores.read(kind).listen((change) => this.#readChanged(kind, change))),
    ];
  }

  get controller(): Controller {
    return this.place.controller;
  }

  /** The resources, as the caches have them. */
  *resources(): IterableIterator<CustomResource> {
    const store = this.place.stores.of(this.controller.kind);
    for (const key of store.keys()) yield store.get(key) as CustomResource;
  }

  /** What waits and what runs; nothing while another process leads. */
  get load(): Load {
    return this.#queue?.load ?? idle;
  }

  /**
   * Looks at every resource once the caches hold everything there is around it, and from then on whenever it changes.
   * @param finish no new pass after this; those that run have `grace` milliseconds to end by themselves
   */
  async run(finish: AbortSignal, grace: number): Promise<void> {
    const { clock, pollers, lastAcceptedSpecs, stores } = this.place;
    if (finish.aborted) return;
    const stop = new AbortController();
    const queue = this.#queueOf(stop.signal);
    this.#queue = queue;
    lastAcceptedSpecs.clear(); // who led since may have accepted another
    this.#reconciledStates.clear(); // what was gathered in an earlier term is forgotten, and is asked for by passes alone
    for (const key of stores.of(this.controller.kind).keys()) this.#enqueue(key, 'routine');
    pollers?.open();
    queue.open();
    const uncollected = new GarbageCollection(this.place).run(finish);
    await aborted(finish);
    pollers?.close();
    const cancel = clock.after(grace, () => stop.abort(new Error('the operator stops')));
    await Promise.all([queue.close(), uncollected]);
    cancel();
    this.#queue = undefined;
  }

  /** Hears of no change any more. */
  close(): void {
    for (const unlisten of this.#unlisten) unlisten();
  }

  #queueOf(stop: AbortSignal): WorkQueue {
    const { clock, controller, telemetry } = this.place;
    return new WorkQueue({
      clock,
      heard: {
        owed: () => telemetry.enqueued({ controller: controller.name }),
        began: (waited) => telemetry.reconcileStarted({ controller: controller.name, seconds: waited / 1000 }),
      },
      maxConcurrentReconciles: this.options.maxConcurrentReconciles,
      run: (key, attempt) => this.#run(key, attempt, stop),
      backoff: (error) => (isRefusal(error) ? refusalBackoff : reconcileBackoff),
      asked: retryAfterOf,
      failed: (key, error, { failures, id }) => this.#failed(key, error, { failures: failures + 1, id }, stop),
    });
  }

  async #run(key: string, { failures, id }: Attempt, stop: AbortSignal): Promise<number | undefined> {
    const { clock, controller, stores, telemetry } = this.place;
    const resource = stores.of(controller.kind).get(key);
    if (!resource) {
      this.#supersededRuns.delete(key);
      this.#failures.forget(key);
      return reconcile(key, this.place, stop); // gone: there is nothing to look at
    }
    if (!this.#cacheSync.admits(key)) return undefined; // it was when it was added, and refers to something else since
    const reconciledState = this.#reconciledStateOf(key);
    if (isUnchanged(resource, { ...this.place, reconciledState })) return this.#again(calmer);
    const isGlance = reconciledState.isSettled(resource);
    const began = clock.monotonic();
    const { signal, done, isLate } = this.#deadline(stop);
    const seconds = () => (clock.monotonic() - began) / 1000;
    try {
      const told = { ...telemetry, log: withFields({ reconcileID: id }, telemetry.log) };
      const place = { ...this.#contextFor(key), reconciledState, failures, telemetry: told };
      const of = { controller: controller.name, key, reconcileID: id };
      const recheck = await telemetry.span('reconcile', of, () => reconcile(key, place, signal));
      this.#supersededRuns.delete(key);
      this.#failures.forget(key);
      const result = recheck === undefined ? 'success' : 'requeue_after';
      // A status was looked at and there was nothing to say of it: that is what every rollout is full of, and no pass.
      const now = stores.of(controller.kind).get(key);
      if (!isGlance || now !== resource)
        telemetry.reconciled({ controller: controller.name, result, seconds: seconds() });
      if (!now) return undefined; // gone: there is nothing to look at again
      return Math.min(recheck ?? Number.POSITIVE_INFINITY, this.#again(reconciledState.isAll(now) ? calmer : 1));
    } catch (error) {
      this.#reconciledStates.delete(key);
      const isCut = isOutdated(error);
      const isPart = error instanceof UnfinishedError;
      const result = isCut ? 'requeue' : isPart ? 'requeue_after' : 'error';
      telemetry.reconciled({ controller: controller.name, result, seconds: seconds(), late: isLate() });
      if (isCut) return this.#beginAgain(key);
      this.#supersededRuns.delete(key);
      if (isPart) return nextPart;
      this.#failures.note(key, resource);
      throw error;
    } finally {
      done();
      evictGone(resource, { ...this.place, reading: this.#references });
    }
  }

  /** At once, and no failure: the row of failures ends, for it was of an older spec. */
  #beginAgain(key: string): undefined {
    this.#supersededRuns.set(key, (this.#supersededRuns.get(key) ?? 0) + 1);
    this.#add(key, 'edit');
    return undefined;
  }

  /** Where a pass works: an edit cuts it before its next write, unless the controller or fairness wants it finished. */
  #contextFor(key: string): ControllerContext {
    const { controller, cluster, stores } = this.place;
    const cuts = this.#supersededRuns.get(key) ?? 0;
    if (controller.onSpecChange === 'finish' || cuts >= maxSupersededRuns) return this.place;
    const store = stores.of(controller.kind);
    return { ...this.place, cluster: fencedByGeneration(cluster, store.get(key), () => store.get(key)) };
  }

  #reconciledStateOf(key: string): ReconciledState {
    const reconciledState = this.#reconciledStates.get(key) ?? new ReconciledState(this.place);
    this.#reconciledStates.set(key, reconciledState);
    return reconciledState;
  }

  #deadline(stop: AbortSignal): { signal: AbortSignal; isLate: () => boolean; done: () => void } {
    const { reconcileTimeout } = this.options;
    const { signal, abort, release } = linked(stop);
    let isLate = false;
    const cancel = this.place.clock.after(reconcileTimeout, () => {
      isLate = true;
      abort(new Error(`the reconcile took longer than ${reconcileTimeout} ms`));
    });
    const done = () => {
      cancel();
      release();
    };
    return { signal, isLate: () => isLate, done };
  }

  /** When to look again: spread over a tenth, so that what was started together is not looked at together for ever. */
  #again(times: number): number {
    return times * this.options.resyncPeriod * (0.9 + 0.1 * this.place.clock.random());
  }

  async #failed(key: string, error: unknown, attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { clock, controller, stores } = this.place;
    if (isFenced(error)) return; // the term is over: the next leader's business
    const resource = stores.of(controller.kind).get(key);
    const left = resource && untilOverdue(controller, resource, clock.now());
    if (left !== undefined && left > 0) this.#queue?.addAfter(key, left); // a deadline waits for no backoff
    await this.#failures.tell(key, error, attempt, signal);
  }

  #resourceChanged({ before, after, initial }: Change): void {
    const object = after ?? before;
    if (!object) return;
    if (after) this.#references.follow(after as CustomResource);
    else {
      evictResource(object, { ...this.place, reading: this.#references });
      this.#cacheSync.forget(keyOf(object.metadata));
    }
    this.#add(keyOf(object.metadata), initial ? 'routine' : isSpecChange(before, after) ? 'edit' : 'event');
  }

  #madeItself(change: Change): void {
    if (isSpecChange(change.before, change.after)) this.#resourceChanged(change);
  }

  /** Wakes the owners that an object had as well as those that it has. */
  #ownedChanged(kind: ObjectKind, change: Change): void {
    const { before, after } = change;
    if (before && !after) evictOwned(before, this.place);
    const { kind: ownerKind } = this.controller;
    const isAlike = before && after && isOwnedAlike(before, after);
    const had = before && !isAlike ? ownerKeysOf(before, ownerKind) : [];
    const has = after ? ownerKeysOf(after, ownerKind) : [];
    const keys = [...had, ...has];
    const owners = keys.length > 1 ? new Set(keys) : keys;
    // Whoever may write one object can name thousands of owners, of which there is none.
    for (const key of owners) if (this.place.stores.of(this.controller.kind).get(key)) this.#wake(key, kind, change);
  }

  #wake(key: string, kind: ObjectKind, { initial, statusOnly }: Change): void {
    if (!statusOnly) this.#add(key, initial ? 'routine' : 'event');
    // What versions show is compared with them; what nobody looks at is no news.
    else if (this.#reconciledStates.get(key)?.dependsOn(kind) ?? true) this.#enqueue(key, 'event');
  }

  /** Wakes those that refer to it, or did by the labels that it had. */
  #readChanged(kind: ObjectKind, change: Change): void {
    for (const key of this.#references.wokenBy(kind, change)) this.#add(key, change.initial ? 'routine' : 'event');
  }

  #add(key: string, priority: Priority): void {
    this.#reconciledStates.delete(key);
    this.#enqueue(key, priority);
  }

  #enqueue(key: string, priority: Priority): void {
    if (this.#queue && this.#isRelevant(key) && this.#cacheSync.admits(key)) this.#queue.add(key, priority);
  }

  #isRelevant(key: string): boolean {
    const { controller, stores } = this.place;
    const resource = stores.of(controller.kind).get(key);
    return controller.isPrimary || (resource !== undefined && isRelevant(resource, this.place));
  }
}
