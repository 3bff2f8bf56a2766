import { Producer } from '@platformatic/kafka';
import type { GivenKafka } from '../../../given/kafka.js';

/** What a client reads from its Secret. */
export interface ReadLogin {
  readonly username: string;
  readonly password: string;
  readonly ca: string;
}

/** What the clients have done. */
export interface Tally {
  sessions: number;
  records: number;
  readonly users: Set<string>;
  readonly errors: string[];
}

/**
 * Pods of a workload that write records. Each one reads the Secret when it starts, and connects again and again with what
 * it read. A rollout replaces one after the other.
 */
export class ProducingClients {
  readonly tally: Tally = { sessions: 0, records: 0, users: new Set(), errors: [] };
  readonly #pods: { login: ReadLogin; hash: string }[] = [];
  #rollout: { login: ReadLogin; hash: string } | undefined;
  #isStopped = false;
  readonly #running: Promise<void>[] = [];

  constructor(
    private readonly kafka: Pick<GivenKafka, 'users'>,
    private readonly topic: string,
  ) {}

  /** Starts the first Pods, or replaces them, each when its present session ends. */
  roll(login: ReadLogin, hash: string): void {
    this.#rollout = { login, hash };
    if (this.#pods.length > 0) return;
    for (let at = 0; at < 3; at++) {
      const pod = { login, hash };
      this.#pods.push(pod);
      this.#running.push(this.#run(pod));
    }
  }

  /** The content that every Pod has. Undefined while they differ. */
  get hash(): string | undefined {
    const [first] = this.#pods;
    return this.#pods.every(({ hash }) => hash === first?.hash) ? first?.hash : undefined;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  async #run(pod: { login: ReadLogin; hash: string }): Promise<void> {
    while (!this.#isStopped) {
      await this.#session(pod.login);
      const isNext = this.#pods.find(({ hash }) => hash !== this.#rollout?.hash) === pod;
      if (this.#rollout && isNext) Object.assign(pod, this.#rollout);
    }
  }

  async #session({ username, password, ca }: ReadLogin): Promise<void> {
    const producer = new Producer({
      ...{
        clientId: 'shop',
        bootstrapBrokers: this.kafka.users.map(({ host, port }) => `${host}:${port}`),
        retries: 0,
      },
      ...{ tls: { ca }, sasl: { mechanism: 'SCRAM-SHA-512', username, password } },
    });
    this.tally.sessions++;
    try {
      for (let n = 0; n < 3; n++) {
        const messages = [{ topic: this.topic, key: Buffer.from(username), value: Buffer.from(`${n}`) }];
        await producer.send({ messages, acks: -1 });
        this.tally.records++;
        this.tally.users.add(username);
      }
    } catch (error) {
      this.tally.errors.push(`${username}: ${String(error)}`);
    } finally {
      await Promise.resolve(producer.close()).catch(() => {});
    }
  }
}
