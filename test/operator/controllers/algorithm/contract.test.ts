import { describe, it } from 'vitest';
import { algorithmSpec, withDefaults } from '../../../../crds/index.js';
import { algorithm, trial } from '../../../../operator/controllers/algorithm/index.js';
import { requestMetrics } from '../../../../operator/controllers/algorithm/ports/request-metrics.js';
import { startingPods } from '../../../../operator/controllers/algorithm/ports/starting-pods.js';
import type { Controller } from '../../../../operator/runtime/index.js';
import { controllerContract, fakeSource } from '../../../../operator/testing/index.js';
import { gatewayClass } from './given-gateway-class.js';

const unhindered = fakeSource(startingPods, () => ({ why: '' }));
const spec = (input: Parameters<typeof withDefaults<typeof algorithmSpec>>[1]) => withDefaults(algorithmSpec, input);

const resource = {
  apiVersion: 'ai.alien6.io/v1',
  kind: 'Algorithm',
  metadata: { name: 'reco', namespace: 'team' },
  spec: spec({ image: 'reco:1', config: { depth: '3' }, scaling: { minReplicas: 1, maxReplicas: 10 } }),
};

describe('the controller of Algorithms', () => {
  const edited = spec({ image: 'reco:2', replicas: 2, config: { width: '4' } });
  const promises = controllerContract(algorithm as unknown as Controller, { resource, edited, answers: [unhindered] });
  for (const { name, holds } of promises) it(name, holds);
});

const lifecycle = { canaryWeight: 20 };
const managed = { ...resource, spec: spec({ image: 'reco:1', lifecycle }) };
const silence = fakeSource(requestMetrics, () => ({ sides: {}, silent: [], proxies: [] }));

describe('the controller of Algorithms with a lifecycle', () => {
  const edited = spec({ image: 'reco:1', lifecycle, replicas: 2 });
  const given = { resource: managed, edited, answers: [unhindered] };
  for (const { name, holds } of controllerContract(algorithm as unknown as Controller, given)) it(name, holds);
});

describe('line 11: the controller of trials', () => {
  const edited = spec({ image: 'reco:1', lifecycle, host: 'reco.example.com' });
  const given = { resource: managed, edited, reads: [gatewayClass], answers: [silence, unhindered] };
  for (const { name, holds } of controllerContract(trial as unknown as Controller, given)) it(name, holds);
});
