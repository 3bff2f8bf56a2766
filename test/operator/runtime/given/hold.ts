/** Holds one request of some, or its answer, until it is let go. */
export class GivenHold {
  #isAwaited = false;
  #go: (() => void) | undefined;

  /** The next of them is held. */
  arm(): void {
    this.#isAwaited = true;
  }

  /** True since one was held. */
  get hasHeld(): boolean {
    return this.#go !== undefined;
  }

  /** Where requests come by. @param isMeant true of one that is to be held */
  async at(isMeant: boolean): Promise<void> {
    if (!this.#isAwaited || !isMeant) return;
    this.#isAwaited = false;
    await new Promise<void>((resolve) => {
      this.#go = resolve;
    });
  }

  letGo(): void {
    this.#go?.();
  }
}
