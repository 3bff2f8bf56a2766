import { expect, test } from 'vitest';
import { nodesOf } from '../../../../operator/controllers/kafka/cluster/nodes/nodes.js';

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
  const [node] = nodesOf({
    cluster: 'events',
    groups: [{ name: 'broker', role: 'broker' }],
    pods: [pod] as never,
    claims: [],
    nodes: [{ name: 'n1', labels: {}, isReady: false, isCordoned: false }],
    gone: [],
    topologyKey: 'topology.kubernetes.io/zone',
  });
  expect(node).toMatchObject({ pod: 'ending', isReady: false, isNodeLost: true, trouble: 'its node n1 is not ready' });
});
