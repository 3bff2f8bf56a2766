import { expect, test } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../crds/index.js';
import { kafkaCluster } from '../../../../operator/controllers/kafka/cluster/index.js';
import { nodesOf } from '../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import { factsOf } from '../../../../operator/testing/index.js';
import type { Loose } from '../../../given.js';

/** The node of a broker's Pod, on a machine that runs or does not. */
function nodeOf(pod: object, isReady: boolean) {
  const [node] = nodesOf({
    cluster: 'events',
    groups: [{ name: 'broker', role: 'broker' }],
    pods: [pod] as never,
    claims: [],
    nodes: [{ name: 'n1', labels: {}, isReady, isCordoned: false }],
    gone: [],
    topologyKey: 'topology.kubernetes.io/zone',
  });
  return node;
}

test.each([
  { deletionTimestamp: '2026-11-27T12:00:00Z', trouble: undefined },
  { deletionTimestamp: undefined, trouble: 'container kafka: exited with code 143' },
])(
  'the exit of a container is no failure of a Pod that is being deleted: $deletionTimestamp',
  ({ deletionTimestamp, trouble }) => {
    const state = { terminated: { exitCode: 143 } };
    const pod = {
      metadata: { name: 'events-broker-0', namespace: 'shop', uid: 'u', labels: {}, deletionTimestamp },
      spec: { nodeName: 'n1' },
      status: { conditions: [{ type: 'Ready', status: 'False' }], containerStatuses: [{ name: 'kafka', state }] },
    };
    expect(nodeOf(pod, true)?.trouble).toBe(trouble);
  },
);

test('a Pod that is being deleted on a machine that is not ready says so', () => {
  const pod = {
    metadata: {
      name: 'events-broker-0',
      namespace: 'shop',
      uid: 'u',
      deletionTimestamp: '2026-11-27T12:00:00Z',
      labels: {},
    },
    spec: { nodeName: 'n1' },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] },
  };
  expect(nodeOf(pod, false)).toMatchObject({
    pod: 'ending',
    isReady: false,
    isNodeLost: true,
    trouble: 'its node n1 is not ready',
  });
});

test('the conditions of a KafkaCluster name the machine of a Pod that the taint manager deletes', () => {
  const spec = withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } } });
  const resource = {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'KafkaCluster', spec },
    metadata: { name: 'events', namespace: 'shop' },
  };
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', spec: { nodeName: 'n1' } },
    metadata: { name: 'events-broker-0', namespace: 'shop', deletionTimestamp: '2026-11-27T12:00:00Z' },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] },
  };
  const nodes = [{ name: 'n1', labels: {}, isReady: false, isCordoned: false }];
  const reads = { nodes, claims: [], nodeCertificate: 'a', listenerCertificates: [] };
  // `desire` does not render a Pod that is being deleted.
  const outcome = factsOf(resource as never, { pruning: [pod as never], reads: reads as never });
  const { conditions, status } = kafkaCluster.assess(outcome as never) as Loose<object>;
  expect(conditions['Provisioned']).toEqual({
    reason: 'NodeNotReady',
    message: 'events-broker-0: its node n1 is not ready',
  });
  expect(status['nodes']).toMatchObject([{ name: 'events-broker-0', node: 'n1', state: 'Stopping' }]);
});
