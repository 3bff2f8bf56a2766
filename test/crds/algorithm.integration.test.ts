import { afterAll, beforeAll, expect, test } from 'vitest';
import { algorithm } from '../../crds/index.js';
import { givenControlPlane } from '../given-control-plane.js';
import { kstatusOf } from '../kstatus.js';
import { ApiServer } from './given-api-server.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  await server.serve(algorithm);
});
afterAll(() => server.close());

const tried = (spec: object, rest: object = {}) =>
  server.tried(algorithm, { metadata: { name: 'it' }, spec: { image: 'i', ...spec }, ...rest });

test('the resource of the project’s front page applies', async () => {
  const spec = {
    image: 'registry.alien6.io/algo/reco:2.1.4',
    replicas: 3,
    resources: { gpu: 'nvidia.com/gpu', gpuCount: 2 },
    scaling: { minReplicas: 1, maxReplicas: 10, targetLatencyMs: 50 },
    lifecycle: { canaryWeight: 20, successThreshold: 0.99, rollbackOnDrift: true },
  };
  const answer = await server.tried(algorithm, { metadata: { name: 'recommendation-engine-v2' }, spec });
  expect(answer.body.message).toBeUndefined();
  expect(answer.body.spec).toMatchObject(spec);
});

test('R24 kstatus reads InProgress until the operator has looked for the first time', async () => {
  const name = 'unobserved';
  const { body } = await server.create(algorithm, { metadata: { name }, spec: { image: 'i' } });
  expect(kstatusOf(body as unknown as Parameters<typeof kstatusOf>[0])).toBe('InProgress');
  const looked = await server.applyStatus(algorithm, name, 'operator', { observedGeneration: 1 });
  expect(looked.body['status']).toEqual({ observedGeneration: 1 });
  await server.remove(algorithm, name);
});

const names = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `n${index}` }));

