import { expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../../../../../crds/index.js';
import { databaseKind } from '../../../../../imports/index.js';
import { database } from '../../../../../operator/controllers/database/index.js';
import { instancesOf } from '../../../../../operator/controllers/database/instances/instances.js';
import { type Controller, type LivePod, Node, type ObjectKind, Pod } from '../../../../../operator/runtime/index.js';
import { ApiError } from '../../../../../operator/runtime/kubernetes/errors.js';
import type { Manifest } from '../../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../../operator/runtime/ports/cluster.js';
import { portsOf } from '../../../../../operator/testing/contract/trial/answers.js';
import { live } from '../../../../given.js';
import { settled } from '../../../fake-clock.js';
import { bound } from '../../../runtime/given/house.js';
import { GivenOperator } from '../../../runtime/given/operator.js';
import { drawing, listening } from '../given-answers.js';

const orders = {
  ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'Database', metadata: { name: 'orders', namespace: 'shop' } },
  spec: withDefaults(databaseSpec, { storage: { size: '1Gi' }, deletionPolicy: 'Delete' }),
};

const heartbeat = (second: number) => ({ type: 'Ready', status: 'True', lastHeartbeatTime: `12:00:${second}` });
const node = (changes: object = {}) =>
  ({
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1', labels: { zone: 'a' } } },
    ...{ spec: { unschedulable: false }, status: { conditions: [heartbeat(10)] }, ...changes },
  }) as Manifest;

async function write({ memory }: GivenOperator, object: Manifest) {
  await memory.apply(Node, object, { manager: 'somebody' });
  await memory.apply(Node, object, { manager: 'kubelet', subresource: 'status' });
  await settled();
}

/** The operator of one Database on a cluster with one node. */
async function given(faults: (cluster: Cluster) => Cluster = (cluster) => cluster) {
  const controllers = [database as unknown as Controller];
  const ports = portsOf(database, [drawing, listening], () => 0);
  const operator = new GivenOperator({ controllers, ports, faults });
  await write(operator, node());
  await operator.start();
  await operator.given(databaseKind, orders);
  await operator.clock.advance(1_000); // what is drawn comes in
  return operator;
}

test.each<{ wakes: number; what: string; changes: object }>([
  { wakes: 0, what: 'a heartbeat', changes: { status: { conditions: [heartbeat(20)], images: [{ names: ['x'] }] } } },
  { wakes: 1, what: 'a cordon', changes: { spec: { unschedulable: true } } },
  ...['ToBeDeletedByClusterAutoscaler', 'karpenter.sh/disrupted', 'karpenter.sh/disruption'].map((key) => ({
    wakes: 1,
    what: `a drain by an autoscaler, with the taint ${key},`,
    changes: { spec: { unschedulable: false, taints: [{ key, effect: 'NoSchedule' }] } },
  })),
  {
    ...{ wakes: 0, what: 'a taint that says nothing of a drain' },
    changes: { spec: { unschedulable: false, taints: [{ key: 'node.kubernetes.io/memory-pressure' }] } },
  },
  { wakes: 1, what: 'another label', changes: { metadata: { name: 'node-1', labels: { zone: 'b' } } } },
  { wakes: 1, what: 'silence', changes: { status: { conditions: [{ ...heartbeat(10), status: 'Unknown' }] } } },
])('$what of a node wakes $wakes Databases', async ({ wakes, changes }) => {
  const operator = await given();
  const before = operator.passes.length;
  await write(operator, node(changes));
  expect(operator.passes.length - before).toBe(wakes);
  await operator.close();
});

test.each<{ zone: string | undefined; topologyKey: string; labels: Readonly<Record<string, string>> }>([
  { zone: 'a', topologyKey: 'topology.kubernetes.io/zone', labels: { 'topology.kubernetes.io/zone': 'a' } },
  { zone: 'node-1', topologyKey: 'kubernetes.io/hostname', labels: {} },
  { zone: undefined, topologyKey: 'topology.kubernetes.io/zone', labels: {} },
])('where no node may be seen, the $topologyKey of an instance is what its pod tells: $zone', ({ zone, ...given }) => {
  const metadata = { name: 'orders-1', namespace: 'shop', labels: given.labels };
  const pod: LivePod = live({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: 'node-1', containers: [] } });
  const { topologyKey } = given;
  const [instance] = instancesOf({ database: 'orders', pods: [pod], claims: [], nodes: [], reports: {}, topologyKey });
  expect(instance?.zone).toBe(zone);
});

test('line 1: a Database comes up where the operator may not see nodes', async () => {
  const error = new ApiError('nodes is forbidden', { code: 403, reason: 'Forbidden' });
  const isNode = ({ kind }: ObjectKind) => kind === 'Node';
  const operator = await given((cluster) => ({
    ...bound(cluster),
    watch: (kind, query) => {
      if (isNode(kind)) throw error;
      return cluster.watch(kind, query);
    },
    list: (kind, query) => (isNode(kind) ? Promise.reject(error) : cluster.list(kind, query)),
  }));
  const first = await operator.memory.read(Pod, { namespace: 'shop', name: 'orders-1' });
  expect(first?.metadata.name).toBe('orders-1');
  expect(operator.operator.ready).toBe(true);
  await operator.close();
});
