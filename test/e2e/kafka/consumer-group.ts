import { program, ran, type Site } from './clients.js';

/** Records that the group reads first. */
const first = 10;

/** A consumer group that falls behind in a topic, and catches up. */
export class ConsumerGroup {
  /** @param records that it falls behind */
  constructor(
    readonly site: Site,
    readonly name: string,
    readonly records: number,
  ) {}

  /** Writes the records, of which the group reads few. */
  async fallBehind(): Promise<void> {
    // This one is fast, because it logs nothing.
    const writes = program('ConsoleProducer', 'client.properties', `--topic ${this.site.topic}`);
    await this.#run(`seq ${this.records + first} | ${writes} && ${this.#reading(first)}`);
  }

  /** Reads the rest. */
  async catchUp(): Promise<void> {
    await this.#run(this.#reading(this.records));
  }

  /** A consumer that commits what it has read when it ends. */
  #reading(records: number): string {
    const { topic } = this.site;
    const args = `--topic ${topic} --group ${this.name} --from-beginning --max-messages ${records} --timeout-ms 60000`;
    return `${program('consumer.ConsoleConsumer', 'client.properties', args)} >/dev/null`;
  }

  async #run(script: string): Promise<void> {
    const { phase, log } = await ran(this.site, this.name, script, 200);
    if (phase !== 'Succeeded') throw new Error(`the clients of group ${this.name} failed: ${log.slice(-2_000)}`);
  }
}