test.each<readonly [message: string, spec: object]>([
  ['spec.image: Required value', { image: undefined }],
  ['spec.image: Invalid value: "a b"', { image: 'a b' }],
  ['spec.image: Too long: may not be more than 1024', { image: 'i'.repeat(1025) }],
  ['spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0', { replicas: -1 }],
  ['spec.port: Invalid value: 65536', { port: 65_536 }],
  ['spec.env[0].name: Invalid value: "1A"', { env: [{ name: '1A' }] }],
  ['spec.env[1]: Duplicate value: {"name":"A"}', { env: [{ name: 'A' }, { name: 'A' }] }],
  [
    'spec.env[0]: Invalid value: has two values; set value or valueFrom, not both',
    { env: [{ name: 'A', value: '', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] },
  ],
  [
    'spec.env[0].valueFrom: Invalid value: needs exactly one source; set secretKeyRef or configMapKeyRef',
    { env: [{ name: 'A', valueFrom: {} }] },
  ],
  [
    'needs exactly one source',
    {
      env: [
        { name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' }, configMapKeyRef: { name: 's', key: 'k' } } },
      ],
    },
  ],
  [
    'spec.env[0].valueFrom.secretKeyRef.key: Required value',
    { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's' } } }] },
  ],
  ['spec.config: Invalid value: key a/b is no file name; use letters, digits, -, _ and .', { config: { 'a/b': '' } }],
  ['key ..a is no file name', { config: { '..a': '' } }],
  [
    'spec.config: Invalid value: is too large for one ConfigMap',
    { config: { a: 'x'.repeat(200_000), b: 'x'.repeat(200_000) } },
  ],
  ['spec.probes.path: Invalid value: "healthz"', { probes: { path: 'healthz' } }],
  ['spec.resources.cpu: Invalid value: "1 core"', { resources: { cpu: '1 core' } }],
  ['spec.resources.cpu: Invalid value: "-1"', { resources: { cpu: '-1' } }],
  ['spec.resources.memory: Invalid value: -1', { resources: { memory: -1 } }],
  ['spec.resources.gpu: Invalid value: "gpu"', { resources: { gpu: 'gpu' } }],
  ['spec.resources.gpuCount: Invalid value: 0', { resources: { gpu: 'nvidia.com/gpu', gpuCount: 0 } }],
  [
    'spec.resources.gpu: Required value: has gpuCount without gpu; set gpu to the name of the extended resource, as nvidia.com/gpu',
    { resources: { gpuCount: 1 } },
  ],
  ['spec.scaling.maxReplicas: Required value', { scaling: {} }],
  [
    'spec.scaling.minReplicas: Invalid value: minReplicas 3 is more than maxReplicas 2; lower minReplicas or raise maxReplicas',
    { scaling: { minReplicas: 3, maxReplicas: 2 } },
  ],
  ['spec.scaling.targetCpuPercent: Invalid value: 101', { scaling: { maxReplicas: 1, targetCpuPercent: 101 } }],
  ['spec.metrics.path: Invalid value: "metrics"', { metrics: { path: 'metrics' } }],
  ['spec.imagePullSecrets[1]: Duplicate value', { imagePullSecrets: [{ name: 'a' }, { name: 'a' }] }],
  ['spec.imagePullSecrets: Too many: 17: must have at most 16 items', { imagePullSecrets: names(17) }],
  ['spec.serviceAccountName: Invalid value: "A"', { serviceAccountName: 'A' }],
  ['spec.nodeSelector.a: Invalid value: "-"', { nodeSelector: { a: '-' } }],
  ['spec.tolerations[0].operator: Unsupported value: "Is"', { tolerations: [{ operator: 'Is' }] }],
  ['spec.runAsUser: Invalid value: 0', { runAsUser: 0 }],
  ['spec.terminationGracePeriodSeconds: Invalid value: 0', { terminationGracePeriodSeconds: 0 }],
  ['spec.lifecycle.canaryWeight: Invalid value: 120', { lifecycle: { canaryWeight: 120 } }],
  ['spec.lifecycle.successThreshold: Invalid value: 1.1', { lifecycle: { successThreshold: 1.1 } }],
  ['unknown field "spec.imge"', { imge: 'i' }],
  ['spec.tolerations[0]: Invalid value: has no key; set key', { tolerations: [{ value: 'a' }] }],
  [
    'spec.tolerations[0]: Invalid value: has a value that operator Exists does not look at',
    { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] },
  ],
  [
    'spec.tolerations[0]: Invalid value: has tolerationSeconds, which only NoExecute knows',
    { tolerations: [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 1 }] },
  ],
  ['spec.nodeSelector: Invalid value: key _a is no label', { nodeSelector: { _a: 'b' } }],
  ['spec.nodeSelector: Invalid value: key a/ is no label', { nodeSelector: { 'a/': 'b' } }],
])('refused: %s', async (message, spec) => {
  const answer = await tried(spec);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.body.message).toContain(message);
});

test.each<readonly [what: string, spec: object]>([
  ['the image alone', {}],
  ['no replica', { replicas: 0 }],
  ['as many replicas at the least as at the most', { scaling: { minReplicas: 2, maxReplicas: 2 } }],
  ['amounts as numbers', { resources: { cpu: 2, memory: '1.5Gi' } }],
  ['a GPU without a number', { resources: { gpu: 'nvidia.com/gpu' } }],
  ['an empty variable', { env: [{ name: '_A', value: '' }, { name: 'B' }] }],
  [
    'an optional key of a Secret',
    { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: '.k', optional: true } } }] },
  ],
  ['files with names that JavaScript knows', { config: JSON.parse('{"__proto__":"a","constructor":"b",".c":"d"}') }],
  [
    'tolerations as pods have them',
    { tolerations: [{ operator: 'Exists' }, { key: 'a/b', value: 'c', effect: 'NoExecute', tolerationSeconds: -1 }] },
  ],
])('accepted: %s', async (_what, spec) => {
  expect((await tried(spec)).body.message).toBeUndefined();
});

test('several appliers each own conditions of their own', async () => {
  const condition = (type: string) => ({
    type,
    status: 'True',
    reason: 'It',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  });
  await server.create(algorithm, { metadata: { name: 'conditions' }, spec: { image: 'i' } });
  await server.applyStatus(algorithm, 'conditions', 'one', { conditions: [condition('Deployed')] });
  const answer = await server.applyStatus(algorithm, 'conditions', 'two', { conditions: [condition('Available')] });
  expect(answer.body['status']).toMatchObject({ conditions: [condition('Deployed'), condition('Available')] });
  await server.remove(algorithm, 'conditions');
});
