import type { KafkaClusterResource, KafkaClusterStatusNodes } from '../../../../imports/index.js';
import { isReady } from '../../../pods/is-ready.js';
import { podNamed, podState, restartsOf } from '../../../pods/pod-state.js';
import { type LiveObject, type LivePod, lengthOf, type Shown, type Table } from '../../../runtime/index.js';

/** Restarts of a node that is not ready, from which it is unlikely to start by itself. */
const manyRestarts = 2;

/** The version and the counts of a KafkaCluster, its nodes, and the Pods that start again and again. */
export function statusTables({ resource, objects, now }: Shown<KafkaClusterResource>): readonly Table[] {
  const { nodes = [] } = resource.status ?? {};
  return [
    { rows: [summary(resource, now)] },
    { rows: nodes.map((node) => nodeRow(node, resource, objects)) },
    { title: 'Pods that restart again and again', rows: restarting(objects) },
  ];
}

function summary({ spec, status }: KafkaClusterResource, now: number): Table['rows'][number] {
  const { version, metadataVersion, ready, controllers, activeController, underReplicatedPartitions } = status ?? {};
  const { finalizationTime } = status ?? {};
  return {
    VERSION: version === undefined || version === spec.version ? spec.version : `${version} -> ${spec.version}`,
    'METADATA LEVEL': metadataVersion,
    'FINAL IN': finalizationTime && lengthOf(Math.max(0, Date.parse(finalizationTime) - now)),
    BROKERS: ready,
    CONTROLLERS: controllers,
    ACTIVE: activeController,
    'UNDER-REPLICATED': underReplicatedPartitions,
  };
}

function nodeRow(
  { name, role, state, zone, node, usedPercent, id, directoryId }: KafkaClusterStatusNodes,
  { status }: KafkaClusterResource,
  objects: readonly LiveObject[],
): Table['rows'][number] {
  const pod = podNamed(objects, name);
  // Of a broker, the disk is reported if it is a controller too.
  const roles = role === 'Broker' && directoryId !== undefined ? 'Broker, Controller' : role;
  return {
    ...{ NODE: name, ROLE: id === status?.activeController ? `${roles} (active)` : roles, STATE: state },
    ...{ POD: podState(pod), RESTARTS: restartsOf(pod), ZONE: zone, MACHINE: node },
    USED: usedPercent === undefined ? undefined : `${usedPercent} %`,
  };
}

/** Between two failures, no condition names these Pods. */
function restarting(objects: readonly LiveObject[]): Table['rows'] {
  const pods = objects.filter(({ kind }) => kind === 'Pod') as readonly LiveObject[] as readonly LivePod[];
  return pods
    .filter((pod) => (restartsOf(pod) ?? 0) >= manyRestarts && !isReady(pod))
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .map((pod) => {
      const { name, namespace } = pod.metadata;
      return { POD: name, RESTARTS: restartsOf(pod), CAUSE: `kubectl logs ${name} -n ${namespace} --previous` };
    });
}
