import { describe, expect, test } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../crds/index.js';
import {
  type TopicClaim,
  topicClaim,
  unclaimedTopics,
} from '../../../../operator/controllers/kafka/cluster/annotations/unclaimed-topics.js';
import { topicsClaimedOf } from '../../../../operator/controllers/kafka/cluster/findings/topics-claimed.js';
import { situationOf } from '../../../../operator/controllers/kafka/cluster/situation.js';
import type { MarkedTopic } from '../../../../operator/controllers/kafka/ports/cluster.js';
import { answer, now, situation, six } from './given-kafka.js';

const marked = (topic: string, changes: Partial<MarkedTopic> = {}): MarkedTopic => ({
  ...{ topic, exists: true, isUnclaimed: false },
  ...changes,
});
const orders = marked('orders');
const left = marked('orders', { isUnclaimed: true });
const gone = { exists: false };
const claim = (wants: TopicClaim['wants'], changes: Partial<TopicClaim> = {}): TopicClaim => ({
  ...{ name: 'orders', creationTimestamp: '2026-11-01T00:00:00Z', topic: 'orders', wants },
  ...changes,
});
const later = { name: 'also', creationTimestamp: '2026-11-02T00:00:00Z' };

interface Given {
  readonly topics?: readonly MarkedTopic[];
  readonly claims?: readonly TopicClaim[];
  readonly allows?: string;
}

function unclaimed({ topics, claims = [], allows }: Given) {
  const annotations = allows === undefined ? {} : { 'reconstruct.dev/allow-topics': allows };
  const resource = { metadata: { name: 'events', namespace: 'shop', annotations } };
  return unclaimedTopics(resource as never, { ...(topics && { topics }) }, claims);
}

const none = { unclaimed: [], allowed: [] };
const asks = (changes: object) => ({
  ...none,
  request: { act: 'markTopics', claimed: [], released: [], unclaimed: [], ...changes },
});

