import { isSameButStatus } from '../kubernetes/equality.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import { compareVersions, inScope, isNewer, keyOf, type LiveObject, type ObjectKey } from '../kubernetes/object.js';
import type { Send } from '../ports/cluster.js';
import { Expectations } from './expectations.js';
import { type Change, HeldEvents, Listeners } from './listeners.js';
import { ObjectSizes } from './object-sizes.js';
import { OwnerIndex } from './owner-index.js';
import { receivedObject, wholly } from './received-object.js';
import { type IndexFunc, ValueIndex } from './value-index.js';

/**
 * The known objects of one kind: what the watch reported, and what this process has written since.
 *
 * Guarantees:
 * - An object never returns to an older version. An older response never undoes a deletion.
 * - The next read sees a write, because {@link Store.write} stores the response. So no reconcile decides on the state
 *   before the last one.
 * - Listeners receive changes by others and never those they wrote through {@link Store.write}. They miss no change by
 *   others: an event that arrives during a write is held until the response shows whose change it is.
 *
 * Objects are frozen, without `managedFields` and without kubectl's last-applied copy.
 */
export class Store {
  readonly #objects = new Map<ObjectKey, LiveObject>();
  /**
   * The versions at which objects last stopped being the {@link isSameButStatus same}, if they have a later version.
   */
  readonly #contents = new Map<ObjectKey, string>();
  readonly #byOwner = new OwnerIndex();
  readonly #indexes = new Map<IndexFunc, ValueIndex>();
  readonly #listeners = new Listeners();
  readonly #servedListeners = new Set<() => void>();
  readonly #ahead = new Expectations();
  readonly #withheld = new HeldEvents();
  readonly #weights = new ObjectSizes();

  constructor(readonly kind: ObjectKind) {}

  get(key: ObjectKey): LiveObject | undefined {
    return this.#objects.get(key);
  }

  /** The version at which an object last stopped being the {@link isSameButStatus same}, ignoring its status. */
  contentVersion(key: ObjectKey): string | undefined {
    return this.#contents.get(key) ?? this.#objects.get(key)?.metadata.resourceVersion;
  }

  /** True while the content is known. False for a kind that the API server does not serve. */
  get isServed(): boolean {
    return this.#ahead.isAnywhere;
  }

  /**
   * Calls the listener each time that {@link isServed} changes.
   * @returns a function that removes the listener
   */
  listenServed(listener: () => void): () => void {
    this.#servedListeners.add(listener);
    return () => this.#servedListeners.delete(listener);
  }

  get size(): number {
    return this.#objects.size;
  }

  /** The length of the JSON of all kept objects, as received. */
  get bytes(): number {
    return this.#weights.total;
  }

