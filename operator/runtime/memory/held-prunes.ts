/** Since when the prune of objects is held, by resource. Lost with the process, so that a new one starts to count anew. */
export class HeldPrunes {
  readonly #since = new Map<string, number>();

  /**
   * Records whether a reconcile held the prune of an object.
   * @param now milliseconds since 1970
   * @returns since when, undefined if it did not
   */
  note(uid: string, isHeld: boolean, now: number): number | undefined {
    if (!isHeld) {
      this.#since.delete(uid);
      return undefined;
    }
    const since = this.#since.get(uid) ?? now;
    this.#since.set(uid, since);
    return since;
  }

  forget(uid: string): void {
    this.#since.delete(uid);
  }
}
