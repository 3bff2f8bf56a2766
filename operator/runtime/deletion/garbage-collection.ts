import type { Kept } from '../cache/stores.js';
import { linked } from '../concurrency/abort-signals.js';
import type { ControllerContext } from '../context/reconcile-context.js';
import { FencedError, isApiError, isObsolete, isRefusal, messageOf } from '../kubernetes/errors.js';
import { apiVersionOf, type ObjectKind } from '../kubernetes/kinds.js';
import { annotatedOwnerOf, keyOf, type LiveObject } from '../kubernetes/object.js';
import { finalizerOf, managerOf } from '../kubernetes/well-known-names.js';
import { placeOf } from '../ownership/inventory.js';
import { isMadeBy } from '../ownership/ownership-labels.js';
import { isPodOwner } from '../ownership/pod-owner.js';
import { allPages } from '../ports/all-pages.js';
import { sleep } from '../ports/clock.js';
import { type CallOptions, finalizerRemoval, overVersion } from '../ports/cluster.js';
import { holdsData } from '../rendering/object-policies.js';

/** Milliseconds between two checks. */
const every = 30_000;
/**
 * Milliseconds that the garbage collector gets, which usually needs one second. After that it has missed the deletion
 * of an owner.
 */
const patience = 90_000;

/** An object, and the UID of the resource for which it was created. */
interface Suspect extends Kept {
  readonly uid: string;
  /** True for a pod owner that our finalizer holds. */
  readonly isHeld: boolean;
}

/**
 * Deletes objects of resources that are gone, if the garbage collector missed them. The garbage collector identifies
 * owners by name. While it is disconnected, a resource that is deleted and recreated looks to it like one that has
 * changed. The objects of the old resource would then stay forever, under names that the new one needs.
 *
 * An object is deleted only if the server confirms that none of its owners exists, and only in the state that was read.
 * Objects that hold data stay, as do objects with other owners.
 * @see https://kubernetes.io/docs/concepts/architecture/garbage-collection/
 */
export class GarbageCollection {
  /** Since when (monotonic) resources are missing that still have objects, by UID. */
  #missed: ReadonlyMap<string, number> = new Map();

  constructor(readonly context: ControllerContext) {}

  /** Checks periodically until the signal aborts. Never rejects. */
  async run(until: AbortSignal): Promise<void> {
    const { clock } = this.context;
    const { signal } = linked(until);
    while (!signal.aborted) {
      await sleep(clock, every, signal);
      try {
        if (!signal.aborted) await this.#look({ signal });
      } catch (error) {
        if (signal.aborted || error instanceof FencedError) return;
        this.#unknown(error);
      }
    }
  }

  async #look(options: CallOptions): Promise<void> {
    const now = this.context.clock.monotonic();
    const suspects = this.#suspects();
    this.#missed = new Map(suspects.map(({ uid }) => [uid, this.#missed.get(uid) ?? now]));
    const due = suspects.filter(({ uid }) => now - (this.#missed.get(uid) ?? now) >= patience);
    for (const [namespace, there] of byPlace(due, this.context.controller.kind)) {
      try {
        const alive = await this.#alive(namespace, options);
        for (const suspect of there) if (!alive.has(suspect.uid)) await this.#remove(suspect, options);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        this.#unknown(error); // this proves nothing about other namespaces
      }
    }
  }

  #unknown(error: unknown): void {
    const { controller, telemetry } = this.context;
    const told = { controller: controller.name, error: messageOf(error) };
    telemetry.log.warn(told, 'Failed to check the owners of objects, retrying');
  }

  /** The objects that this controller created for resources that the caches do not have. */
  #suspects(): readonly Suspect[] {
    const { controller, stores } = this.context;
    const resources = stores.of(controller.kind);
    if (!resources.isServed) return [];
    const isTold = ({ metadata }: LiveObject) => stores.watched.isTold(resources, metadata.namespace ?? '');
    const alive = new Set([...resources.keys()].map((key) => resources.get(key)?.metadata.uid));
    return controller.owns.flatMap((kind) => {
      const store = stores.of(kind);
      const isCollected = !kind.shared && !kind.withoutOwnerReference && !holdsData(kind);
      return [...store.keys()].flatMap((key) => {
        const object = store.get(key);
        if (!object) return [];
        const held = this.#heldFor(kind, object);
        const uid = held ?? (isCollected ? this.#ownerOf(object) : undefined);
        if (uid === undefined || alive.has(uid) || !isTold(object)) return [];
        return [{ kind, object, uid, isHeld: held !== undefined }];
      });
    });
  }

