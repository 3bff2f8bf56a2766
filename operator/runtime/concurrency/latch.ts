/** What happens once, for those who wait for it. */
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
