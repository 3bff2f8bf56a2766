import { WorkQueue, type WorkQueueOptions } from '../../../../operator/runtime/concurrency/work-queue.js';
import { FakeClock, settled } from '../../fake-clock.js';

/** A pass that the test ends. */
interface Pass {
  readonly key: string;
  readonly failuresBefore: number;
  readonly end: (outcome: { again?: number } | Error) => void;
}

/** A queue whose passes wait for the test to end them. */
export class GivenQueue {
  readonly clock = new FakeClock();
  readonly queue: WorkQueue;
  /** The keys of all passes, as they started. */
  readonly started: string[] = [];
  readonly running: Pass[] = [];
  /** The causes of all passes, as they started. */
  readonly causes: (readonly string[] | undefined)[] = [];
  /** The reported failures, as `key: message`. */
  readonly told: string[] = [];
  /** Set by a test to make {@link WorkQueue} wait while a failure is reported. */
  telling: Promise<void> = Promise.resolve();

  constructor({
    workers: maxConcurrentReconciles = 1,
    open = true,
    ...options
  }: { workers?: number; open?: boolean } & Pick<WorkQueueOptions, 'backoff' | 'causes'> = {}) {
    this.queue = new WorkQueue({
      ...options,
      clock: this.clock,
      maxConcurrentReconciles,
      run: (key, { failures, causes }) => {
        this.causes.push(causes && [...causes]);
        return this.#run(key, failures);
      },
      failed: async (key, error) => {
        this.told.push(`${key}: ${(error as Error).message}`);
        await this.telling;
      },
    });
    if (open) this.queue.open();
  }

  #run(key: string, failuresBefore: number): Promise<number | undefined> {
    if (this.running.some((pass) => pass.key === key)) throw new Error(`two passes of ${key} at once`);
    this.started.push(key);
    return new Promise((resolve, reject) => {
      const pass: Pass = {
        key,
        failuresBefore,
        end: (outcome) => {
          this.running.splice(this.running.indexOf(pass), 1);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome.again);
        },
      };
      this.running.push(pass);
    });
  }

  /** Ends the pass of a key that runs, the oldest one by default. */
  async end(outcome: { again?: number } | Error = {}, key = this.running[0]?.key): Promise<void> {
    const pass = this.running.find((one) => one.key === key);
    if (!pass) throw new Error(`no pass of ${key} runs`);
    pass.end(outcome);
    await settled();
  }

  /** Ends passes until none runs, and returns the keys that ran since the beginning. */
  async drain(): Promise<readonly string[]> {
    while (this.running.length > 0) await this.end();
    return this.started;
  }
}
