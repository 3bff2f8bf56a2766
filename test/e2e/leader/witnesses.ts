import { setTimeout as pause } from 'node:timers/promises';
import { ConfirmedWrites } from '../../operator/engines/leader/confirmed-writes.js';
import { KeyWriter } from '../client/key-writer.js';
import { listed } from '../cluster/api.js';
import { Node } from '../cluster/kinds.js';
import type { TriedElection } from './tried-election.js';

/** Milliseconds between two probes of one address, and between two looks at the Pods. */
const [between, look] = [100, 500];

/**
 * What clients were promised: a writer through the Service of the leader, and probes that write to every address which a Pod
 * has or had, as if each were the leader.
 */
export class Witnesses implements AsyncDisposable {
  readonly #addresses = new Set<string>();
  readonly #looking: Promise<void>;
  #isOver = false;

  private constructor(
    private readonly election: TriedElection,
    readonly writer: KeyWriter,
    /** The machine of the writer, which no test stops. */
    readonly node: string,
    private readonly probes: ConfirmedWrites,
  ) {
    this.#looking = this.#look();
  }

  static async start(election: TriedElection): Promise<Witnesses> {
    const { namespace, service } = election;
    const [node = ''] = (await listed(Node)).map(({ metadata }) => metadata.name);
    const writer = await KeyWriter.start({
      ...{ namespace, node, script: 'test/e2e/leader/writer.mjs' },
      env: { HOST: `${service}.${namespace}.svc` },
    });
    return new Witnesses(election, writer, node, new ConfirmedWrites([], between));
  }

  /** How many keys were confirmed to the writer, and which of them the leader does not have. */
  async kept(): Promise<{ readonly confirmed: number; readonly lost: readonly string[] }> {
    const { acknowledged } = this.writer.sent();
    const numbers = [...acknowledged];
    const written = await this.election.written();
    return { confirmed: numbers.length, lost: numbers.filter((number) => !written.has(number)) };
  }

  /** Writes that one Pod has confirmed after another one had confirmed some in a later term, in words. */
  secondWriters(): readonly string[] {
    return this.probes.overlaps().map(({ key, term }) => `${key} in term ${term}`);
  }

  /** The number of confirmed probes. */
  get probed(): number {
    return this.probes.count;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all([this.#looking, this.probes.end(), this.writer[Symbol.asyncDispose]()]);
  }

  async #look(): Promise<void> {
    while (!this.#isOver) {
      const pods = await this.election.pods().catch(() => []);
      for (const { status } of pods) {
        const address = status?.podIP;
        if (address === undefined || this.#addresses.has(address)) continue;
        this.#addresses.add(address);
        this.probes.writeTo({ name: address, address });
      }
      await pause(look);
    }
  }
}
