/** The number of objects that are remembered of one resource. Jobs that end and are deleted come and go forever. */
const most = 250;

/**
 * The owned objects that other clients deleted, until the next apply of their resource. A process that was not there
 * does not know who deleted an object, so the memory is lost with the process.
 */
export class ForeignDeletions {
  /** The UIDs of objects whose deletion this process has requested, until they are gone. */
  readonly #own = new Set<string>();
  /** By UID of the resource, the places of the objects, the oldest first. */
  readonly #foreign = new Map<string, Set<string>>();

  /** This process has requested the deletion of an object. */
  request(uid: string): void {
    this.#own.add(uid);
  }

  /** An object is gone. @param owners the UIDs of its resources that exist */
  note(uid: string, { owners, place }: { readonly owners: readonly string[]; readonly place: string }): void {
    if (this.#own.delete(uid)) return;
    for (const owner of owners) {
      const places = this.#foreign.get(owner) ?? new Set();
      this.#foreign.set(owner, places.add(place));
      const [oldest] = places;
      if (places.size > most && oldest !== undefined) places.delete(oldest);
    }
  }

  /** An object is gone whose deletion this process requested. */
  done(uid: string): void {
    this.#own.delete(uid);
  }

  /** The places of the objects of a resource that other clients have deleted since the last apply. */
  of(owner: string): ReadonlySet<string> {
    return new Set(this.#foreign.get(owner));
  }

  /** These objects of a resource are as desired, or no longer desired. */
  settle(owner: string, known: ReadonlySet<string>): void {
    const places = this.#foreign.get(owner);
    for (const place of known) places?.delete(place);
    if (places?.size === 0) this.#foreign.delete(owner);
  }

  /** For a resource that is gone. */
  forget(owner: string): void {
    this.#foreign.delete(owner);
  }
}
