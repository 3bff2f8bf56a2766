import { describe, expect, it } from 'vitest';
import { overridesOf } from '../../../../operator/engines/kafka/clusters/broker-overrides.js';
import { metadataOf, metadataVersionOf, sizesOf } from '../../../../operator/engines/kafka/clusters/metadata.js';
import type { KafkaSession } from '../../../../operator/engines/kafka/connection/session.js';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';

type Responses = Readonly<Record<string, unknown>>;

const host = 'broker-0';
const port = 9091;
const describedBrokers = [
  { id: 0, host, port, isFenced: false },
  { id: 1, host: 'broker-1', port, isFenced: false },
];
const now = 1_000_000n;
const member = (replicaId: number, changes: object = {}) => ({
  ...{ replicaId, replicaDirectoryId: '00000000-0000-0000-0000-000000000001', logEndOffset: 5n },
  ...{ lastCaughtUpTimestamp: now, ...changes },
});
const quorum = (observers = [member(0), member(1)]) => ({
  topics: [{ partitions: [{ leaderId: 1000, currentVoters: [member(1000)], observers }] }],
});
const minIsr = (value: string | null) => ({ name: 'min.insync.replicas', value, configSource: 5 });
const configsOf = (resourceName: string, configs: readonly object[], errorCode = 0) => ({
  results: [{ errorCode, errorMessage: null, resourceName, configs }],
});
const topic = (changes: object = {}) => ({
  ...{ errorCode: 0, name: 'orders' },
  partitions: [{ errorCode: 0, partitionIndex: 0, leaderId: 0, replicaNodes: [0, 1], isrNodes: [0, 1] }],
  ...changes,
});

/** A session whose broker 0 answers so. @param responses by the name of the request, instead of those at rest */
function session(responses: Responses = {}) {
  const all: Responses = {
    describeCluster: { clusterId: 'cluster', brokers: describedBrokers },
    describeQuorum: quorum(),
    metadata: { topics: [topic()] },
    listReassignments: { topics: [] },
    describeConfigs: configsOf('orders', [minIsr('2')]),
    ...responses,
  };
  const distrusted: unknown[] = [];
  const fake = {
    ...{ broker: { host, port }, distrust: () => distrusted.push(1) },
    ask: async (name: string, _: unknown, { at }: { at?: { id: number } } = {}) => {
      const response = all[name];
      return typeof response === 'function' ? response(at?.id) : response;
    },
    refusal: (code: number) => new CallError('retryable', `ERROR_${code}`),
  };
  return { session: fake as unknown as KafkaSession, distrusted };
}

const told = async (responses: Responses) => (await metadataOf(session(responses).session)).partitions;

describe('min.insync.replicas of a topic', () => {
  it.each([
    { is: 2, when: 'the brokers report it', describeConfigs: configsOf('orders', [minIsr('2')]) },
    { is: undefined, when: 'the answer lacks the topic', describeConfigs: { results: [] } },
    { is: undefined, when: 'the answer says that the topic is gone', describeConfigs: configsOf('orders', [], 3) },
    { is: undefined, when: 'the answer lacks the property', describeConfigs: configsOf('orders', []) },
    { is: undefined, when: 'the property has no value', describeConfigs: configsOf('orders', [minIsr(null)]) },
    { is: undefined, when: 'the value is no number', describeConfigs: configsOf('orders', [minIsr('many')]) },
    { is: undefined, when: 'the value is empty', describeConfigs: configsOf('orders', [minIsr('')]) },
    { is: undefined, when: 'the value is 0', describeConfigs: configsOf('orders', [minIsr('0')]) },
  ])('is $is when $when', async ({ is, describeConfigs }) => {
    expect((await told({ describeConfigs })).map(({ minInSync }) => minInSync)).toEqual([is]);
  });
});

describe('a topic that the metadata has with an error', () => {
  it('fails the answer, because its brokers would look empty', async () => {
    const answer = told({ metadata: { topics: [topic(), topic({ name: 'logs', errorCode: 29, partitions: [] })] } });
    await expect(answer).rejects.toThrow('Topic logs: ERROR_29');
  });

  it('is left out if it is being deleted', async () => {
    const topics = [topic(), topic({ name: 'logs', errorCode: 3, partitions: [] })];
    expect((await told({ metadata: { topics } })).map((one) => one.topic)).toEqual(['orders']);
  });
});

