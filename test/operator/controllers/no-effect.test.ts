import { describe, expect, it } from 'vitest';
import { kafkaClusterSpec, kafkaTopicSpec, kafkaUserSpec, withDefaults } from '../../../crds/index.js';
import { waitingMark } from '../../../operator/consumers/adoption.js';
import { responsesOf } from '../../../operator/controllers/certificates/challenges/responses-status.js';
import { availableOf } from '../../../operator/controllers/certificates/issuer/findings/available.js';
import { orderStandstill } from '../../../operator/controllers/certificates/order/order-status.js';
import { balancedOf } from '../../../operator/controllers/kafka/cluster/findings/balanced.js';
import { upToDateOf } from '../../../operator/controllers/kafka/cluster/findings/up-to-date.js';
import { kafkaTopic } from '../../../operator/controllers/kafka/topic/index.js';
import { kafkaUser } from '../../../operator/controllers/kafka/user/index.js';
import { clusterPart } from '../../../operator/kafka/cluster-part.js';
import { userMark } from '../../../operator/kafka/users.js';
import { type CallState, callStates } from '../../../operator/runtime/ports/external-call.js';
import { factsOf } from '../../../operator/testing/index.js';

const firstAt = Date.parse('2026-01-02T10:03:00Z');
const sent: CallState = { state: 'sent', at: firstAt + 60_000, count: 3, firstAt };
const once: CallState = { ...sent, count: 1 };
const noEffect = 'sent 3 times since 2026-01-02T10:03:00Z, without effect';
const known = (value: unknown) => ({ known: true, value, at: 0, earlier: [] }) as const;

const metadata = { name: 'orders', namespace: 'shop' };
const clusterSpec = withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } } });
const status = { nodes: [], version: '4.4' };
const cluster = clusterPart({ metadata: { name: 'events', uid: 'u' }, spec: clusterSpec, status } as never);

