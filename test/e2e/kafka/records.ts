import { until } from '../../chaos/wait.js';
import { figure, seconds } from '../algorithm/figure.js';
import { listed } from '../cluster/api.js';
import { FollowedLogs } from '../cluster/followed-logs.js';
import { Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { clientPod, prepared, producing, program, ran, type Site } from './clients.js';
import { type Sent, SentRecords } from './sent-records.js';

/** A producer of numbered records, with all acknowledgements and idempotence, that runs until it is stopped. */
export class Producer implements AsyncDisposable {
  readonly #records = new SentRecords();
  #read = 0;

  private constructor(
    readonly site: Site,
    private readonly logs: FollowedLogs,
    private readonly name: string,
  ) {}

  /** @param rate records a second */
  static async start(site: Site, rate: number, name = 'producer'): Promise<Producer> {
    const { namespace, topic } = site;
    const logs = new FollowedLogs(() => listed(Pod, { namespace, labelSelector: `app=${name}` }));
    const producer = new Producer(site, logs, name);
    try {
      await applied(clientPod(site, name, `${prepared} && exec ${producing(topic, rate)}`));
      await producer.untilMore(1, 120);
      return producer;
    } catch (error) {
      await producer[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What was sent so far. @param since milliseconds since 1970, from which gaps count */
  sent(since = 0): Sent {
    const { text } = this.logs;
    this.#records.take(text.slice(this.#read));
    this.#read = text.length;
    return this.#records.sent(since, Date.now());
  }

  /**
   * Does something while it sends, and prints the figures. Afterwards it sends on.
   * @param line of the contract
   * @returns what was sent so far, and the longest gap meanwhile
   */
  async during(line: number, what: string, change: () => Promise<unknown>): Promise<Sent> {
    const began = Date.now();
    await change();
    const took = seconds(began, Date.now());
    await this.untilMore(100);
    const sent = this.sent(began);
    figure(line, `${what}: ${took}, longest gap ${sent.longestGap} ms, ${sent.acknowledged.size} acknowledged`);
    return sent;
  }

  /** Resolves when so many more records are acknowledged. @param within seconds */
  async untilMore(records: number, within = 90): Promise<void> {
    const before = this.sent().acknowledged.size;
    await until(() => this.sent().acknowledged.size >= before + records, {
      what: `${records} more records are acknowledged`,
      within: within * 1_000,
      every: 500,
      instead: () => `${this.logs.text.slice(-500)}; ${JSON.stringify(this.sent().errors)}`,
    });
  }

  /** Ends it, reads the whole topic, and prints the figures. @returns the acknowledged records that are not there */
  async lost(): Promise<readonly string[]> {
    await this[Symbol.asyncDispose]();
    const { acknowledged, errors } = this.sent();
    const values = await readAll(this.site);
    const lost = [...acknowledged].filter((value) => !values.has(value));
    const counts = `${acknowledged.size} acknowledged, ${values.size} read, ${lost.length} lost`;
    figure(2, `${counts}; errors: ${JSON.stringify(errors)}`);
    return lost;
  }

  /** Lets it send what it has, and ends it. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { namespace } = this.site;
    const ends = ['--grace-period=20', '--ignore-not-found', '--timeout=60s'];
    try {
      await kubectl(['--namespace', namespace, 'delete', 'pod', this.name, ...ends]);
    } finally {
      await this.logs[Symbol.asyncDispose]();
    }
  }
}

/** Prints consecutive numbers as `FIRST-LAST`: the kubelet keeps only the last megabytes of a log. */
const ranges = `grep -E '^[0-9]+$' | sort -n -u | awk 'NR==1 {a=b=$1; next} $1==b+1 {b=$1; next} {print a "-" b; a=b=$1} END {if (NR) print a "-" b}'`;

/** Reads the whole topic. @returns the values @throws {Error} with the log of the reader if it reads none */
export async function readAll(site: Site): Promise<ReadonlySet<string>> {
  const name = 'reader';
  const args = `--topic ${site.topic} --from-beginning --timeout-ms 40000 --group shop-reader-${Date.now()}`;
  const consumer = program('consumer.ConsoleConsumer', 'client.properties', args);
  const { log } = await ran(site, name, `set -o pipefail; (${consumer}) | ${ranges}`, 300);
  const values = new Set(log.split('\n').flatMap(valuesIn));
  if (values.size === 0) throw new Error(`the reader reads no record: ${log.slice(-2_000)}`);
  return values;
}

function valuesIn(line: string): readonly string[] {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(line) ?? [];
  if (first === undefined || last === undefined) return [];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => String(Number(first) + index));
}
