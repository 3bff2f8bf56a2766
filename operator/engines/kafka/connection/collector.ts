import { allowManyListeners } from '../../../runtime/concurrency/abort-signals.js';
import type { Clock } from '../../../runtime/ports/clock.js';

/** Milliseconds in which questions or calls are collected: at least, and at most while an earlier request is under way. */
const patience = { least: 50, most: 500 };

/** Carries out what was collected. @returns a result or an error for each, in order */
export type Carry<T, R> = (items: readonly T[], signal: AbortSignal) => Promise<readonly (R | Error)[]>;

interface Waiting<T, R> {
  readonly item: T;
  readonly signal: AbortSignal;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

interface Batch<T, R> {
  readonly waiting: Waiting<T, R>[];
  /** The least time is over. */
  isDue: boolean;
}

/**
 * Collects what is asked about the same cluster within 50 ms, so that one request answers it all. While an earlier request
 * is under way, more is collected until that has ended, for up to 500 ms: one that hangs does not stop the others. A request
 * is aborted when nobody waits for it any more.
 */
export class Collector<T, R> {
  readonly #batches = new Map<string, Batch<T, R>>();
  /** The number of requests that are under way. */
  readonly #running = new Map<string, number>();

  constructor(
    private readonly clock: Pick<Clock, 'after'>,
    private readonly carry: Carry<T, R>,
  ) {}

  /** @param key what may be asked together has the same */
  add(key: string, item: T, signal: AbortSignal): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      const waiting = { item, signal, resolve, reject };
      const batch = this.#batches.get(key);
      if (batch) {
        batch.waiting.push(waiting);
        return;
      }
      const started = { waiting: [waiting], isDue: false };
      this.#batches.set(key, started);
      this.clock.after(patience.least, () => this.#due(key, started));
    });
  }

  #due(key: string, batch: Batch<T, R>): void {
    batch.isDue = true;
    if (!this.#running.has(key)) this.#start(key, batch);
    else this.clock.after(patience.most - patience.least, () => this.#start(key, batch));
  }

  #start(key: string, batch: Batch<T, R>): void {
    if (this.#batches.get(key) !== batch) return;
    this.#batches.delete(key);
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    void this.#run(batch.waiting).finally(() => this.#ended(key));
  }

  #ended(key: string): void {
    const left = (this.#running.get(key) ?? 1) - 1;
    if (left > 0) this.#running.set(key, left);
    else this.#running.delete(key);
    const next = this.#batches.get(key);
    if (next?.isDue) this.#start(key, next);
  }

  async #run(batch: readonly Waiting<T, R>[]): Promise<void> {
    const left = batch.filter(({ signal, reject }) => {
      if (signal.aborted) reject(signal.reason);
      return !signal.aborted;
    });
    if (left.length === 0) return;
    const ending = new AbortController();
    allowManyListeners(ending.signal);
    let waiting = left.length;
    const leave = ({ signal, reject }: Waiting<T, R>) => {
      reject(signal.reason);
      if (--waiting === 0) ending.abort(signal.reason);
    };
    const listeners = left.map((one) => ({ one, aborted: () => leave(one) }));
    for (const { one, aborted } of listeners) one.signal.addEventListener('abort', aborted, { once: true });
    try {
      const items = left.map(({ item }) => item);
      const results = await this.carry(items, ending.signal);
      for (const [index, { resolve, reject }] of left.entries()) {
        const result = results[index];
        if (result instanceof Error || result === undefined) reject(result ?? new Error('the answer is incomplete'));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of left) reject(error);
    } finally {
      for (const { one, aborted } of listeners) one.signal.removeEventListener('abort', aborted);
    }
  }
}
