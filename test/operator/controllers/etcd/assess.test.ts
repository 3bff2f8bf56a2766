import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { etcdClusterSpec, withDefaults } from '../../../../crds/index.js';
import { etcdCluster } from '../../../../operator/controllers/etcd/index.js';
import type { EtcdAnswer } from '../../../../operator/controllers/etcd/ports/cluster.js';
import type { CallState } from '../../../../operator/runtime/index.js';
import { factsOf } from '../../../../operator/testing/index.js';
import { EtcdMemberClaim, EtcdMemberPod } from '../../../../src/index.js';
import type { Loose } from '../../../given.js';
import { answerOf, down, learnerOf, memberOf, members, without } from './given-etcd.js';

const identity = { name: 'store', namespace: 'shop', token: 'uid' };
const spec = withDefaults(etcdClusterSpec, {});
const chart = () => new Chart(new App(), 'chart', { namespace: 'shop' });

interface Seen {
  readonly cluster?: EtcdAnswer | undefined;
  /** Why etcd does not answer. @default - it was not asked yet */
  readonly failure?: string;
  readonly status?: object;
  readonly blocker?: string;
  /** The call that changes the members. */
  readonly call?: CallState;
  /** The Pods, by their number: whether they are ready, or the reason why a container waits. */
  readonly pods?: Readonly<Record<number, boolean | string>>;
}

/** What `assess` finds. Three volumes exist. */
function found({ cluster, failure, status, blocker, call, pods = { 1: true, 2: true, 3: true } }: Seen) {
  const resource = {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'EtcdCluster', spec, status },
    metadata: { name: 'store', namespace: 'shop', uid: 'uid' },
  };
  const claims = [1, 2, 3].map((number) => {
    const props = { ...identity, member: `store-${number}`, storage: spec.storage, hasStarted: true };
    return new EtcdMemberClaim(chart(), 'claim', props).claim.toJson();
  });
  const owned = Object.entries(pods).map(([number, is]) => {
    const props = { ...identity, spec, image: 'etcd', member: `store-${number}` };
    const waiting = { reason: 'CrashLoopBackOff', message: '' };
    const containerStatuses =
      typeof is === 'string' ? [{ name: 'etcd', image: 'etcd', state: { waiting: { ...waiting, reason: is } } }] : [];
    const conditions = [{ type: 'Ready', status: is === true ? 'True' : 'False' }];
    return { ...new EtcdMemberPod(chart(), 'pod', props).pod.toJson(), status: { conditions, containerStatuses } };
  });
  const engine = cluster ? { known: true, value: cluster } : failure && { known: false, error: failure };
  const facts = factsOf(resource as never, {
    owned: [...claims, ...owned],
    reads: { nodes: [], claims: [] } as never,
    polled: { engine } as never,
    ...(blocker !== undefined && { blocker }),
    ...(call && { calls: { members: call } }),
  });
  const { conditions, status: reported } = etcdCluster.assess(facts as never) as Loose<object>;
  const told = Object.entries(conditions as Record<string, { reason: string; message?: string }>);
  return {
    ...Object.fromEntries(
      told.map(([type, { reason, message }]) => [type, message ? `${reason}: ${message}` : reason]),
    ),
    status: reported,
  };
}

describe('the conditions of an EtcdCluster', () => {
  const isFormed = { clusterId: 'c1' };
  test.each<{ are: object; when: string; seen: Seen }>([
    {
      are: { Available: 'Serving', Provisioned: 'MembersReady' },
      when: 'three members serve',
      seen: { cluster: answerOf(...members(1, 2, 3)) },
    },
    {
      are: { Available: 'Serving', Provisioned: 'Provisioning: Waiting for store-3' },
      when: 'one member starts',
      seen: { cluster: answerOf(...members(1, 2), memberOf(3, down)), pods: { 1: true, 2: true, 3: false } },
    },
    {
      are: { Provisioned: 'MemberNotReady: store-3 is not ready: container etcd: CreateContainerError' },
      when: 'one member fails',
      seen: {
        cluster: answerOf(...members(1, 2), memberOf(3, down)),
        pods: { 1: true, 2: true, 3: 'CreateContainerError' },
      },
    },
    {
      are: { Provisioned: 'MemberNotReady: store-3 has no Pod: exceeded quota' },
      when: 'a Pod is rejected',
      seen: {
        cluster: answerOf(...members(1, 2), memberOf(3, down)),
        pods: { 1: true, 2: true },
        blocker: 'exceeded quota',
      },
    },
    {
      are: { Available: 'NoQuorum' },
      when: 'a majority does not serve',
      seen: { cluster: without(1, 2, 3), status: isFormed, pods: { 1: false } },
    },
    {
      are: { Available: 'MembersUnreachable' },
      when: 'no member answers',
      seen: { failure: 'no member answers', status: isFormed },
    },
    {
      are: { Provisioned: 'Provisioning: Store-3 was removed; its volume is kept, and a replacement is created' },
      when: 'another user has removed a member',
      seen: { cluster: answerOf(...members(1, 2)), pods: { 1: true, 2: true } },
    },
    {
      are: { Provisioned: 'Provisioning: Store-4 leaves the cluster' },
      when: 'etcd has a fourth member',
      seen: { cluster: answerOf(...members(1, 2, 3, 4)) },
    },
    {
      are: {
        Provisioned:
          'Provisioning: Store-4 leaves the cluster; the request was sent 2 times since 1970-01-01T00:00:00Z, without effect',
      },
      when: 'etcd keeps a fourth member',
      seen: { cluster: answerOf(...members(1, 2, 3, 4)), call: { state: 'sent', at: 9, count: 2, firstAt: 0 } },
    },
  ])('are $are when $when', ({ are, seen }) => {
    expect(found(seen)).toMatchObject(are);
  });
});

test('the status has the members as etcd and their Pods have them', () => {
  const cluster = answerOf(memberOf(1), memberOf(2), learnerOf(3, { isHealthy: true }));
  expect(found({ cluster, pods: { 1: true, 2: true, 3: false } }).status).toMatchObject({
    ...{ ready: '2/3', replicas: 3, clusterId: 'c1', selector: 'reconstruct.dev/etcd-cluster=store' },
    endpoints: 'https://store-client.shop.svc:2379',
    members: [
      { name: 'store-1', state: 'Running', id: '1'.repeat(16), isLeader: true },
      { name: 'store-2', state: 'Running', isLeader: false },
      { name: 'store-3', state: 'Learning', isLeader: false },
    ],
  });
});
