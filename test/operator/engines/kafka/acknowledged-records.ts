import { setTimeout as pause } from 'node:timers/promises';
import { Consumer, Producer } from '@platformatic/kafka';
import type { GivenKafka } from '../../../given/kafka.js';

/** A client that writes one numbered record after another to each partition, and remembers which were acknowledged and when. */
export class AcknowledgedRecords {
  readonly #values = new Set<string>();
  /** Milliseconds between two acknowledgements of a partition, at most. */
  #gap = 0;
  readonly #producer: Producer;
  #isStopped = false;
  readonly #writing: Promise<unknown>;

  constructor(
    private readonly kafka: GivenKafka,
    private readonly topic: string,
    partitions: number,
    /** Distinguishes its records from those of other clients. */
    private readonly name: string,
  ) {
    this.#producer = new Producer({ ...this.#client, retries: 0, timeout: 5_000, metadataMaxAge: 500 });
    this.#writing = Promise.all(Array.from({ length: partitions }, (_, partition) => this.#write(partition)));
  }

  /** The number of acknowledged records. */
  get acknowledged(): number {
    return this.#values.size;
  }

  /** Stops writing. @returns the longest time without an acknowledgement of a partition, in milliseconds */
  async stop(): Promise<number> {
    this.#isStopped = true;
    await this.#writing;
    await this.#producer.close();
    return this.#gap;
  }

  /** The acknowledged records that no consumer reads. */
  async lost(): Promise<readonly string[]> {
    const missing = new Set(this.#values);
    const consumer = new Consumer({ ...this.#client, groupId: `reader-${this.name}` });
    const stream = await consumer.consume({ topics: [this.topic], mode: 'earliest', autocommit: false });
    try {
      const ends = pause(60_000, undefined, { ref: false });
      const reads = (async () => {
        for await (const { value } of stream) if (missing.delete(value.toString()) && missing.size === 0) return;
      })();
      await Promise.race([reads, ends]);
      return [...missing];
    } finally {
      await consumer.close(true);
    }
  }

  async #write(partition: number): Promise<void> {
    let last = Date.now();
    for (let number = 0; !this.#isStopped; number++) {
      const value = `${this.name} ${partition} ${number}`;
      const messages = [{ topic: this.topic, partition, value: Buffer.from(value) }];
      try {
        await this.#producer.send({ messages, acks: -1 });
        this.#values.add(value);
        this.#gap = Math.max(this.#gap, Date.now() - last);
        last = Date.now();
        await pause(20);
      } catch {
        await pause(100);
      }
    }
  }

  get #client() {
    const { bootstrap, operator } = this.kafka;
    return {
      clientId: 'test',
      bootstrapBrokers: bootstrap.map(({ host, port }) => `${host}:${port}`),
      tls: { cert: operator.certificate, key: operator.key, ca: operator.ca },
    };
  }
}
