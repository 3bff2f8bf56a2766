interface Waiting {
  readonly deadline: number;
  readonly start: () => void;
}

/** Runs a limited number of tasks at a time. Of those that wait, the one with the earliest deadline is next. */
export class UrgencyQueue {
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #isScheduled = false;

  constructor(readonly limit: number) {}

  /** @param deadline milliseconds since 1970 */
  async run<T>(deadline: number, task: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting.push({ deadline, start });
      this.#schedule();
    });
    try {
      return await task();
    } finally {
      this.#running--;
      this.#schedule();
    }
  }

  /** Starts tasks when all that come together have come. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  #start(): void {
    this.#waiting.sort((one, other) => one.deadline - other.deadline);
    while (this.#running < this.limit) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running++;
      next.start();
    }
  }
}
