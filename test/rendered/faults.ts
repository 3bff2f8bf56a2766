import { Node, Pod } from '../../operator/index.js';
import type { MemoryCluster } from '../../operator/testing/index.js';
import type { Loose } from '../given.js';
import { kubelet as manager } from './recorded-cluster.js';

/** A change of the cluster that its controllers must notice. */
export type Fault = (cluster: MemoryCluster, now: string) => Promise<void>;

/** The first Pod of each owner. The others stay as they are. */
function victims(cluster: MemoryCluster): readonly Loose[] {
  const pods = ([...cluster.peek(Pod).values()] as Loose[]).toSorted((a, b) =>
    a.metadata.name < b.metadata.name ? -1 : 1,
  );
  const running = pods.filter(({ status }) => status?.phase === 'Running');
  return [...new Map(running.toReversed().map((pod) => [ownerOf(pod), pod])).values()];
}

function ownerOf({ metadata: { ownerReferences, annotations, name } }: Loose): string {
  return ownerReferences?.[0]?.uid ?? annotations?.['reconstruct.dev/controlled-by'] ?? name;
}

/** A user deletes Pods. */
export const deletedPods: Fault = async (cluster) => {
  for (const { metadata } of victims(cluster)) await cluster.remove(Pod, metadata, { uid: metadata.uid });
};

/** The containers of Pods fail again and again. */
export const crashedPods: Fault = async (cluster, now) => {
  for (const pod of victims(cluster)) {
    const terminated = { exitCode: 1, reason: 'Error', startedAt: now, finishedAt: now };
    const crash = { ready: false, restartCount: 3, lastState: { terminated }, state: { waiting: backOff } };
    await setStatus(cluster, pod, {
      conditions: conditionsOf(pod, 'False', now),
      containerStatuses: pod['status'].containerStatuses.map((one: object) => ({ ...one, ...crash })),
    });
  }
};

const backOff = { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container' };

/** A node is lost, and its Pods are unready. */
export const lostNode: Fault = (cluster, now) => setNode(cluster, 'Unknown', now);

/** The node returns, and all Pods are well. */
export const returnedNode: Fault = async (cluster, now) => {
  await setNode(cluster, 'True', now);
  for (const pod of [...cluster.peek(Pod).values()] as Loose[]) {
    if (pod['status']?.phase !== 'Running') continue;
    const well = { ready: true, state: { running: { startedAt: now } } };
    await setStatus(cluster, pod, {
      conditions: conditionsOf(pod, 'True', now),
      containerStatuses: pod['status'].containerStatuses.map((one: object) => ({ ...one, ...well })),
    });
  }
};

const name = 'node-1';
const taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };

async function setNode(cluster: MemoryCluster, status: 'True' | 'Unknown', now: string): Promise<void> {
  const taints = status === 'True' ? [] : [{ ...taint, timeAdded: now }];
  await cluster.patch(Node, { name }, [{ op: 'add', path: '/spec', value: { taints } }], { manager });
  const conditions = [{ type: 'Ready', status, lastTransitionTime: now }];
  await cluster.patch(Node, { name }, [{ op: 'add', path: '/status', value: { conditions } }], {
    ...{ manager, subresource: 'status' },
  });
  if (status === 'True') return;
  for (const pod of [...cluster.peek(Pod).values()] as Loose[])
    if (pod['spec'].nodeName === name && pod['status']?.phase === 'Running')
      await setStatus(cluster, pod, { conditions: conditionsOf(pod, 'False', now) });
}

/** Its conditions, ready or not. A condition that stays the same keeps its time. */
function conditionsOf(pod: Loose, ready: 'True' | 'False', now: string): readonly object[] {
  return pod['status'].conditions.map((one: { readonly type: string; readonly status: string }) =>
    /Ready$/.test(one.type) && one.status !== ready ? { ...one, status: ready, lastTransitionTime: now } : one,
  );
}

async function setStatus(cluster: MemoryCluster, { metadata, status }: Loose, changes: object): Promise<void> {
  const value = { ...status, ...changes };
  await cluster.patch(Pod, metadata, [{ op: 'add', path: '/status', value }], { manager, subresource: 'status' });
}
