import { compareVersions, type LiveObject, type ObjectKey } from '../kubernetes/object.js';

/** More than are under way at a time. */
const rememberedRemovals = 1_000;

/**
 * How far the watches of a kind have come, and what is known by answers before they have told it: our own writes, and what
 * reads have shown. What a watch tells of that later is older than what is known, or the same.
 */
export class Expectations {
  /** By namespace ('' for all): whatever is older has been told already. */
  readonly #progress = new Map<string, string>();
  /** Versions that this process wrote and the watch has not told yet. */
  readonly #own = new Set<string>();
  /** UIDs of what this process removed, or a read has shown to be gone: an older list or event must not bring it back. */
  readonly #removed = new Set<string>();
  /** Names at which a read found what no watch tells, and the version that it had. */
  readonly #untold = new Map<ObjectKey, string>();

  /** This process wrote a version. */
  wrote(version: string): void {
    this.#own.add(version);
  }

  /** An object is gone, which the watch has not told. */
  removed(uid: string): void {
    this.#removed.add(uid);
    // Of what no watch shows, nobody will ever tell.
    for (const oldest of this.#removed) if (this.#removed.size > rememberedRemovals) this.#removed.delete(oldest);
  }

  /** A name is taken by what no watch tells. */
  untold(key: ObjectKey, version: string): void {
    this.#untold.set(key, version);
  }

  /** True of a version that this process wrote and the watch has not told yet: there is nothing in it that is news. */
  isOwn(version: string): boolean {
    return this.#own.has(version);
  }

  /** True of a version of an object after which it was removed, or its name was found to be taken by another. */
  isPast(key: ObjectKey, { metadata: { uid, resourceVersion } }: LiveObject): boolean {
    const taken = this.#untold.get(key);
    return this.#removed.has(uid) || (taken !== undefined && compareVersions(resourceVersion, taken) <= 0);
  }

  /** True while any watch has come anywhere. */
  get isAnywhere(): boolean {
    return this.#progress.size > 0;
  }

  /** How far the watch of a namespace ('' for all) has come. */
  progressIn(scope: string): string | undefined {
    return this.#progress.get(scope);
  }

  /** Once told, the watch knows better than any answer: it may have told a later deletion already. */
  isTold({ metadata }: LiveObject): boolean {
    const progress = this.#progress.get('') ?? this.#progress.get(metadata.namespace ?? '') ?? '';
    return compareVersions(metadata.resourceVersion, progress) <= 0;
  }

  /** The watch of a namespace ('' for all) told a version. @returns true if it is our own */
  told(version: string, scope: string): boolean {
    this.#progress.set(scope, version);
    return this.#own.delete(version);
  }

  /** The watch told that an object is gone. */
  gone(uid: string): void {
    this.#removed.delete(uid);
  }

  /**
   * All of a namespace ('' for all) up to a version has been told, or is outside of what is watched.
   * @returns our own that had not been told before
   */
  reached(version: string, scope: string): ReadonlySet<string> {
    this.#progress.set(scope, version);
    const unheard = new Set(this.#own);
    for (const own of this.#own) if (compareVersions(own, version) <= 0) this.#own.delete(own);
    for (const [key, taken] of this.#untold)
      if (key.startsWith(scope && `${scope}/`) && compareVersions(taken, version) <= 0) this.#untold.delete(key);
    return unheard;
  }

  clear(scope: string): void {
    this.#progress.delete(scope);
    this.#own.clear();
    this.#removed.clear();
    this.#untold.clear();
  }
}
