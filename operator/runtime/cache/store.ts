import { isSameButStatus } from '../kubernetes/equality.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import { compareVersions, inScope, isNewer, keyOf, type LiveObject, type ObjectKey } from '../kubernetes/object.js';
import type { Send } from '../ports/cluster.js';
import { Expectations } from './expectations.js';
import { type Change, HeldEvents, Listeners } from './listeners.js';
import { OwnerIndex } from './owner-index.js';
import { receivedObject, wholly } from './received-object.js';

/**
 * What is known of one kind's objects: what the watch told, and what this process itself wrote since.
 *
 * Guarantees:
 * - An object never goes back to an older version; a deletion is never undone by an older answer.
 * - A write is seen by the next read ({@link Store.write} puts the answer in), so no pass decides on what was true
 *   before the last one.
 * - Listeners hear of what others did, never of what they wrote through {@link Store.write}, and never miss the first
 *   because of the second: news that arrives while a write is under way is held until its answer tells whose it is.
 *
 * Objects are stripped of `managedFields` and of kubectl's last-applied copy, and frozen.
 */
export class Store {
  readonly #objects = new Map<ObjectKey, LiveObject>();
  /** The versions at which objects last ceased to be the {@link isSameButStatus same}, where they have a later one. */
  readonly #contents = new Map<ObjectKey, string>();
  readonly #byOwner = new OwnerIndex();
  readonly #listeners = new Listeners();
  readonly #ahead = new Expectations();
  readonly #withheld = new HeldEvents();
  readonly #weights = new ObjectSizes();

  constructor(readonly kind: ObjectKind) {}

  get(key: ObjectKey): LiveObject | undefined {
    return this.#objects.get(key);
  }

  /** The version at which an object last ceased to be the {@link isSameButStatus same}, its status apart. */
  contentVersion(key: ObjectKey): string | undefined {
    return this.#contents.get(key) ?? this.#objects.get(key)?.metadata.resourceVersion;
  }