describe('a topic that is deleted with its KafkaTopic', () => {
  test.each<{ is: object; when: string; given: Given }>([
    { is: none, when: 'the cluster has no ACLs', given: { claims: [claim('marked')] } },
    { is: none, when: 'it has its mark and its KafkaTopic', given: { topics: [orders], claims: [claim('marked')] } },
    { is: asks({ claimed: ['orders'] }), when: 'it has no mark yet', given: { topics: [], claims: [claim('marked')] } },
    {
      is: none,
      when: 'its KafkaTopic has just been created or is being deleted',
      given: { topics: [], claims: [claim('either')] },
    },
    {
      is: none,
      when: 'its KafkaTopic is being deleted and it has its mark',
      given: { topics: [orders, marked('shop', gone)], claims: [claim('either'), claim('either', { topic: 'shop' })] },
    },
    {
      is: asks({ released: ['orders'] }),
      when: 'the policy of its KafkaTopic has become Retain',
      given: { topics: [orders], claims: [claim('unmarked')] },
    },
    {
      is: none,
      when: 'its KafkaTopic has the policy Retain and it has no mark',
      given: { topics: [], claims: [claim('unmarked')] },
    },
    {
      is: asks({ released: ['orders'] }),
      when: 'the older of two KafkaTopics has the policy Retain',
      given: { topics: [orders], claims: [claim('marked', later), claim('unmarked')] },
    },
    {
      is: none,
      when: 'the older of two KafkaTopics has the policy Delete',
      given: { topics: [orders], claims: [claim('marked'), claim('unmarked', later)] },
    },
    {
      is: asks({ unclaimed: ['orders'] }),
      when: 'no KafkaTopic has it: the brokers are asked again whether it exists',
      given: { topics: [orders], claims: [claim('marked', { topic: 'shop', wants: 'either' })] },
    },
    {
      is: asks({ unclaimed: ['orders'] }),
      when: 'it was deleted with its KafkaTopic: the brokers remove the mark',
      given: { topics: [marked('orders', gone)] },
    },
    {
      is: { ...none, unclaimed: ['orders'] },
      when: 'the brokers have confirmed that it is left',
      given: { topics: [left] },
    },
    {
      is: asks({ unclaimed: ['orders'] }),
      when: 'it was left and another user has deleted it',
      given: { topics: [{ ...left, ...gone }] },
    },
    {
      is: asks({ claimed: ['orders'] }),
      when: 'it was left and a KafkaTopic has it again',
      given: { topics: [left], claims: [claim('marked')] },
    },
    {
      is: asks({ released: ['orders'] }),
      when: 'it was left and a KafkaTopic with the policy Retain has it again',
      given: { topics: [left], claims: [claim('unmarked')] },
    },
    {
      is: none,
      when: 'it was left and a new KafkaTopic names it',
      given: { topics: [left], claims: [claim('either')] },
    },
    {
      is: { ...none, allowed: ['orders'], unclaimed: ['shop'] },
      when: 'the annotation allows it and another one is left',
      given: { topics: [left, marked('shop', { isUnclaimed: true })], allows: ' orders,other' },
    },
    {
      is: { ...none, unclaimed: ['orders'] },
      when: 'the annotation has a pattern, which is no name',
      given: { topics: [left], allows: '*' },
    },
  ])('leads to $is when $when', ({ is, given }) => {
    expect(unclaimed(given)).toEqual(is);
  });

  test('is marked with at most 99 others in one request', () => {
    const names = Array.from({ length: 120 }, (_, n) => `topic-${String(n).padStart(3, '0')}`);
    const first = names.slice(0, 100);
    const claims = names.toReversed().map((topic) => claim('marked', { topic }));
    expect(unclaimed({ topics: [], claims })).toEqual(asks({ claimed: first }));
    expect(unclaimed({ topics: names.map((name) => marked(name)) })).toEqual(asks({ unclaimed: first }));
    const retained = claims.map((one) => ({ ...one, wants: 'unmarked' as const }));
    expect(unclaimed({ topics: names.map((name) => marked(name)), claims: retained })).toEqual(
      asks({ released: first }),
    );
  });
});

describe('a KafkaTopic', () => {
  const spec = { cluster: { name: 'events' }, deletionPolicy: 'Delete' };
  const topicId = { topicId: 'id' };
  const configured = (reason: string) => ({ conditions: [{ type: 'Configured', status: 'False', reason }] });
  const going = { deletionTimestamp: '2026-11-02T00:00:00Z' };
  test.each<{ wants: TopicClaim['wants']; when: string; status?: object; changes?: object; metadata?: object }>([
    { wants: 'marked', when: 'it has a topic', status: topicId },
    { wants: 'either', when: 'it has no topic yet' },
    { wants: 'either', when: 'it is being deleted', status: topicId, metadata: going },
    { wants: 'marked', when: 'Kafka refuses a change', status: { ...topicId, ...configured('Refused') } },
    {
      wants: 'unmarked',
      when: 'its topic was deleted in Kafka: one of the same name is that of another user',
      status: { ...topicId, ...configured('Lost') },
    },
    { wants: 'unmarked', when: 'it keeps its topic', status: topicId, changes: { deletionPolicy: 'Retain' } },
    {
      wants: 'unmarked',
      when: 'it keeps its topic and is being deleted',
      ...{ status: topicId, changes: { deletionPolicy: 'Retain' }, metadata: going },
    },
  ])('wants its topic to be $wants when $when', ({ wants, status, changes, metadata }) => {
    const resource = { metadata: { name: 'orders', ...metadata }, spec: { ...spec, ...changes }, status };
    expect(topicClaim(resource as never)).toMatchObject({ topic: 'orders', wants });
  });

  test('claims the topic with the name in its spec', () => {
    const resource = { metadata: { name: 'orders' }, spec: { ...spec, topicName: 'shop.orders' } };
    expect(topicClaim(resource as never)).toMatchObject({ name: 'orders', topic: 'shop.orders' });
  });
});

