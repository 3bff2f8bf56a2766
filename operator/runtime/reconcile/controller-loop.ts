import { CacheSync } from '../cache/cache-sync.js';
import type { Change } from '../cache/listeners.js';
import type { ReferenceIndex } from '../cache/reference-index.js';
import type { Store } from '../cache/store.js';
import type { Stores } from '../cache/stores.js';
import { aborted, linked } from '../concurrency/abort-signals.js';
import { reconcileBackoff, refusalBackoff } from '../concurrency/backoff.js';
import { type Attempt, type Cause, type Load, type Priority, WorkQueue } from '../concurrency/work-queue.js';
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
import { isOwnedAlike, ownerKeysOf } from '../ownership/ownership-labels.js';
import { withFields } from '../ports/telemetry.js';
import { causeOf, causes, isTraced } from './causes.js';
import { evictGone, evictObject, evictResource, startAnew } from './eviction.js';
import { Failures } from './failures.js';
import { fencedByGeneration, fencedByPause } from './generation-fence.js';
import { isRelevant, isSpecChange, isUnchanged } from './predicates.js';
import { reconcile } from './reconcile.js';

export interface LoopOptions {
  /** The number of concurrent reconciles. */
  readonly maxConcurrentReconciles: number;
  /**
   * Milliseconds after which every resource is reconciled again from the caches. Ten times as long if everything is
   * done.
   */
  readonly resyncPeriod: number;
  /** Milliseconds after which a reconcile times out. */
  readonly reconcileTimeout: number;
}

/**
 * The number of consecutive reconciles of one resource that edits may stop. The next one finishes, so that continuous
 * edits cannot starve the resource.
 */
const maxSupersededRuns = 5;

/** The factor by which the resync of a finished resource is delayed. Any change triggers a reconcile earlier. */
const calmer = 10;

/**
 * Milliseconds until the next reconcile continues the work of one that reached its limit. A forged inventory takes many
 * reconciles.
 */
const nextPart = 1_000;

/** The stores of the kinds that the API server need not serve, so that a reconcile may depend on whether it does. */
function optionalStores({ owns, watchesSiblings, reads }: Controller, stores: Stores): Store[] {
  const isOptional = ({ optional }: ObjectKind) => optional === true;
  const made = [...owns, ...watchesSiblings].filter(isOptional);
  const read = kindsRead([{ reads }]).filter(isOptional);
  return [...distinct(made).map((kind) => stores.of(kind)), ...read.map((kind) => stores.read(kind))];
}

const idle: Load = { waiting: { edit: 0, event: 0, routine: 0 }, running: [] };

/**
 * Runs one controller: turns changes in the caches into keys, and keys into reconciles.
 *
 * The first reconcile sees all changes from before the run.
 */
export class ControllerLoop {
  #queue: WorkQueue | undefined;
  readonly #references: ReferenceIndex;
  /** By resource, what its last reconcile was based on. Discarded by a change that its versions do not show. */
  readonly #reconciledStates = new Map<string, ReconciledState>();
  readonly #unlisten: (() => void)[];
  /** The reconciles that edits have stopped, by key, until one finishes. */
  readonly #supersededRuns = new Map<string, number>();
  readonly #failures: Failures;
  readonly #cacheSync: CacheSync;
  readonly #causeOf: typeof causeOf;

