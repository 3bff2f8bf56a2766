import { algorithmSpec, withDefaults } from '../../../crds/index.js';
import { algorithm, trial } from '../../../operator/controllers/algorithm/index.js';
import { requestMetrics } from '../../../operator/controllers/algorithm/ports/request-metrics.js';
import { startingPods } from '../../../operator/controllers/algorithm/ports/starting-pods.js';
import type { Controller } from '../../../operator/runtime/controller/controller.js';
import { fakeSource } from '../../../operator/testing/contract/answers.js';
import type { Subject } from '../runtime-subjects.js';

const spec = (input: Parameters<typeof withDefaults<typeof algorithmSpec>>[1]) => withDefaults(algorithmSpec, input);
const gateway = { name: 'edge' };

/** Controllers of Algorithms. */
export const subjects = {
  algorithm: {
    controller: algorithm as unknown as Controller,
    given: {
      resource: {
        apiVersion: 'ai.alien6.io/v1',
        kind: 'Algorithm',
        metadata: { name: 'reco', namespace: 'team' },
        spec: spec({ image: 'reco:1', config: { depth: '3' }, scaling: { minReplicas: 1, maxReplicas: 10 } }),
      },
      edited: spec({ image: 'reco:2', replicas: 2, config: { width: '4' } }),
      answers: [fakeSource(startingPods, () => ({ why: 'its container ends with code 1' }))],
    },
  },
  /** The same with a lifecycle: it runs what was promoted last. */
  lifecycle: {
    controller: algorithm as unknown as Controller,
    given: {
      resource: {
        apiVersion: 'ai.alien6.io/v1',
        kind: 'Algorithm',
        metadata: { name: 'reco', namespace: 'team' },
        spec: spec({ image: 'reco:1', lifecycle: { canaryWeight: 20 } }),
      },
      edited: spec({ image: 'reco:2', replicas: 2, lifecycle: { canaryWeight: 0 } }),
      answers: [fakeSource(startingPods, () => ({ why: 'its container ends with code 1' }))],
    },
  },
  /** What such a lifecycle takes beside it, before a Gateway of somebody else's. */
  trial: {
    controller: trial as unknown as Controller,
    given: {
      resource: {
        apiVersion: 'ai.alien6.io/v1',
        kind: 'Algorithm',
        metadata: { name: 'reco', namespace: 'team' },
        spec: spec({ image: 'reco:1', lifecycle: { canaryWeight: 20 }, gateway }),
      },
      edited: spec({ image: 'reco:1', lifecycle: { canaryWeight: 20 }, gateway, host: 'reco.example.com' }),
      reads: [{ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'GatewayClass', metadata: { name: 'reconstruct' } }],
      answers: [
        fakeSource(requestMetrics, () => ({ sides: {}, silent: [], proxies: [] })),
        fakeSource(startingPods, () => ({ why: 'its container ends with code 1' })),
      ],
    },
  },
} satisfies Readonly<Record<string, Subject>>;