describe('the condition of a change without effect tells how often it was sent, what was wanted and what is seen', () => {
  const topic = { id: 't', partitions: 3, replication: 3, config: {}, underReplicated: 0 };
  it.each<{ told: string; when: string; spec?: object; found?: object; isGoing?: boolean }>([
    { told: `Creating: The request was ${noEffect}: wanted a topic, seen none`, when: 'none is created' },
    {
      told: `Changing: The request was ${noEffect}: wanted 6 partitions, seen 3`,
      when: 'no partitions are added',
      spec: { partitions: 6 },
      found: topic,
    },
    {
      told: `Changing: The request was ${noEffect}: wanted 3 replicas, seen 2`,
      when: 'no replicas are added',
      found: { ...topic, replication: 2 },
    },
    {
      told: `Changing: The request was ${noEffect}: wanted retention.ms=1 segment.ms=default, seen retention.ms=default segment.ms=2`,
      when: 'no property is changed',
      spec: { config: { 'retention.ms': '1' } },
      found: { ...topic, config: { 'segment.ms': '2' } },
    },
    {
      told: `Deleting: The request was ${noEffect}: wanted no topic, seen topic t`,
      when: 'it is not deleted',
      spec: { deletionPolicy: 'Delete' },
      found: topic,
      isGoing: true,
    },
  ])('of a KafkaTopic if $when', ({ told, spec = {}, found, isGoing = false }) => {
    const resource = {
      ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'KafkaTopic', status: found && { topicId: 't' } },
      metadata: { ...metadata, ...(isGoing && { deletionTimestamp: '2026-01-02T10:00:00Z' }) },
      spec: withDefaults(kafkaTopicSpec, { cluster: { name: 'events' }, partitions: 3, replication: 3, ...spec }),
    };
    const facts = (call: CallState) =>
      factsOf(resource as never, {
        reads: { cluster, claimants: [] } as never,
        polled: { topic: known(found ? { topic: found } : {}) },
        calls: { topic: call },
      });
    const { reason, message } = kafkaTopic.assess(facts(sent)).conditions['Configured'] ?? {};
    expect(`${reason}: ${message}`).toBe(told);
    expect(kafkaTopic.assess(facts(once)).conditions['Configured']).toEqual({ reason });
  });

  const acl = { resource: { type: 'Topic', name: 'a', patternType: 'Literal' }, operations: ['Read'], type: 'Allow' };
  const user = { hasCredential: false, acls: [userMark], quotas: {} };
  it.each<{ type: string; told: string; when: string; call: string; spec: object; found: object }>([
    {
      ...{ type: 'Authorized', when: 'no ACL is added', call: 'rights', spec: { acls: [acl] }, found: user },
      told: `The request was ${noEffect}: wanted 1 more and 0 fewer ACLs, seen 1 ACLs`,
    },
    {
      ...{ type: 'Authorized', when: 'no quota is set', call: 'rights', spec: { quotas: { requestPercentage: 5 } } },
      told: `The request was ${noEffect}: wanted quotas {"requestPercentage":5}, seen {}`,
      found: user,
    },
    {
      ...{ type: 'Authenticated', when: 'a password stays', call: 'login', spec: { authentication: 'Tls' } },
      told: `The request was ${noEffect}: wanted no password, seen a password`,
      found: { ...user, hasCredential: true },
    },
  ])('of a KafkaUser if $when', ({ type, told, call, spec, found }) => {
    const resource = {
      ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'KafkaUser', metadata },
      spec: withDefaults(kafkaUserSpec, { cluster: { name: 'events' }, ...spec } as never),
    };
    const facts = (state: CallState) =>
      factsOf(resource as never, {
        reads: { cluster, trusted: { data: { 'ca.crt': 'UEVN' } } } as never,
        polled: { user: known(found), drawn: undefined },
        calls: { [call]: state },
      });
    expect(kafkaUser.assess(facts(sent)).conditions[type]).toEqual({ reason: 'Applying', message: told });
    expect(kafkaUser.assess(facts(once)).conditions[type]).toEqual({ reason: 'Applying' });
  });

  const step = { act: 'call', why: 'broker 3 is unregistered' };
  it.each<{ of: string; concern: string; mark: (seen: never) => object; told: object }>([
    {
      ...{ of: 'the votes and replicas', concern: 'removal', mark: balancedOf },
      told: { reason: 'Moving', message: `Broker 3 is unregistered; the request was ${noEffect}` },
    },
    {
      ...{ of: 'the properties', concern: 'config', mark: upToDateOf },
      told: { reason: 'RollingOut', message: `Broker 3 is unregistered; the request was ${noEffect}` },
    },
  ])('of a KafkaCluster for $of', ({ concern, mark, told }) => {
    const seen = { situation: { nodes: [], groups: [] }, steps: [{ ...step, concern }], call: sent };
    expect(mark(seen as never)).toEqual(told);
    expect(mark({ ...seen, call: once } as never)).toMatchObject({ message: 'Broker 3 is unregistered' });
  });

  it.each([
    { act: 'create', told: 'wanted an order, seen none' },
    { act: 'respond', told: 'wanted a validation, seen a pending challenge' },
    { act: 'finalize', told: 'wanted a finalized order, seen a ready order' },
  ])('of a Certificate if the ACME server accepts $act and does nothing', ({ act, told }) => {
    const of = (call: CallState) =>
      orderStandstill({ calls: { request: { act } } } as never, callStates(new Map([['request', call]])));
    expect(of(sent)).toBe(`the request was ${noEffect}: ${told}`);
    expect(of(once)).toBeUndefined();
  });

  it('of an Issuer if the ACME server creates no account', () => {
    const account = known({ requiresExternalAccount: false });
    const situation = { is: 'account', resource: { metadata }, acme: {}, key: 'key', account, binding: undefined };
    const message = `The request was ${noEffect}: wanted an account, seen none`;
    expect(availableOf(situation as never, sent)).toEqual({ reason: 'CreatingAccount', message });
    expect(availableOf(situation as never, once)).toEqual({ reason: 'CreatingAccount' });
  });

  it.each([
    { seen: 'none', record: known({ values: [] }) },
    { seen: 'b, c', record: known({ values: ['b', 'c'] }) },
  ])('of a challenge if the DNS server has $seen', ({ seen, record }) => {
    const challenge = { type: 'dns-01', name: 'example.com', record: 'a', url: 'u' };
    const added = { name: '_acme-challenge.example.com', value: 'a', phase: 'Adding' };
    const problem = (call: CallState) => {
      const status = { order: { url: 'order' } };
      const view = { resource: { status }, polled: { record }, calls: callStates(new Map([['record', call]])) };
      const issuer = { solvers: [{ dns01: { rfc2136: {} } }] };
      const placement = { issuer, challenges: [challenge], records: [added], responder: undefined };
      return responsesOf(view as never, placement as never)?.problem;
    };
    const adding = 'the TXT record of _acme-challenge.example.com is being added';
    expect(problem(sent)).toBe(`${adding}; the request was ${noEffect}: wanted a, seen ${seen}`);
    expect(problem(once)).toBe(adding);
  });

  it('of consumers that are not rolled', () => {
    const states = [{ kind: 'Deployment', name: 'shop', phase: 'Outdated' }] as never;
    expect(waitingMark({ states, content: 'credential', noEffect })).toEqual({
      reason: 'RollingOut',
      message: `Waiting for Deployment shop to run with the new credential; the request to roll them was ${noEffect}`,
    });
  });
});
