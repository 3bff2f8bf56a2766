import { setTimeout as pause } from 'node:timers/promises';

/** Who kills, and how often. */
export interface KillerProps {
  /** Kills, and returns the victim. Undefined without one. */
  readonly kill: () => Promise<string | undefined>;
  /** Milliseconds between two of them, at least and at most. */
  readonly between: readonly [number, number];
}

/** Kills again and again, after irregular times. */
export class Killer {
  /** How many were killed. */
  kills = 0;
  readonly #stop = new AbortController();
  readonly #killing: Promise<void>;

  constructor(readonly props: KillerProps) {
    this.#killing = this.#killOn();
    this.#killing.catch(() => {}); // told by stop
  }

  /** Resolves when no further kill follows. @throws the error of a kill */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#killing;
  }

  async #killOn(): Promise<void> {
    const { signal } = this.#stop;
    const { kill, between } = this.props;
    const [least, most] = between;
    while (!signal.aborted) {
      await pause(least + Math.random() * (most - least), undefined, { signal }).catch(() => {});
      if (!signal.aborted && (await kill()) !== undefined) this.kills++;
    }
  }
}
