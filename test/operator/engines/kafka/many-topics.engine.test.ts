import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kafkaClusterSpec, kafkaTopicSpec, withDefaults } from '../../../../crds/index.js';
import { type KafkaTopicResource, kafkaClusterKind, kafkaTopicKind } from '../../../../imports/index.js';
import { kafkaTopic } from '../../../../operator/controllers/kafka/topic/index.js';
import { type OpenKafka, openKafka } from '../../../../operator/engines/kafka/open-kafka.js';
import { Secret } from '../../../../operator/runtime/index.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import type { Perform, Provided, Source } from '../../../../operator/runtime/ports/external-port.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { Operator } from '../../../../operator/runtime/reconcile/operator.js';
import { MemoryCluster } from '../../../../operator/testing/memory/memory-cluster.js';
import { GivenKafka, kafkaAbsence } from '../../../given/kafka.js';
import { counted } from './counted-requests.js';

const absence = await kafkaAbsence();
const count = 1_000;
const namespace = 'shop';
const apiVersion = 'reconstruct.dev/v1alpha1';
const author = { manager: 'test' };
const names = Array.from({ length: count }, (_, number) => `topic-${number}`);

/** Requests by the number of their call in the protocol, as text and in total. */
function summary(requests: Readonly<Record<number, number>>) {
  return { text: JSON.stringify(requests), total: Object.values(requests).reduce((sum, one) => sum + one, 0) };
}

/** An API server in memory with a KafkaCluster, and an operator that manages topics in a real Kafka. */
class GivenTopics {
  readonly memory = new MemoryCluster();
  #opened: OpenKafka | undefined;
  #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(private readonly kafka: GivenKafka) {}

  async create(): Promise<void> {
    const { memory } = this;
    const { certificate, key, ca } = this.kafka.operator;
    const files = { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': ca };
    const data = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
    );
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'events-operator-tls', namespace }, data };
    await memory.create(Secret, secret, author);
    const spec = withDefaults(kafkaClusterSpec, { brokers: { replicas: 1, storage: { size: '1Gi' } } });
    const metadata = { name: 'events', namespace };
    const nodes = [{ name: 'events-broker-0', id: 0, role: 'Broker', state: 'Running' }];
    const cluster = { apiVersion, kind: 'KafkaCluster', metadata, spec };
    await memory.create(kafkaClusterKind, cluster, author);
    const known = { apiVersion, kind: 'KafkaCluster', metadata, status: { nodes } };
    await memory.apply(kafkaClusterKind, known, { ...author, subresource: 'status' });
    for (const name of names) await this.#apply(name, {});
  }

  /** Sets the configuration of all topics. */
  async configure(config: Readonly<Record<string, string>>): Promise<void> {
    for (const name of names) await this.#apply(name, { config });
  }

  /** Starts a process of the operator. */
  start(): void {
    const { memory } = this;
    this.#opened = openKafka({ cluster: memory });
    this.#stop = new AbortController();
    const operator = new Operator({
      ...{ controllers: [kafkaTopic], cluster: memory, clock: systemClock, telemetry: silent, identity: 'operator' },
      ...{ maxConcurrentReconciles: 16, resyncPeriod: 30_000, reconcileTimeout: 120_000 },
      ...{ gracefulShutdownTimeout: 10_000, namespaces: [], ports: this.#opened.provided.map((one) => this.#at(one)) },
    });
    this.#running = operator.run(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#opened?.close();
  }

  get topics(): readonly KafkaTopicResource[] {
    return [...this.memory.peek(kafkaTopicKind).values()] as unknown as readonly KafkaTopicResource[];
  }

  /** The number of topics that are as their specs want them. */
  get configured(): number {
    return this.topics.filter(({ metadata, status }) =>
      status?.conditions?.some(
        ({ type, status: is, observedGeneration }) =>
          type === 'Configured' && is === 'True' && observedGeneration === metadata.generation,
      ),
    ).length;
  }

  /** The broker of the test has another address than one in a Pod. */
  #at(provided: Provided): Provided {
    const { bootstrap } = this.kafka;
    const source: Source<object, unknown> = (question, options) =>
      (provided.source as unknown as Source<object, unknown>)({ ...question, bootstrap }, options);
    const { performer } = provided;
    if (!performer) return { ...provided, source };
    const perform: Perform<object> = (request, options) =>
      (performer.perform as unknown as Perform<object>)({ ...request, bootstrap }, options);
    return { ...provided, source, performer: { ...performer, perform } };
  }

  async #apply(name: string, changes: object): Promise<void> {
    const spec = withDefaults(kafkaTopicSpec, {
      cluster: { name: 'events' },
      partitions: 1,
      replication: 1,
      ...changes,
    });
    const manifest = { apiVersion, kind: 'KafkaTopic', metadata: { name, namespace }, spec };
    await this.memory.apply(kafkaTopicKind, manifest, author);
  }
}

// The tests change one cluster, so they run in order.
describe.skipIf(absence !== undefined)('line 8: 1,000 KafkaTopics cost some tens of requests', () => {
  let kafka: GivenKafka;
  let given: GivenTopics;

  beforeAll(async () => {
    kafka = await GivenKafka.start();
    given = new GivenTopics(kafka);
    await given.create();
  });
  afterAll(async () => {
    await given?.stop();
    await kafka?.[Symbol.asyncDispose]();
  });

  const until = async (what: string, begin: () => void | Promise<void>) => {
    const began = Date.now();
    const requests = await counted(async () => {
      await begin();
      await expect.poll(() => given.configured, { timeout: 120_000, interval: 50 }).toBe(count);
    });
    const { text, total } = summary(requests);
    console.log(`${what}: ${total} requests ${text} in ${Date.now() - began} ms`);
    return total;
  };

  it('to be created', async () => {
    expect(await until('1,000 topics created', () => given.start())).toBeLessThan(200);
  });

  it('to be changed', async () => {
    expect(await until('1,000 topics changed', () => given.configure({ 'retention.ms': '60000' }))).toBeLessThan(200);
  });

  it('to be seen by the next process of the operator', async () => {
    await given.stop();
    const requests = await counted(async () => {
      given.start();
      await new Promise((resolve) => setTimeout(resolve, 8_000));
    });
    const { text, total } = summary(requests);
    console.log(`1,000 topics seen: ${total} requests ${text}`);
    expect(total).toBeLessThan(100);
  });
});