  /** True while it is known what there is; false of a kind that the API server does not serve. */
  get isServed(): boolean {
    return this.#ahead.isAnywhere;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** How long the JSON of what is kept was as it came, all together. */
  get bytes(): number {
    return this.#weights.total;
  }

  /** Takes note of how long an object's JSON was as it came. What is written has the weight that it had before. */
  weigh(key: ObjectKey, bytes: number): void {
    if (this.#objects.has(key)) this.#weights.set(key, bytes);
  }

  keys(): IterableIterator<ObjectKey> {
    return this.#objects.keys();
  }

  /** What a resource controls or shares, by name. */
  ownedBy(owner: LiveObject): readonly LiveObject[] {
    return this.#byOwner.of(owner);
  }

  /** True of a resource that owns an object of which something holds. */
  owns(owner: LiveObject, holds: (object: LiveObject) => boolean): boolean {
    return this.#byOwner.has(owner, holds);
  }

  /** What there is in a namespace ('' for objects that have none), by name. */
  within(namespace: string): LiveObject[] {
    const there = [...this.#objects.values()].filter(({ metadata }) => (metadata.namespace ?? '') === namespace);
    return there.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  /**
   * @param by whose writes it need not hear of. @default - those of everybody here
   * @returns what takes the listener off again
   */
  listen(listener: (change: Change) => void, by = ''): () => void {
    return this.#listeners.add(listener, by);
  }

  /** One event of the watch of a namespace ('' for all). */
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
    // An older version that is not ours was written by somebody between two of our own reads: it is in what we have,
    // but nothing was decided on it yet.
    if (!own && before?.metadata.resourceVersion !== version) {
      const statusOnly = newer && this.#contents.has(key);
      this.#tell(key, { before, after, statusOnly }, version);
    }
  }

  /** An object was deleted, or its label was taken off; if we have given it back since, it is there. */
  #ended(key: ObjectKey, last: LiveObject): void {
    const before = this.#objects.get(key);
    if (!before) return;
    const isThere = isNewer(before, last);
    if (isThere && before.metadata.uid !== last.metadata.uid) return;
    if (!isThere) this.#drop(key, before);
    this.#tell(key, { before, ...(isThere && { after: before }) }, last.metadata.resourceVersion);
  }

  /** True of a version that this process wrote and the watch has not told yet: there is nothing in it that is news. */
  isOwn(version: string): boolean {
    return this.#ahead.isOwn(version);
  }

  /** The watch of a namespace ('' for all) came to a version that {@link isOwn is our own}. */
  echoed(version: string, scope: string): void {
    this.#ahead.told(version, scope);
  }

  /** A bookmark: nothing happened up to here. */
  reached(version: string, scope: string): void {
    this.#ahead.reached(version, scope);
  }

  /**
   * Everything there is in a namespace ('' for all), as of a version: what is missing was deleted meanwhile. If that is
   * older than what was told, the server's history was restored from a backup, and nothing that was known holds.
   */
  replace(items: readonly LiveObject[], version: string, scope: string): void {
    if (compareVersions(version, this.#ahead.progressIn(scope) ?? '') < 0) this.clear(scope);
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
        // Our own write, whose echo was missed: what others wrote just before it is in it, and was not told either.
        if (unheard.has(before.metadata.resourceVersion)) this.#tell(key, { before, after: before });
        continue;
      }
      const after = receivedObject(item, before);
      this.#put(key, after);
      const isSame = before?.metadata.uid === after.metadata.uid;
      if (before && !isSame) this.#tell(key, { before });
      this.#tell(key, { ...(isSame && { before }), after, initial: first });
    }
  }

  /** Forgets a namespace ('' for all): the kind is not served any more. */
  clear(scope: string): void {
    this.#ahead.clear(scope);
    for (const [key, before] of this.#objects) {
      if (!inScope(before, scope)) continue;
      this.#drop(key, before);
      this.#tell(key, { before });
    }
  }

  /** Takes in the whole of an object that is kept in part. Of what is newer, or gone, the watch knows better. @throws {TooDeepError} */
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
   * Sends a write of one object and takes its answer in.
   * @param send resolves to the object as it is now, or undefined when it is gone
   * @param by the controller that writes: others hear of it. @default - nobody whom it need not be told
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
        // A list that came before the answer has it no more, and never had: nobody else would tell that it is gone.
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

  /** Takes in what a read brought. @param before what was known when it was sent; undefined `live`: it was gone by then */
  saw(key: ObjectKey, live: LiveObject | undefined, before: LiveObject | undefined): void {
    const there = this.#objects.get(key);
    if (live && !this.#ahead.isTold(live) && (!there || isNewer(live, there))) this.#learn(key, receivedObject(live));
    if (live || !before || there?.metadata.uid !== before.metadata.uid) return;
    this.#ahead.removed(before.metadata.uid); // a watch that is behind tells of it as it was
    this.#learn(key, undefined);
  }

  /** Takes in that a name is taken by what no watch tells, as a read has shown: what was before is no news any more. */
  sawUntold(key: ObjectKey, taken: LiveObject): void {
    const there = this.#objects.get(key);
    this.#ahead.untold(key, taken.metadata.resourceVersion);
    if (there && isNewer(taken, there)) this.#learn(key, undefined);
  }

  /** The watch will find that it is known: nobody else would hear of it. */
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

  /** What was looked at is gone; the watch will tell, and find that it is known. */
  #forgo(key: ObjectKey, looked: LiveObject | undefined): void {
    if (!looked) return;
    const there = this.#objects.get(key);
    if (there?.metadata.uid === looked.metadata.uid) this.#drop(key, there);
    this.#ahead.removed(looked.metadata.uid);
  }

  /** @param version that it led to; of a list none, for what others wrote before is not told by itself */
  #tell(key: ObjectKey, change: Change, version = ''): void {
    if (!this.#withheld.take(key, { version, change })) this.#listeners.tell(change);
  }

  #put(key: ObjectKey, object: LiveObject): void {
    const before = this.#objects.get(key);
    const content = before && isSameButStatus(before, object) ? this.contentVersion(key) : undefined;
    if (before) this.#byOwner.drop(key, before);
    this.#objects.set(key, object);
    if (content === undefined) this.#contents.delete(key);
    else this.#contents.set(key, content);
    this.#byOwner.put(key, object);
  }

  #drop(key: ObjectKey, object: LiveObject): void {
    this.#objects.delete(key);
    this.#contents.delete(key);
    this.#weights.delete(key);
    this.#byOwner.drop(key, object);
  }
}

/** How large the objects of a cache are, each and together: by the length of the JSON as which they were received. */
class ObjectSizes {
  readonly #bytes = new Map<ObjectKey, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  set(key: ObjectKey, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(key) ?? 0);
    this.#bytes.set(key, bytes);
  }

  delete(key: ObjectKey): void {
    this.#total -= this.#bytes.get(key) ?? 0;
    this.#bytes.delete(key);
  }
}