  constructor(
    readonly context: ControllerContext,
    readonly options: LoopOptions,
  ) {
    const { controller, stores } = context;
    this.#references = stores.reading(controller);
    this.#failures = new Failures(context);
    this.#cacheSync = new CacheSync(context);
    this.#causeOf = isTraced(context) ? causeOf : () => undefined;
    context.pollers?.listen((key) => this.#add(key, 'event', causes.answer));
    context.callers?.listen((key) => this.#add(key, 'event', causes.call));
    stores.enlist(controller);
    const { name } = controller;
    const made = distinct([...controller.owns, ...controller.watchesSiblings]);
    this.#unlisten = [
      this.#cacheSync.listen((key) => this.#enqueue(key, 'routine', causes.synced)),
      stores.of(controller.kind).listen((change) => this.#resourceChanged(change), name),
      // The store would hide objects of its own kind that the controller creates.
      ...made
        .filter((kind) => groupKindOf(kind) === groupKindOf(controller.kind))
        .map((kind) => stores.of(kind).listen((change) => this.#madeItself(change), `${name} as owner`)),
      ...made.map((kind) => stores.of(kind).listen((change) => this.#ownedChanged(kind, change), name)),
      ...kindsRead([controller]).map((kind) => stores.read(kind).listen((change) => this.#readChanged(kind, change))),
      ...optionalStores(controller, stores).map((store) => store.listenServed(() => this.#servedChanged())),
    ];
  }

  get controller(): Controller {
    return this.context.controller;
  }

  /** The resources as the caches hold them. */
  *resources(): IterableIterator<CustomResource> {
    const store = this.context.stores.of(this.controller.kind);
    for (const key of store.keys()) yield store.get(key) as CustomResource;
  }

  /** The waiting and running reconciles. Empty while another process leads. */
  get load(): Load {
    return this.#queue?.load ?? idle;
  }

  /**
   * Reconciles every resource once the caches have synced for it, and then whenever it changes.
   * @param finish no reconcile starts after it aborts. Running ones have `grace` milliseconds to finish
   */
  async run(finish: AbortSignal, grace: number): Promise<void> {
    const { callers, clock, pollers, lastAcceptedSpecs, reportedConditions, stores } = this.context;
    if (finish.aborted) return;
    const stop = new AbortController();
    const queue = this.#queueOf(stop.signal);
    this.#queue = queue;
    reportedConditions?.clear();
    lastAcceptedSpecs.clear(); // another leader may have accepted a later spec
    this.#reconciledStates.clear(); // answers of an earlier term are dropped, and only reconciles poll again
    for (const key of stores.of(this.controller.kind).keys()) this.#enqueue(key, 'routine', causes.start);
    pollers?.open();
    callers?.open();
    queue.open();
    const uncollected = new GarbageCollection(this.context).run(finish);
    await aborted(finish);
    pollers?.close();
    const cancel = clock.after(grace, () => stop.abort(new Error('the operator is stopping')));
    await Promise.all([queue.close(), uncollected, callers?.close(stop.signal)]);
    cancel();
    this.#queue = undefined;
  }

  /** Stops listening to changes. */
  close(): void {
    for (const unlisten of this.#unlisten) unlisten();
  }

  #queueOf(stop: AbortSignal): WorkQueue {
    const { clock, controller, telemetry } = this.context;
    return new WorkQueue({
      clock,
      heard: {
        owed: () => telemetry.enqueued({ controller: controller.name }),
        began: (waited) => telemetry.reconcileStarted({ controller: controller.name, seconds: waited / 1000 }),
      },
      maxConcurrentReconciles: this.options.maxConcurrentReconciles,
      run: (key, attempt) => this.#run(key, attempt, stop),
      backoff: (error) => (isRefusal(error) ? refusalBackoff : reconcileBackoff),
      causes: isTraced(this.context) ? causes : undefined,
      asked: retryAfterOf,
      failed: (key, error, { failures, id }) => this.#failed(key, error, { failures: failures + 1, id }, stop),
    });
  }

  async #run(key: string, { failures, id, causes }: Attempt, stop: AbortSignal): Promise<number | undefined> {
    const { clock, controller, stores, telemetry } = this.context;
    const resource = stores.of(controller.kind).get(key);
    if (!resource) {
      this.#supersededRuns.delete(key);
      this.#failures.forget(key);
      return reconcile(key, this.context, stop); // gone: there is nothing to reconcile
    }
    if (!this.#cacheSync.admits(key)) return undefined; // it was indexed when it was added, and its references may have changed since
    const reconciledState = this.#reconciledStateOf(key);
    if (isUnchanged(resource, { ...this.context, reconciledState })) return this.#again(calmer);
    const isGlance = reconciledState.isSettled(resource);
    const began = clock.monotonic();
    const { signal, done, isLate } = this.#deadline(stop);
    const seconds = () => (clock.monotonic() - began) / 1000;
    try {
      const told = { ...telemetry, log: withFields({ reconcileID: id }, telemetry.log) };
      const context = { ...this.#contextFor(key), reconciledState, failures, causes, telemetry: told };
      const of = {
        controller: controller.name,
        key,
        reconcileID: id,
        ...(causes && { causes: [...causes].join(', ') }),
      };
      const recheck = await telemetry.span('reconcile', of, () => reconcile(key, context, signal));
      this.#supersededRuns.delete(key);
      this.#failures.forget(key);
      const result = recheck === undefined ? 'success' : 'requeue_after';
      // The status was read and needs no update. Every rollout has many such events, so they cause no reconcile.
      const now = stores.of(controller.kind).get(key);
      if (!isGlance || now !== resource)
        telemetry.reconciled({ controller: controller.name, result, seconds: seconds() });
      if (!now || !this.#isRelevant(key)) return undefined; // gone, or not of this controller: nothing is left to do
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
      evictGone(resource, { ...this.context, reading: this.#references });
    }
  }

  /**
   * Reconciles again at once. This is not a failure, and it resets the count of failures, which were of an older spec.
   */
  #beginAgain(key: string): undefined {
    this.#supersededRuns.set(key, (this.#supersededRuns.get(key) ?? 0) + 1);
    this.#add(key, 'edit', causes.edited);
    return undefined;
  }

  /**
   * The context of a reconcile. A pause stops it before its next write, and an edit too unless it has to finish.
   */
  #contextFor(key: string): ControllerContext {
    const { controller, cluster, stores } = this.context;
    const supersededRuns = this.#supersededRuns.get(key) ?? 0;
    const isToFinish = controller.onSpecChange === 'finish' || supersededRuns >= maxSupersededRuns;
    const store = stores.of(controller.kind);
    const fencedBy = isToFinish ? fencedByPause : fencedByGeneration;
    return { ...this.context, cluster: fencedBy(cluster, store.get(key), () => store.get(key)) };
  }

  #reconciledStateOf(key: string): ReconciledState {
    const reconciledState = this.#reconciledStates.get(key) ?? new ReconciledState(this.context);
    this.#reconciledStates.set(key, reconciledState);
    return reconciledState;
  }

  #deadline(stop: AbortSignal): { signal: AbortSignal; isLate: () => boolean; done: () => void } {
    const { reconcileTimeout } = this.options;
    const { signal, abort, release } = linked(stop);
    let isLate = false;
    const cancel = this.context.clock.after(reconcileTimeout, () => {
      isLate = true;
      abort(new Error(`the reconcile took longer than ${reconcileTimeout} ms`));
    });
    const done = () => {
      cancel();
      release();
    };
    return { signal, isLate: () => isLate, done };
  }

  /**
   * The delay of the next resync, spread by a tenth, so that resources that were reconciled together do not stay
   * together.
   */
  #again(times: number): number {
    return times * this.options.resyncPeriod * (0.9 + 0.1 * this.context.clock.random());
  }

  async #failed(key: string, error: unknown, attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { clock, controller, stores } = this.context;
    if (isFenced(error)) return; // the term is over, and the next leader continues
    const resource = stores.of(controller.kind).get(key);
    const left = resource && untilOverdue(controller, resource, clock.now());
    if (left !== undefined && left > 0) this.#queue?.addAfter(key, left); // a deadline does not wait for the backoff
    await this.#failures.tell(key, error, attempt, signal);
  }

  #resourceChanged(change: Change): void {
    const { before, after, initial } = change;
    const object = after ?? before;
    if (!object) return;
    if (after) this.#references.follow(after as CustomResource);
    else {
      evictResource(object, { ...this.context, reading: this.#references });
      this.#cacheSync.forget(keyOf(object.metadata));
    }
    const isEdit = !initial && isSpecChange(before, after);
    startAnew(change, this.context);
    const cause = this.#causeOf(this.controller.kind, change, isEdit);
    this.#add(keyOf(object.metadata), initial ? 'routine' : isEdit ? 'edit' : 'event', cause);
  }

  #madeItself(change: Change): void {
    if (isSpecChange(change.before, change.after)) this.#resourceChanged(change);
  }

  /** Enqueues the previous and the current owners of an object. */
  #ownedChanged(kind: ObjectKind, change: Change): void {
    const { before, after } = change;
    if (before && !after) evictObject(before, { ...this.context, kind });
    const { kind: ownerKind } = this.controller;
    const isAlike = before && after && isOwnedAlike(before, after);
    const had = before && !isAlike ? ownerKeysOf(before, ownerKind) : [];
    const has = after ? ownerKeysOf(after, ownerKind) : [];
    const keys = [...had, ...has];
    const owners = keys.length > 1 ? new Set(keys) : keys;
    // A user who may write one object can name thousands of owners that do not exist.
    for (const key of owners) if (this.context.stores.of(this.controller.kind).get(key)) this.#wake(key, kind, change);
  }

  #wake(key: string, kind: ObjectKind, change: Change): void {
    const { initial, statusOnly } = change;
    const cause = this.#causeOf(kind, change);
    if (!statusOnly) this.#add(key, initial ? 'routine' : 'event', cause);
    // Changes that a version shows are compared with it. Changes that no function reads are ignored.
    else if (this.#reconciledStates.get(key)?.dependsOn(kind) ?? true) this.#enqueue(key, 'event', cause);
  }

  /** Enqueues the resources that refer to the object, or did by its previous labels. */
  #readChanged(kind: ObjectKind, change: Change): void {
    const cause = this.#causeOf(kind, change);
    for (const key of this.#references.wokenBy(kind, change))
      this.#add(key, change.initial ? 'routine' : 'event', cause);
  }

  /** A reconcile follows only for the resources whose last one asked whether the kind is served. */
  #servedChanged(): void {
    for (const key of this.context.stores.of(this.controller.kind).keys()) this.#enqueue(key, 'routine', causes.served);
  }

  #add(key: string, priority: Priority, cause: Cause | undefined): void {
    this.#reconciledStates.delete(key);
    this.#enqueue(key, priority, cause);
  }

  #enqueue(key: string, priority: Priority, cause: Cause | undefined): void {
    if (this.#queue && this.#isRelevant(key) && this.#cacheSync.admits(key)) this.#queue.add(key, priority, cause);
  }

  #isRelevant(key: string): boolean {
    const { controller, stores } = this.context;
    const resource = stores.of(controller.kind).get(key);
    const isAll = controller.isPrimary && !controller.selects;
    return isAll || (resource !== undefined && isRelevant(resource, this.context));
  }
}
