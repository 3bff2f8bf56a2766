import {
  type ClusterAnswer,
  type ClusterQuestion,
  type ClusterRequest,
  kafkaCluster,
} from '../../../../operator/controllers/kafka/ports/cluster.js';
import { type ConsumersAnswer, kafkaConsumers } from '../../../../operator/controllers/kafka/ports/consumers.js';
import {
  kafkaTopics,
  type TopicAnswer,
  type TopicQuestion,
  type TopicRequest,
} from '../../../../operator/controllers/kafka/ports/topics.js';
import { openKafka } from '../../../../operator/engines/kafka/open-kafka.js';
import type { KafkaAccess, KafkaAddress } from '../../../../operator/kafka/access.js';
import { kafkaUsers, type UserAnswer, type UserQuestion, type UserRequest } from '../../../../operator/kafka/users.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import type { Perform, Port, SecretData, Source } from '../../../../operator/runtime/ports/external-port.js';
import type { Identity } from '../../../given/kafka-node.js';

/** What a test asks beside the access. */
type Asked<T> = T extends unknown ? Omit<T, keyof KafkaAccess> : never;

/** The engine, with the Secret of the operator in memory. */
export class GivenEngine implements AsyncDisposable {
  secret: SecretData;
  /** Reads of the Secret. */
  reads = 0;
  readonly #opened = openKafka({
    cluster: {
      read: async () => {
        this.reads++;
        const data = Object.entries(this.secret).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
        return { data: Object.fromEntries(data) };
      },
    } as unknown as Pick<Cluster, 'read'>,
  });

  constructor(
    { certificate, key, ca }: Identity,
    private readonly bootstrap: () => readonly KafkaAddress[],
  ) {
    this.secret = { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': ca };
  }

  cluster(question: Asked<ClusterQuestion> = {}, signal?: AbortSignal): Promise<ClusterAnswer> {
    return this.#ask(kafkaCluster, question, { signal });
  }

  consumers(most = 50, signal?: AbortSignal): Promise<ConsumersAnswer> {
    return this.#ask(kafkaConsumers, { most }, { signal });
  }

  topic(topic: string, signal?: AbortSignal): Promise<TopicAnswer> {
    return this.#ask(kafkaTopics, { topic } satisfies Asked<TopicQuestion>, { signal });
  }

  user(question: Asked<UserQuestion>, secret?: SecretData): Promise<UserAnswer> {
    return this.#ask(kafkaUsers, question, { secret });
  }

  changeCluster(request: Asked<ClusterRequest>): Promise<unknown> {
    return this.#perform(kafkaCluster, request);
  }

  changeTopic(request: Asked<TopicRequest>, mayLeave?: () => void): Promise<unknown> {
    return this.#perform(kafkaTopics, request, { mayLeave });
  }

  changeUser(request: Asked<UserRequest>, secret?: SecretData): Promise<unknown> {
    return this.#perform(kafkaUsers, request, { secret });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.close();
  }

  get #access(): KafkaAccess {
    return { cluster: 'uid', namespace: 'shop', secret: 'events-operator-tls', bootstrap: this.bootstrap() };
  }

  #provided(port: Port<never, unknown>) {
    const found = this.#opened.provided.find((one) => one.port === port);
    if (!found) throw new Error(`nobody answers ${port.name}`);
    return found;
  }

  #ask<A>(port: object, question: object, options: Record<string, unknown> = {}): Promise<A> {
    const source = this.#provided(port as Port).source as unknown as Source<object, A>;
    return source({ ...this.#access, ...question }, { ...options, signal: signalIn(options) });
  }

  #perform(
    port: object,
    request: object,
    { mayLeave = () => {}, ...options }: { mayLeave?: (() => void) | undefined; secret?: SecretData | undefined } = {},
  ) {
    const perform = this.#provided(port as Port).performer?.perform as unknown as Perform<object>;
    return perform({ ...this.#access, ...request }, { ...options, mayLeave, signal: AbortSignal.timeout(30_000) });
  }
}

function signalIn({ signal }: Record<string, unknown>): AbortSignal {
  return signal instanceof AbortSignal ? signal : AbortSignal.timeout(30_000);
}
