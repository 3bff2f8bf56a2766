import { algorithmSpec, withDefaults } from '../../../crds/index.js';
import type { AlgorithmStatus } from '../../../imports/index.js';
import { conditions as ofAlgorithms } from '../../../operator/controllers/algorithm/conditions.js';
import { conditions as ofLevels } from '../../../operator/controllers/algorithm/level/conditions.js';
import { conditions as ofTrials } from '../../../operator/controllers/algorithm/trial/conditions.js';
import { Algorithm, AlgorithmTrial, GatewayProxies, NamespaceGateway } from '../../../src/index.js';
import { allTrue, type GivenSystem, now, observedGeneration } from '../given-system.js';

const algorithmStatus: AlgorithmStatus = {
  observedGeneration,
  trial: { id: 'translator-6b5f-t2x9', image: 'translator:1.1.0', revision: 'translator-6b5f', weight: 20, since: now },
  verdict: { verdict: 'undecided', sentence: 'Given', at: now },
  sla: { requests: 10, failed: 0, since: now },
  conditions: allTrue(ofAlgorithms, ofTrials, ofLevels),
};

const lifecycle = { canaryWeight: 20 };

export const given = {
  resources: [
    {
      ...{ apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata: { name: 'translator' } },
      spec: { image: 'registry.example.com/translator:1.0.0', host: 'translator.example.com', lifecycle },
      status: algorithmStatus,
    },
  ],
  pods: ['app.kubernetes.io/instance=translator', 'gateway.networking.k8s.io/gateway-name=reconstruct-gateway'],
  objects: (chart) => {
    const stable = withDefaults(algorithmSpec, {
      image: 'translator:1.0.0',
      host: 'translator.example.com',
      lifecycle,
    });
    const trial = { spec: { image: 'translator:1.1.0' }, replicas: 1, weight: 20 };
    new Algorithm(chart, 'stable', { ...stable, name: 'translator' });
    new AlgorithmTrial(chart, 'translator', { stable, trial, gateway: { name: 'reconstruct-gateway' } });
    new NamespaceGateway(chart, 'gateway');
    new GatewayProxies(chart, 'proxies', { workloads: ['Deployment', 'DaemonSet'] });
  },
} satisfies GivenSystem;
