import type { LiveCondition } from '../../runtime/kubernetes/kinds.js';
import type { Manifest } from '../../runtime/kubernetes/object.js';

/** A simulated node. */
export interface SimulatedNode {
  readonly manifest: Manifest;
  /** Address of the node. No program answers there. */
  readonly address: string;
  readonly status: NodeStatus;
}

interface NodeStatus {
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly conditions: readonly LiveCondition[];
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
  readonly nodeInfo: Readonly<Record<string, string>>;
}

const region = 'simulated';
const zones = ['a', 'b', 'c'].map((letter) => `${region}-${letter}`);

/** Large enough that tests do not run out of it. Patch the status of a node to change it. */
const capacity = {
  cpu: '32',
  memory: '128Gi',
  'ephemeral-storage': '512Gi',
  pods: '250',
  'nvidia.com/gpu': '8',
};

/** Nodes named `simulated-1`, `simulated-2` and so on, one after the other in three zones. @param now RFC 3339 */
export function simulatedNodes(count: number, now: string): readonly SimulatedNode[] {
  return Array.from({ length: count }, (_, index) => simulatedNode(index, now));
}

function simulatedNode(index: number, now: string): SimulatedNode {
  const name = `simulated-${index + 1}`;
  const address = `10.64.${(index + 1) >> 8}.${(index + 1) & 255}`;
  const labels = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'topology.kubernetes.io/region': region,
    'topology.kubernetes.io/zone': zones[index % zones.length] ?? region,
  };
  return {
    manifest: { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } },
    address,
    status: {
      capacity,
      allocatable: capacity,
      conditions: conditionsAt(now),
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      nodeInfo,
    },
  };
}

function conditionsAt(now: string): readonly LiveCondition[] {
  const reason = 'SimulatedNode';
  const message = 'This node is simulated and runs no container';
  const times = { lastHeartbeatTime: now, lastTransitionTime: now };
  const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'];
  return [
    { type: 'Ready', status: 'True', reason, message, ...times },
    ...pressures.map((type) => ({ type, status: 'False' as const, reason, message, ...times })),
  ];
}

/** All fields are required. `kubectl get nodes` shows the version. */
const nodeInfo = {
  architecture: 'amd64',
  bootID: '',
  containerRuntimeVersion: 'simulated://1',
  kernelVersion: 'simulated',
  kubeProxyVersion: '',
  kubeletVersion: 'simulated',
  machineID: '',
  operatingSystem: 'linux',
  osImage: 'simulated',
  systemUUID: '',
};
