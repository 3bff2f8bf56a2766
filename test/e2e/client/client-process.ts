import type { AttachedOptions } from './attached-main.js';
import type { Failed, Period } from './counting-client.js';
import { LineProcess } from './line-process.js';

/** Where `npm run e2e` and `npm run kills` compile the program to. */
const program = 'node_modules/.trials/test/e2e/client/attached-main.js';

/** A line of the program. */
interface Line {
  readonly failed?: Failed;
  readonly period?: Period;
}

/** A counting client in a process of its own, which nothing else in this process can delay. */
export class ClientProcess {
  readonly #periods: Period[] = [];
  readonly #process: LineProcess;

  /** @param onFailed is told each failure at once. The periods have it too */
  constructor(options: AttachedOptions, onFailed: (failed: Failed) => void = () => {}) {
    this.#process = new LineProcess([program, JSON.stringify(options)], (line) => {
      const { failed, period } = line as Line;
      if (failed) onFailed(failed);
      if (period) this.#periods.push(period);
    });
  }

  /** What it has counted until about a second ago, since this was called before. */
  take(): readonly Period[] {
    return this.#periods.splice(0);
  }

  /** Sends no more; resolves when every request has ended. @throws {Error} if it ended earlier by itself */
  async stop(): Promise<void> {
    await this.#process.stop();
  }
}