  /** The resource for which our finalizer holds a pod owner. */
  #heldFor(kind: ObjectKind, object: LiveObject): string | undefined {
    const { controller } = this.context;
    const owner = annotatedOwnerOf(object);
    if (owner?.kind !== controller.kind.kind || owner.apiVersion !== apiVersionOf(controller.kind)) return undefined;
    const isHeld =
      object.metadata.finalizers?.includes(finalizerOf(controller.name)) && isMadeBy(object, controller.name);
    return isHeld && isPodOwner({ kind, object }, { controller, resource: owner.name }) ? owner.uid : undefined;
  }

  /** The resource for which an object was created, if it is the only owner. */
  #ownerOf(object: LiveObject): string | undefined {
    const { kind, name } = this.context.controller;
    const { ownerReferences = [], deletionTimestamp } = object.metadata;
    const [owner, ...others] = ownerReferences;
    if (!owner || others.length > 0 || deletionTimestamp) return undefined;
    if (owner.kind !== kind.kind || owner.apiVersion !== apiVersionOf(kind)) return undefined;
    return isMadeBy(object, name) ? owner.uid : undefined;
  }

  /**
   * The UIDs of the resources of a namespace, read from the server. A server that does not serve the kind, or has only
   * just started to, reports so for a list. For a name it reports that the object does not exist.
   */
  async #alive(namespace: string, options: CallOptions): Promise<ReadonlySet<string>> {
    const { cluster, controller } = this.context;
    const uids = new Set<string>();
    const query = { ...(namespace && { namespace }), ...options };
    for await (const { items } of allPages({ cluster, kind: controller.kind }, query))
      for (const { metadata } of items) uids.add(metadata.uid);
    return uids;
  }

  async #remove(suspect: Suspect, options: CallOptions): Promise<void> {
    const { controller, telemetry } = this.context;
    const { kind, object, uid: owner } = suspect;
    const told = { controller: controller.name, object: placeOf({ kind, key: keyOf(object.metadata) }), owner };
    try {
      if (suspect.isHeld) return await this.#letGo(suspect, options);
      await this.#delete(suspect, options);
    } catch (error) {
      if (isObsolete(error) || isApiError(error, 'NotFound')) return; // the next check sees it as it is now
      if (!isRefusal(error)) throw error;
      telemetry.log.warn(
        { ...told, error: messageOf(error) },
        'Forbidden to delete objects that garbage collection missed',
      );
      return; // this proves nothing about the others
    }
    telemetry.log.warn(told, 'Deleted objects of a deleted resource that garbage collection missed');
  }

  #delete({ kind, object: { metadata } }: Suspect, options: CallOptions): Promise<unknown> {
    const { cluster, controller, telemetry } = this.context;
    const { uid, resourceVersion } = metadata;
    telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'delete' });
    return cluster.remove(kind, metadata, { uid, resourceVersion }, options);
  }

  /** Its Pods stay, as all objects without owner reference do. Held, it would keep its namespace from being deleted. */
  async #letGo({ kind, object }: Suspect, options: CallOptions): Promise<void> {
    const { cluster, controller, telemetry } = this.context;
    telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'apply' });
    const patch = [overVersion(object), ...finalizerRemoval(object, finalizerOf(controller.name))];
    await cluster.patch(kind, object.metadata, patch, { manager: managerOf(controller.name), ...options });
  }
}

/** By the namespace of their resources. The namespace is '' if the resources are cluster-scoped. */
function byPlace(suspects: readonly Suspect[], { namespaced }: ObjectKind): ReadonlyMap<string, readonly Suspect[]> {
  const found = new Map<string, Suspect[]>();
  for (const suspect of suspects) {
    const namespace = (namespaced && suspect.object.metadata.namespace) || '';
    found.set(namespace, [...(found.get(namespace) ?? []), suspect]);
  }
  return found;
}
