import { allowManyListeners } from '../../../runtime/concurrency/abort-signals.js';
import type { Clock } from '../../../runtime/ports/clock.js';

/** Milliseconds in which questions or calls are collected. */
const patience = 50;

/** Carries out what was collected. @returns a result or an error for each, in order */
export type Carry<T, R> = (items: readonly T[], signal: AbortSignal) => Promise<readonly (R | Error)[]>;

interface Waiting<T, R> {
  readonly item: T;
  readonly signal: AbortSignal;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects what is asked about the same cluster within 50 ms, so that one request answers it all. The request is aborted when
 * nobody waits for it any more.
 */
export class Collector<T, R> {
  readonly #batches = new Map<string, Waiting<T, R>[]>();

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
        batch.push(waiting);
        return;
      }
      const started = [waiting];
      this.#batches.set(key, started);
      this.clock.after(patience, () => {
        this.#batches.delete(key);
        void this.#run(started);
      });
    });
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
