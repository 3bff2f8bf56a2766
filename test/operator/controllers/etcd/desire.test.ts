import { ApiObject, App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { etcdClusterSpec, withDefaults } from '../../../../crds/index.js';
import { etcdCluster } from '../../../../operator/controllers/etcd/index.js';
import type { EtcdAnswer, EtcdMember } from '../../../../operator/controllers/etcd/ports/cluster.js';
import { factsOf } from '../../../../operator/testing/index.js';
import { EtcdMemberClaim, EtcdMemberPod } from '../../../../src/index.js';
import type { Loose } from '../../../given.js';
import { answerOf, learnerOf, memberOf, members } from './given-etcd.js';

const identity = { name: 'store', namespace: 'shop', token: 'uid' };
const spec = withDefaults(etcdClusterSpec, {});
const chart = () => new Chart(new App(), 'chart', { namespace: 'shop' });

/** A volume. @param token of the cluster that it belongs to */
interface Volume {
  readonly token?: string;
  readonly hasStarted?: boolean;
  readonly retired?: boolean;
  /** It has no owner any more. */
  readonly isLeft?: boolean;
}

function volume(number: number, { token = 'uid', retired, isLeft, ...is }: Volume = {}): Loose<object> {
  const { storage } = spec;
  const props = { ...identity, ...is, member: `store-${number}`, storage, token };
  const object = new EtcdMemberClaim(chart(), 'claim', props).claim.toJson();
  const { labels, annotations, ...metadata } = object.metadata;
  const owner = { 'reconstruct.dev/controlled-by': 'reconstruct.dev/v1alpha1 EtcdCluster store uid' };
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...labels, ...(retired && { 'reconstruct.dev/retired': 'lost' }) },
      annotations: { ...annotations, ...(!isLeft && owner) },
    },
  };
}

function pod(number: number, isReady: boolean): object {
  const props = { ...identity, spec, image: 'etcd', member: `store-${number}` };
  const status = { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] };
  return { ...new EtcdMemberPod(chart(), 'pod', props).pod.toJson(), status };
}

/** What `desire` renders: for each Pod its first start, and for each PVC what it says of its cluster. */
function rendered(
  owned: readonly Loose<object>[],
  given: { cluster?: EtcdAnswer; status?: object; certificate?: boolean } = {},
) {
  const { cluster, status, certificate = true } = given;
  const resource = {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'EtcdCluster', spec, status },
    metadata: { name: 'store', namespace: 'shop', uid: 'uid' },
  };
  const scope = chart();
  const isOwned = ({ metadata }: Loose<object>) => 'reconstruct.dev/controlled-by' in (metadata.annotations ?? {});
  const isClaim = ({ kind }: Loose<object>) => kind === 'PersistentVolumeClaim';
  const facts = factsOf(resource as never, {
    owned: owned.filter((one) => !isClaim(one) || isOwned(one)) as never,
    reads: {
      nodes: [],
      claims: owned.filter(isClaim),
      ...(certificate && { certificate: { data: { 'ca.crt': 'a' } } }),
    } as never,
    ...(cluster && { polled: { engine: { known: true, value: cluster } } as never }),
  });
  etcdCluster.desire(scope, facts as never);
  const objects = scope.node.findAll().flatMap((one) => (ApiObject.isApiObject(one) ? [one.toJson() as Loose] : []));
  const flag = ({ spec: of }: Loose, name: string) =>
    of.containers[0].command.find((one: string) => one.startsWith(`--${name}=`))?.split(/=(.*)/s)[1];
  const pods = objects.filter(({ kind }) => kind === 'Pod');
  const claims = objects.filter(isClaim);
  return {
    pods: pods.map((one) => [
      ...[one.metadata.name, flag(one, 'initial-cluster-state')],
      flag(one, 'initial-cluster').replaceAll(/=[^,]*/g, ''),
    ]),
    claims: claims.map(({ metadata: { name, annotations } }) => [
      ...[name, annotations?.['reconstruct.dev/etcd-token'], annotations?.['reconstruct.dev/etcd-started'] === 'true'],
    ]),
    budget: objects.find(({ kind }) => kind === 'PodDisruptionBudget')?.['spec'].minAvailable,
  };
}

const all = 'store-1,store-2,store-3';

describe('the first members', () => {
  const three = [
    ['store-1', 'new', all],
    ['store-2', 'new', all],
    ['store-3', 'new', all],
  ];

  test('have the same list of members', () => {
    expect(rendered([volume(1), volume(2), volume(3)]).pods).toEqual(three);
    expect(rendered([]).claims).toEqual(['store-1', 'store-2', 'store-3'].map((name) => [name, 'uid', false]));
  });

  test('do not start before all of their volumes exist', () => {
    expect(rendered([volume(1), volume(3)])).toMatchObject({
      pods: [],
      claims: ['store-1', 'store-3', 'store-2'].map((name) => [name, 'uid', false]),
    });
  });

  test('do not start before their certificate exists', () => {
    expect(rendered([volume(1), volume(2), volume(3)], { certificate: false }).pods).toEqual([]);
  });

  test('do not know a retired volume of an earlier cluster', () => {
    const retired = volume(1, { token: 'earlier', hasStarted: true, retired: true, isLeft: true });
    const names = 'store-2,store-3,store-4';
    expect(rendered([retired]).claims.map(([name]) => name)).toEqual(['store-1', 'store-2', 'store-3', 'store-4']);
    expect(rendered([retired, volume(2), volume(3)]).pods).toEqual([]);
    expect(rendered([retired, volume(2), volume(3), volume(4)]).pods).toEqual(
      ['store-2', 'store-3', 'store-4'].map((name) => [name, 'new', names]),
    );
  });
});

