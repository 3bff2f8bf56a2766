import { until } from '../../chaos/wait.js';
import { figure, seconds } from '../algorithm/figure.js';
import { type Sent, SentRecords } from '../kafka/sent-records.js';
import { ScriptPod, type ScriptPodProps } from './script-pod.js';

/** Keys a second. */
const rate = 50;

/** Where numbered keys are written to. */
export type KeyWriterProps = Omit<ScriptPodProps, 'name'>;

/** A client that writes numbered keys, and counts those that were confirmed. Its script prints the lines of a producer. */
export class KeyWriter implements AsyncDisposable {
  readonly #keys = new SentRecords();

  private constructor(private readonly pod: ScriptPod) {}

  /** Starts one, named `writer`. Resolves when the first key is confirmed. */
  static async start(props: KeyWriterProps): Promise<KeyWriter> {
    const env = { ...props.env, RATE: String(rate) };
    const writer = new KeyWriter(await ScriptPod.start({ ...props, name: 'writer', env }));
    try {
      await writer.untilMore(1);
      return writer;
    } catch (error) {
      await writer[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What was confirmed so far. @param since milliseconds since 1970, from which gaps count */
  sent(since = 0): Sent {
    this.#keys.take(this.pod.news());
    return this.#keys.sent(since, Date.now());
  }

  /** Does something while it writes, and prints the figures. @returns milliseconds of the longest gap meanwhile */
  async during(line: number, what: string, change: () => Promise<unknown>): Promise<number> {
    const began = Date.now();
    await change();
    const took = seconds(began, Date.now());
    await this.untilMore(2 * rate);
    const { longestGap, acknowledged } = this.sent(began);
    figure(line, `${what}: ${took}, longest gap ${longestGap} ms, ${acknowledged.size} confirmed`);
    return longestGap;
  }

  /** Resolves when so many more keys are confirmed. @param within seconds */
  async untilMore(keys: number, within = 120): Promise<void> {
    const before = this.sent().acknowledged.size;
    await until(() => this.sent().acknowledged.size >= before + keys, {
      what: `${keys} more keys are confirmed`,
      within: within * 1_000,
      every: 500,
      instead: () => `${this.pod.end}; ${JSON.stringify(this.sent().errors)}`,
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.pod[Symbol.asyncDispose]();
  }
}
