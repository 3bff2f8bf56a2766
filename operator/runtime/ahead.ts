import { compareVersions, type LiveObject, type ObjectKey } from './object.js';

/** More than are under way at a time. */
const rememberedRemovals = 1_000;

/**
 * What is known by answers before the watch has told it: our own writes, and what reads have shown. What the watch tells
 * of that later is older than what is known, or the same.
 */
export class Ahead {
  /** Versions that this process wrote and the watch has not told yet. */
  readonly #own = new Set<string>();
  /** UIDs of what this process removed: an older list or event must not bring it back. */
  readonly #removed = new Set<string>();
  /** Names at which a read found what no watch tells, and the version that it had. */
  readonly #untold = new Map<ObjectKey, string>();

  /** This process wrote a version. */
  wrote(version: string): void {
    this.#own.add(version);
  }

  /** This process removed an object. */
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

  /** The watch told a version. @returns true if it is our own */
  told(version: string): boolean {
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
    const unheard = new Set(this.#own);
    for (const own of this.#own) if (compareVersions(own, version) <= 0) this.#own.delete(own);
    for (const [key, taken] of this.#untold)
      if (key.startsWith(scope && `${scope}/`) && compareVersions(taken, version) <= 0) this.#untold.delete(key);
    return unheard;
  }

  clear(): void {
    this.#own.clear();
    this.#removed.clear();
    this.#untold.clear();
  }
}