test('a size that is smaller than a volume in use is rejected, and a retired volume does not count', () => {
  const sized = (volume: Loose<object>, size: string): Loose<object> => ({
    ...volume,
    spec: { ...volume['spec'], volumeName: 'pv', resources: { requests: { storage: size } } },
    status: { phase: 'Bound', capacity: { storage: size } },
  });
  expect(() => rendered([sized(volume(1), '3Gi'), volume(2), volume(3)])).toThrow(
    'spec.storage.size: Invalid value: "2Gi": must be at least 3Gi, the size of the volume of PVC store-1, because a volume cannot shrink; use 3Gi or more, or create another resource with smaller volumes',
  );
  expect(() => rendered([sized(volume(1, { retired: true }), '3Gi'), volume(2)])).not.toThrow();
});

describe('a member that has started', () => {
  const alone = ['store-1', 'existing', 'store-1'];
  const others = [volume(2), volume(3)];

  test.each<{ is: string; objects: readonly object[]; etcd?: Partial<EtcdMember>; starts: readonly string[] }>([
    { is: 'its volume says so', objects: [volume(1, { hasStarted: true })], starts: alone },
    { is: 'its Pod is ready', objects: [volume(1), pod(1, true)], starts: alone },
    { is: 'it follows the leader', objects: [volume(1), pod(1, false)], etcd: {}, starts: alone },
    { is: 'nothing says so', objects: [volume(1), pod(1, false)], starts: ['store-1', 'new', all] },
    {
      is: 'it does not follow the leader yet',
      objects: [volume(1), pod(1, false)],
      etcd: { isHealthy: false },
      starts: ['store-1', 'new', all],
    },
  ])('never starts with an empty volume: $is', ({ objects, etcd, starts }) => {
    const cluster = etcd && answerOf(memberOf(1, etcd), ...members(2, 3));
    const { pods, claims } = rendered([...(objects as Loose<object>[]), ...others], { ...(cluster && { cluster }) });
    expect(pods[0]).toEqual(starts);
    expect(claims[0]).toEqual(['store-1', 'uid', starts === alone]);
  });
});

describe('a learner that has not started', () => {
  test('starts as a member of the existing cluster, and knows its members', () => {
    const owned = [1, 2].flatMap((number) => [
      volume(number, { hasStarted: true }),
      pod(number, true) as Loose<object>,
    ]);
    const cluster = answerOf(...members(1, 2), learnerOf(4));
    const { pods, claims, budget } = rendered(owned, { cluster, status: { clusterId: 'c1' } });
    expect(pods[2]).toEqual(['store-4', 'existing', 'store-1,store-2,store-4']);
    expect(claims[2]).toEqual(['store-4', 'uid', false]);
    expect(budget).toBe(2);
  });
});

test('a learner also knows a member that runs on a terminating volume', () => {
  const ending = volume(2, { hasStarted: true });
  const owned = [
    ...[volume(1, { hasStarted: true }), pod(1, true), volume(3, { hasStarted: true }), pod(3, true)],
    ...[{ ...ending, metadata: { ...ending['metadata'], deletionTimestamp: '2030-01-01T00:00:00Z' } }, pod(2, true)],
  ] as readonly Loose<object>[];
  const { pods } = rendered(owned, {
    cluster: answerOf(...members(1, 2, 3), learnerOf(4)),
    status: { clusterId: 'c1' },
  });
  expect(pods.at(-1)).toEqual(['store-4', 'existing', 'store-1,store-2,store-3,store-4']);
});

describe('volumes of an earlier cluster', () => {
  const left = { token: 'earlier', isLeft: true };

  test('keep its token, and need not have started', () => {
    expect(rendered([1, 2, 3].map((number) => volume(number, left)))).toMatchObject({
      pods: ['store-1', 'store-2', 'store-3'].map((name) => [name, 'new', all]),
      claims: ['store-1', 'store-2', 'store-3'].map((name) => [name, 'earlier', false]),
    });
  });

  test('are no members if another user has given them another name', () => {
    const copy = volume(1, left);
    const named = { ...copy, metadata: { ...copy['metadata'], name: 'store-copy' } };
    expect(rendered([1, 2, 3].map((number) => volume(number)).concat(named)).claims).toHaveLength(3);
  });

  test('are not completed before etcd says which member is missing', () => {
    const { pods, claims } = rendered([volume(1, left), volume(2, left)]);
    expect([pods, claims].map((some) => some.map(([name]) => name).join(' '))).toEqual(
      Array(2).fill('store-1 store-2'),
    );
  });

  test('of this resource are not completed either if a member has started', () => {
    const started = { hasStarted: true };
    expect(
      rendered([volume(1, started), volume(2, started)])
        .claims.map(([name]) => name)
        .join(' '),
    ).toBe('store-1 store-2');
  });
});

test('the budget counts a fourth member, which another user has added', () => {
  const owned = [1, 2, 3].map((number) => volume(number, { hasStarted: true }));
  expect(rendered(owned, { cluster: answerOf(...members(1, 2, 3, 4)) }).budget).toBe(3);
});