  /** Records the length of an object's JSON as received. An object that is written keeps its previous length. */
  weigh(key: ObjectKey, bytes: number): void {
    if (this.#objects.has(key)) this.#weights.set(key, bytes);
  }

  keys(): IterableIterator<ObjectKey> {
    return this.#objects.keys();
  }

  /** The objects that a resource controls or shares, by name. */
  ownedBy(owner: LiveObject): readonly LiveObject[] {
    return this.#byOwner.of(owner);
  }

  /** True if the resource owns an object for which the predicate holds. */
  owns(owner: LiveObject, holds: (object: LiveObject) => boolean): boolean {
    return this.#byOwner.has(owner, holds);
  }

  /** The objects in a namespace ('' for cluster-scoped objects), by name. */
  within(namespace: string): LiveObject[] {
    const there = [...this.#objects.values()].filter(({ metadata }) => (metadata.namespace ?? '') === namespace);
    return there.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  /** The objects that an index function finds under a value, by namespace and name. The first call builds the index. */
  byIndex(indexFunc: IndexFunc, value: string): readonly LiveObject[] {
    const index = this.#indexes.get(indexFunc) ?? new ValueIndex(indexFunc, this.#objects);
    this.#indexes.set(indexFunc, index);
    return index.of(value);
  }

  /**
   * @param by the controller whose writes are ignored. @default - those of all controllers of this process
   * @returns a function that removes the listener
   */
  listen(listener: (change: Change) => void, by = ''): () => void {
    return this.#listeners.add(listener, by);
  }

  /** Handles one event of the watch of a namespace ('' for all). */
  told(type: 'ADDED' | 'MODIFIED' | 'DELETED', told: LiveObject, scope: string): void {
    const version = told.metadata.resourceVersion;
    const own = this.#ahead.told(version, scope);
    const key = keyOf(told.metadata);
    const before = this.#objects.get(key);
    if (type === 'DELETED') {
      this.#ahead.gone(told.metadata.uid);
      this.#ended(key, told);
      return;
    }
    if (this.#ahead.isPast(key, told)) return;
    const newer = !before || isNewer(told, before);
    const after = newer ? receivedObject(told, before) : before;
    if (newer) this.#put(key, after);
    // Another writer wrote the older version between two of our reads. Our version contains it, but no decision was based
    // on it yet.
    if (!own && before?.metadata.resourceVersion !== version) {
      const statusOnly = newer && this.#contents.has(key);
      this.#tell(key, { before, after, statusOnly }, version);
    }
  }

  /** An object was deleted, or lost its label. If this process has restored the label since, the object stays. */
  #ended(key: ObjectKey, last: LiveObject): void {
    const before = this.#objects.get(key);
    if (!before) return;
    const isThere = isNewer(before, last);
    if (isThere && before.metadata.uid !== last.metadata.uid) return;
    if (!isThere) this.#drop(key, before);
    this.#tell(key, { before, ...(isThere && { after: before }) }, last.metadata.resourceVersion);
  }

  /** True for a version that this process wrote and the watch has not reported yet. It contains no news. */
  isOwn(version: string): boolean {
    return this.#ahead.isOwn(version);
  }

  /** The watch of a namespace ('' for all) reached a version that {@link isOwn this process wrote}. */
  echoed(version: string, scope: string): void {
    this.#ahead.told(version, scope);
  }

  /** Handles a bookmark: nothing changed up to this version. */
  reached(version: string, scope: string): void {
    this.#ahead.reached(version, scope);
  }

  /**
   * Replaces the content of a namespace ('' for all) by a complete list. Missing objects were deleted meanwhile. If the
   * version is older than the last reported one, the server was restored from a backup, and all earlier knowledge is
   * dropped.
   */
  replace(items: readonly LiveObject[], version: string, scope: string): void {
    if (compareVersions(version, this.#ahead.progressIn(scope) ?? '') < 0) this.clear(scope);
    const wasServed = this.isServed;
    const first = this.#ahead.progressIn(scope) === undefined;
    const unheard = this.#ahead.reached(version, scope);

    const listed = new Set(items.map((item) => keyOf(item.metadata)));
    for (const [key, before] of this.#objects) {
      const missed = inScope(before, scope) && !listed.has(key);
      if (!missed || compareVersions(before.metadata.resourceVersion, version) > 0) continue;
      this.#drop(key, before);
      this.#tell(key, { before });
    }
    for (const item of items) {
      const key = keyOf(item.metadata);
      if (this.#ahead.isPast(key, item)) continue;
      const before = this.#objects.get(key);
      if (before && !isNewer(item, before)) {
        // The echo of our own write was missed. Changes by others just before it are part of it and were not reported either.
        if (unheard.has(before.metadata.resourceVersion)) this.#tell(key, { before, after: before });
        continue;
      }
      const after = receivedObject(item, before);
      this.#put(key, after);
      const isSame = before?.metadata.uid === after.metadata.uid;
      if (before && !isSame) this.#tell(key, { before });
      this.#tell(key, { ...(isSame && { before }), after, initial: first });
    }
    if (!wasServed) this.#tellServed();
  }

  /** Drops a namespace ('' for all), because the kind is no longer served. */
  clear(scope: string): void {
    const wasServed = this.isServed;
    this.#ahead.clear(scope);
    for (const [key, before] of this.#objects) {
      if (!inScope(before, scope)) continue;
      this.#drop(key, before);
      this.#tell(key, { before });
    }
    if (wasServed && !this.isServed) this.#tellServed();
  }

  /**
   * Stores the whole of an object that is kept in part. If the object is newer or gone, the watch takes precedence.
   * @throws {TooDeepError}
   */
  completed(whole: LiveObject): LiveObject {
    const key = keyOf(whole.metadata);
    const before = this.#objects.get(key);
    const after = wholly(this.kind, whole, before);
    if (before?.metadata.uid !== whole.metadata.uid || isNewer(before, whole)) return after;
    this.#put(key, after);
    this.weigh(key, JSON.stringify(whole).length);
    if (isNewer(after, before)) this.#tell(key, { before, after });
    return after;
  }

  /**
   * Sends a write of one object and stores the response.
   * @param send resolves to the object as it is now, or undefined if it is gone
   * @param by the controller that writes. Listeners that ignore its writes are not notified. @default - only listeners
   * that ignore all writes of this process are not
   */
  async write(key: ObjectKey, send: Send, by = ''): Promise<LiveObject | undefined> {
    const before = this.#objects.get(key);
    this.#withheld.begin(key);
    let isOurs = (_version: string, _change: Change) => false;
    let lost: LiveObject | undefined;
    try {
      const answer = await send((version) => this.#at(key, version));
      if (answer) {
        isOurs = (version) => version === answer.metadata.resourceVersion;
        const after = this.#wrote(key, answer);
        if (after.metadata.resourceVersion !== before?.metadata.resourceVersion)
          this.#listeners.tell({ before, after }, by);
        // A list that came before the response no longer has the object, and never had it. No event would report that it is
        // gone.
        if (this.#objects.get(key)?.metadata.uid !== after.metadata.uid) lost = after;
        return after;
      }
      isOurs = (_, { after }) => after === undefined;
      this.#forgo(key, before);
      if (before) this.#listeners.tell({ before }, by);
      return undefined;
    } finally {
      for (const { version, change } of this.#withheld.end(key)) {
        if (isOurs(version, change)) continue;
        if (change.before?.metadata.uid === lost?.metadata.uid) lost = undefined;
        this.#listeners.tell(change);
      }
      if (lost) this.#listeners.tell({ before: lost });
    }
  }

  /**
   * Stores the result of a read. @param before the known object when the read was sent. `live` is undefined if the
   * object was gone
   */
  saw(key: ObjectKey, live: LiveObject | undefined, before: LiveObject | undefined): void {
    const there = this.#objects.get(key);
    if (live && !this.#ahead.isTold(live) && (!there || isNewer(live, there))) this.#learn(key, receivedObject(live));
    if (live || !before || there?.metadata.uid !== before.metadata.uid) return;
    this.#ahead.removed(before.metadata.uid); // a watch that is behind reports an older state
    this.#learn(key, undefined);
  }

  /**
   * Records that a name is taken by an object that no watch reports, as a read showed. The previous object is no longer
   * news.
   */
  sawUntold(key: ObjectKey, taken: LiveObject): void {
    const there = this.#objects.get(key);
    this.#ahead.untold(key, taken.metadata.resourceVersion);
    if (there && isNewer(taken, there)) this.#learn(key, undefined);
  }

  /** Stores a response and notifies the listeners, because the watch will find the version known and report nothing. */
  #learn(key: ObjectKey, after: LiveObject | undefined): void {
    const before = this.#objects.get(key);
    if (after) this.#put(key, after);
    else if (before) this.#drop(key, before);
    if (before || after) this.#tell(key, { before, after });
  }

  #at(key: ObjectKey, version: string): LiveObject | undefined {
    const there = this.#objects.get(key);
    return there?.metadata.resourceVersion === version ? there : undefined;
  }

  #wrote(key: ObjectKey, answered: LiveObject): LiveObject {
    const before = this.#objects.get(key);
    const { resourceVersion } = answered.metadata;
    if (before?.metadata.resourceVersion === resourceVersion) return before; // nothing changed, or the watch was faster
    const answer = receivedObject(answered, before);
    const told = this.#ahead.isTold(answer);
    if (!told) this.#ahead.wrote(resourceVersion);
    if (!told && (!before || isNewer(answer, before))) this.#put(key, answer);
    return answer;
  }

  /** The object is gone. The watch will report it and find it known. */
  #forgo(key: ObjectKey, looked: LiveObject | undefined): void {
    if (!looked) return;
    const there = this.#objects.get(key);
    if (there?.metadata.uid === looked.metadata.uid) this.#drop(key, there);
    this.#ahead.removed(looked.metadata.uid);
  }

  /**
   * @param version that the change led to. Empty for a list, which does not report earlier writes of others separately
   */
  #tell(key: ObjectKey, change: Change, version = ''): void {
    if (!this.#withheld.take(key, { version, change })) this.#listeners.tell(change);
  }

  #tellServed(): void {
    for (const listener of this.#servedListeners) listener();
  }

  #put(key: ObjectKey, object: LiveObject): void {
    const before = this.#objects.get(key);
    const content = before && isSameButStatus(before, object) ? this.contentVersion(key) : undefined;
    if (before) this.#byOwner.drop(key, before);
    this.#objects.set(key, object);
    if (content === undefined) this.#contents.delete(key);
    else this.#contents.set(key, content);
    this.#byOwner.put(key, object);
    for (const index of this.#indexes.values()) index.put(key, object);
  }

  #drop(key: ObjectKey, object: LiveObject): void {
    this.#objects.delete(key);
    this.#contents.delete(key);
    this.#weights.delete(key);
    this.#byOwner.drop(key, object);
    for (const index of this.#indexes.values()) index.drop(key);
  }
}
