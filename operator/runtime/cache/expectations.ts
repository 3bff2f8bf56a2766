import { compareVersions, type LiveObject, type ObjectKey } from '../kubernetes/object.js';

/** More than are in flight at a time. */
const rememberedRemovals = 1_000;

/**
 * How far the watches of a kind have progressed, and what is known from responses before the watches report it: our own
 * writes and the results of reads. A later event about such an object is older than what is known, or the same.
 */
export class Expectations {
  /** By namespace ('' for all): everything older has been reported. */
  readonly #progress = new Map<string, string>();
  /** Versions that this process wrote and the watch has not reported yet. */
  readonly #own = new Set<string>();
  /**
   * UIDs of objects that this process deleted or that a read showed to be gone. An older list or event must not bring
   * them back.
   */
  readonly #removed = new Set<string>();
  /** Names at which a read found an object that no watch reports, each with the version of that object. */
  readonly #untold = new Map<ObjectKey, string>();

  /** This process wrote a version. */
  wrote(version: string): void {
    this.#own.add(version);
  }

  /** An object is gone, and the watch has not reported it. */
  removed(uid: string): void {
    this.#removed.add(uid);
    // No event ever reports an object that no watch selects.
    for (const oldest of this.#removed) if (this.#removed.size > rememberedRemovals) this.#removed.delete(oldest);
  }

  /** A name is taken by an object that no watch reports. */
  untold(key: ObjectKey, version: string): void {
    this.#untold.set(key, version);
  }

  /** True for a version that this process wrote and the watch has not reported yet. It contains no news. */
  isOwn(version: string): boolean {
    return this.#own.has(version);
  }

  /** True for a version of an object that is older than its deletion, or than the object that took its name. */
  isPast(key: ObjectKey, { metadata: { uid, resourceVersion } }: LiveObject): boolean {
    const taken = this.#untold.get(key);
    return this.#removed.has(uid) || (taken !== undefined && compareVersions(resourceVersion, taken) <= 0);
  }

  /** True if any watch has made progress. */
  get isAnywhere(): boolean {
    return this.#progress.size > 0;
  }

  /** How far the watch of a namespace ('' for all) has progressed. */
  progressIn(scope: string): string | undefined {
    return this.#progress.get(scope);
  }

  /**
   * True if the watch has reported this version. It is then newer than any response, and may have reported a later
   * deletion.
   */
  isTold({ metadata }: LiveObject): boolean {
    const progress = this.#progress.get('') ?? this.#progress.get(metadata.namespace ?? '') ?? '';
    return compareVersions(metadata.resourceVersion, progress) <= 0;
  }

  /** The watch of a namespace ('' for all) reported a version. @returns true if this process wrote it */
  told(version: string, scope: string): boolean {
    this.#progress.set(scope, version);
    return this.#own.delete(version);
  }

  /** The watch reported that an object is gone. */
  gone(uid: string): void {
    this.#removed.delete(uid);
  }

  /**
   * Everything in a namespace ('' for all) up to a version has been reported, or is outside of what is watched.
   * @returns the versions of this process that had not been reported before
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
