import { describe, it } from 'vitest';
import { algorithmSpec, withDefaults } from '../../../../crds/index.js';
import { algorithm } from '../../../../operator/controllers/algorithm/index.js';
import type { Controller } from '../../../../operator/runtime/index.js';
import { controllerContract } from '../../../../operator/testing/index.js';

const spec = (input: Parameters<typeof withDefaults<typeof algorithmSpec>>[1]) => withDefaults(algorithmSpec, input);

const resource = {
  apiVersion: 'ai.alien6.io/v1',
  kind: 'Algorithm',
  metadata: { name: 'reco', namespace: 'team' },
  spec: spec({ image: 'reco:1', config: { depth: '3' }, scaling: { minReplicas: 1, maxReplicas: 10 } }),
};

describe('the controller of Algorithms', () => {
  const edited = spec({ image: 'reco:2', replicas: 2, config: { width: '4' } });
  const promises = controllerContract(algorithm as unknown as Controller, { resource, edited });
  for (const { name, holds } of promises) it(name, holds);
});