describe('the broker that answers', () => {
  it.each([
    { expected: undefined, when: 'it has all records of the controllers', observers: [member(0)] },
    {
      expected: 'The metadata of broker 0 is 11 s old',
      when: 'it has lost the controllers',
      observers: [member(0, { lastCaughtUpTimestamp: now - 11_000n })],
    },
    {
      expected: 'The metadata of broker 0 is of unknown age',
      when: 'the controllers do not know it yet',
      observers: [member(1)],
    },
    {
      expected: 'The metadata of broker 0 is of unknown age',
      when: 'it never had all records',
      observers: [member(0, { lastCaughtUpTimestamp: -1n })],
    },
    {
      expected: 'The metadata of a broker that is not registered is of unknown age',
      when: 'it was unregistered',
      observers: [member(0)],
      brokers: describedBrokers.slice(1),
    },
  ])('is told $expected when $when', async ({ expected, observers, brokers = describedBrokers }) => {
    const given = session({
      describeQuorum: quorum(observers as never),
      describeCluster: { clusterId: 'cluster', brokers },
    });
    const answer = metadataOf(given.session);
    if (expected === undefined) await expect(answer).resolves.toBeDefined();
    else await expect(answer).rejects.toThrow(expected);
    expect(given.distrusted).toHaveLength(expected === undefined ? 0 : 1);
  });
});

describe('the level of metadata.version', () => {
  const features = (supported: object, finalized: object = { 'metadata.version': 30 }) => ({ supported, finalized });
  const all = { 'metadata.version': { minimum: 7, maximum: 33 } };
  const silent = () => {
    throw new Error('no answer');
  };
  it.each([
    {
      is: { finalized: 30, minimum: 7, maximum: 33 },
      when: 'all report it',
      own: features(all),
      other: () => features(all),
    },
    {
      is: { finalized: 30, minimum: 7, maximum: 0 },
      when: 'a broker does not answer',
      own: features(all),
      other: silent,
    },
    {
      is: { finalized: 30, minimum: 7, maximum: 0 },
      when: 'a broker does not report its levels',
      own: features(all),
      other: () => features({}),
    },
    {
      is: { minimum: 7, maximum: 33 },
      when: 'the finalized one is not reported',
      own: features(all, {}),
      other: () => features(all),
    },
  ])('is $is when $when', async ({ is, own, other }) => {
    const given = session({ features: (id?: number) => (id === 1 ? other() : own) });
    expect(await metadataVersionOf(given.session, describedBrokers)).toEqual(is);
  });
});

describe('the dynamic properties of single brokers', () => {
  const property = (name: string, configSource: number) => ({ name, value: null, configSource });
  const own = (id: number) => configsOf(String(id), [property('b', 2), property('a', 2), property('c', 3)]);
  const none = (id: number) => configsOf(String(id), [property('c', 3), property('d', 4), property('e', 5)]);
  const refusal = (id: number) => configsOf(String(id), [], 29);
  it.each([
    { is: { 0: ['a', 'b'], 1: ['a', 'b'] }, when: 'both have some', first: own, second: own },
    { is: { 1: ['a', 'b'] }, when: 'one has those of all brokers and of its file only', first: none, second: own },
    { is: { 0: ['a', 'b'] }, when: 'a broker refuses to tell them', first: own, second: refusal },
    { is: {}, when: 'none has any', first: none, second: none },
  ])('are $is when $when', async ({ is, first, second }) => {
    const given = session({ describeConfigs: (id: number) => (id === 0 ? first(id) : second(id)) });
    expect(await overridesOf(given.session, describedBrokers as never)).toEqual(is);
  });

  it('are not asked of a fenced broker', async () => {
    const given = session({ describeConfigs: own });
    const brokers = describedBrokers.map((one) => ({ ...one, isFenced: one.id === 1 }));
    expect(await overridesOf(given.session, brokers as never)).toEqual({ 0: ['a', 'b'] });
  });
});

describe('the volumes of a broker', () => {
  const directory = (changes: object = {}) => ({
    ...{ errorCode: 0, logDir: '/var/lib/kafka/data', totalBytes: 100n, usableBytes: 40n },
    topics: [{ name: 'orders', partitions: [{ partitionIndex: 0, partitionSize: 7n }] }],
    ...changes,
  });
  const second = { logDir: '/var/lib/kafka-volumes/fast/data' };
  const of = async (results: readonly object[], errorCode = 0) => {
    const describeLogDirs = (id: number) => ({ errorCode, results: id === 0 ? results : [] });
    return (await sizesOf(session({ describeLogDirs }).session, describedBrokers as never)).disks.get(0);
  };

  it('are told one by one, and their bytes together', async () => {
    expect(await of([directory(), directory({ ...second, totalBytes: 50n, usableBytes: 50n })])).toEqual({
      bytes: 14,
      volumes: [
        { directory: '/var/lib/kafka/data', size: { total: 100, usable: 40 } },
        { directory: second.logDir, size: { total: 50, usable: 50 } },
      ],
    });
  });

  it('are told if they have failed, and if the broker does not know their size', async () => {
    const failed = directory({ ...second, errorCode: 56, totalBytes: -1n, usableBytes: -1n, topics: [] });
    expect((await of([directory({ totalBytes: -1n }), failed]))?.volumes).toEqual([
      { directory: '/var/lib/kafka/data' },
      { directory: second.logDir, hasFailed: true },
    ]);
  });

  it('are unknown if the broker refuses to tell them', async () => {
    expect(await of([], 31)).toBeUndefined();
  });
});
