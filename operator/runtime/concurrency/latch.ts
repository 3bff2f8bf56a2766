/** An event that happens once and can be awaited. */
export class Latch {
  #isReached = false;
  #resolve = () => {};
  readonly whenReached = new Promise<void>((resolve) => {
    this.#resolve = resolve;
  });

  get isReached(): boolean {
    return this.#isReached;
  }

  reach(): void {
    this.#isReached = true;
    this.#resolve();
  }
}