test.each([
  { when: 'the KafkaTopics cannot be read', unserved: 'KafkaTopic' },
  { when: 'they can be read', unserved: '' },
])('a topic is left only if it is known that no KafkaTopic has it: $when', ({ unserved }) => {
  const spec = withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } } } as never);
  const view = {
    ...{ resource: { metadata: { name: 'events', namespace: 'shop', uid: 'uid' }, spec }, now: new Date(now) },
    ...{ owned: { of: () => [] }, isServed: ({ kind }: { readonly kind: string }) => kind !== unserved },
    polled: { cluster: { known: true, at: now, value: answer({ topics: [left] }) } },
    reads: { nodes: [], claims: [], listenerCertificates: [], users: [], rotations: [], topics: [] },
  };
  expect(situationOf(view as never).topics).toEqual(unserved === '' ? { ...none, unclaimed: ['orders'] } : undefined);
});

describe('the condition TopicsClaimed', () => {
  const idle = { state: 'none' } as const;
  const failed = { state: 'failed', kind: 'terminal', why: 'not authorized' } as const;
  const told = (given: Given | undefined, call: object = idle, changes: object = {}) => {
    const seen = { situation: situation(six(), { topics: given && unclaimed(given), ...changes }) };
    return topicsClaimedOf(seen as never, call as never);
  };
  const remedy =
    'create the KafkaTopics, and delete them if the topics are to be deleted, or name the topics in the annotation reconstruct.dev/allow-topics';
  const all = Array.from({ length: 7 }, (_, n) => marked(`t${n}`, { isUnclaimed: true }));

  test.each<{ is: object; when: string; given?: Given; call?: object; changes?: object }>([
    {
      is: { reason: 'Claimed' },
      when: 'each topic has its KafkaTopic',
      given: { topics: [orders], claims: [claim('marked')] },
    },
    { is: { reason: 'Claimed' }, when: 'KafkaTopics cannot be read' },
    {
      is: { reason: 'Claimed' },
      when: 'it is not confirmed yet: the topic may just have been deleted with its KafkaTopic',
      given: { topics: [orders] },
    },
    {
      is: { reason: 'TopicsUnclaimed', message: `No KafkaTopic has orders; ${remedy}` },
      when: 'one is left',
      given: { topics: [left] },
    },
    {
      is: { reason: 'TopicsUnclaimed', message: `No KafkaTopic has t0, t1, t2, t3, t4 and 2 more; ${remedy}` },
      when: 'many are left, and a request fails',
      ...{ given: { topics: [...all, marked('t9')] }, call: failed },
    },
    {
      is: { reason: 'RequestFailed', message: 'The marks of new, kept, orders are not changed: not authorized' },
      when: 'Kafka does not take the marks',
      given: {
        topics: [orders, marked('kept')],
        claims: [claim('marked', { topic: 'new' }), claim('unmarked', { topic: 'kept' })],
      },
      call: failed,
    },
    {
      is: { reason: 'Claimed' },
      when: 'the brokers could not be reached for the marks',
      given: { topics: [orders] },
      call: { ...failed, kind: 'unreachable' },
    },
    {
      is: {
        reason: 'TopicsAllowed',
        message: 'The annotation reconstruct.dev/allow-topics allows orders, which no KafkaTopic has',
      },
      when: 'a person allows it',
      given: { topics: [left], allows: 'orders' },
    },
    {
      is: { reason: 'BrokersUnreachable', message: 'The brokers do not answer' },
      when: 'the brokers do not answer',
      changes: { cluster: undefined, silence: 'the brokers do not answer' },
    },
    {
      is: { reason: 'Initializing' },
      when: 'the cluster is new',
      changes: { cluster: undefined, isBootstrapped: false },
    },
  ])('reports $is when $when', ({ is, given, call, changes }) => {
    expect(told(given, call, changes)).toEqual(is);
  });
});
