import { afterAll, beforeAll, expect, test } from 'vitest';
import { algorithm } from '../../crds/index.js';
import { givenControlPlane } from '../given/control-plane.js';
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
  ['spec.image: Invalid value: "server\\u200b:1"', { image: 'server\u200b:1' }],
  ['spec.image: Invalid value: "UPPER/server": must be the name of an image in lower case', { image: 'UPPER/server' }],
  ['spec.image: Too long: may not be more than 1024', { image: 'i'.repeat(1025) }],
  ['spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0', { replicas: -1 }],
  ['spec.port: Invalid value: 65536', { port: 65_536 }],
  ['spec.podTemplate.env[0].name: Invalid value: "1A"', { podTemplate: { env: [{ name: '1A' }] } }],
  ['spec.podTemplate.env[1]: Duplicate value: {"name":"A"}', { podTemplate: { env: [{ name: 'A' }, { name: 'A' }] } }],
  [
    'spec.podTemplate.env[0]: Invalid value: must not have both value and valueFrom; remove one of them',
    { podTemplate: { env: [{ name: 'A', value: '', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] } },
  ],
  [
    'spec.podTemplate.env[0].valueFrom: Invalid value: must have exactly one source; set secretKeyRef, configMapKeyRef or fieldRef',
    { podTemplate: { env: [{ name: 'A', valueFrom: {} }] } },
  ],
  [
    'must have exactly one source',
    {
      podTemplate: {
        env: [
          { name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' }, configMapKeyRef: { name: 's', key: 'k' } } },
        ],
      },
    },
  ],
  [
    'spec.podTemplate.env[0].valueFrom.secretKeyRef.key: Required value',
    { podTemplate: { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's' } } }] } },
  ],
  [
    'spec.config: Invalid value: key a/b must be a file name; use up to 253 letters, digits, -, _ and .',
    { config: { 'a/b': '' } },
  ],
  ['key ..a must be a file name', { config: { '..a': '' } }],
  [
    'spec.config: Invalid value: must fit into one ConfigMap',
    { config: { a: 'x'.repeat(200_000), b: 'x'.repeat(200_000) } },
  ],
  ['spec.probes.path: Invalid value: "healthz"', { probes: { path: 'healthz' } }],
  ['spec.resources.requests.cpu: Invalid value: "1 core"', { resources: { requests: { cpu: '1 core' } } }],
  ['spec.resources.limits.cpu: Invalid value: "-1"', { resources: { limits: { cpu: '-1' } } }],
  ['spec.resources.requests.memory: Invalid value: -1', { resources: { requests: { memory: -1 } } }],
  ['spec.resources.gpu: Invalid value: "gpu"', { resources: { gpu: 'gpu' } }],
  ['spec.resources.gpuCount: Invalid value: 0', { resources: { gpu: 'nvidia.com/gpu', gpuCount: 0 } }],
  [
    'spec.resources.gpu: Required value: must be set if gpuCount is set; use the name of the extended resource, such as nvidia.com/gpu',
    { resources: { gpuCount: 1 } },
  ],
  ['spec.scaling.maxReplicas: Required value', { scaling: {} }],
  [
    'spec.resources.requests.cpu: Invalid value: must be above 0 if scaling is set, because the autoscaler scales by a percentage of it; use an amount such as 100m',
    { resources: { requests: { cpu: '0m' } }, scaling: { maxReplicas: 2 } },
  ],
  [
    'spec.scaling.minReplicas: Invalid value: minReplicas 3 must be at most maxReplicas 2; lower minReplicas or raise maxReplicas',
    { scaling: { minReplicas: 3, maxReplicas: 2 } },
  ],
  ['spec.scaling.targetCpuPercent: Invalid value: 101', { scaling: { maxReplicas: 1, targetCpuPercent: 101 } }],
  ['spec.metrics.path: Invalid value: "metrics"', { metrics: { path: 'metrics' } }],
  [
    'spec.podTemplate.imagePullSecrets[1]: Duplicate value',
    { podTemplate: { imagePullSecrets: [{ name: 'a' }, { name: 'a' }] } },
  ],
  [
    'spec.podTemplate.imagePullSecrets: Too many: 17: must have at most 16 items',
    { podTemplate: { imagePullSecrets: names(17) } },
  ],
  ['spec.podTemplate.serviceAccountName: Invalid value: "A"', { podTemplate: { serviceAccountName: 'A' } }],
  ['spec.podTemplate.nodeSelector.a: Invalid value: "-"', { podTemplate: { nodeSelector: { a: '-' } } }],
  [
    'spec.podTemplate.tolerations[0].operator: Unsupported value: "Is"',
    { podTemplate: { tolerations: [{ operator: 'Is' }] } },
  ],
  [
    'spec.podTemplate.securityContext.runAsUser: Invalid value: 0: must not be 0, which is root',
    { podTemplate: { securityContext: { runAsUser: 0 } } },
  ],
  ['spec.terminationGracePeriodSeconds: Invalid value: 0', { terminationGracePeriodSeconds: 0 }],
  ['unknown field "spec.imge"', { imge: 'i' }],
  [
    'spec.podTemplate.tolerations[0]: Invalid value: must have a key; set key',
    { podTemplate: { tolerations: [{ value: 'a' }] } },
  ],
  [
    'spec.podTemplate.tolerations[0]: Invalid value: must not have a value with operator Exists',
    { podTemplate: { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] } },
  ],
  [
    'spec.podTemplate.tolerations[0].tolerationSeconds: Invalid value: 1e+30',
    { podTemplate: { tolerations: [{ key: 'a', effect: 'NoExecute', tolerationSeconds: 1e30 }] } },
  ],
  [
    'spec.podTemplate.tolerations[0]: Invalid value: must not have tolerationSeconds without effect NoExecute',
    { podTemplate: { tolerations: [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 1 }] } },
  ],
  [
    'spec.podTemplate.nodeSelector: Invalid value: key _a must be a label name',
    { podTemplate: { nodeSelector: { _a: 'b' } } },
  ],
  [
    'spec.podTemplate.nodeSelector: Invalid value: key a/ must be a label name',
    { podTemplate: { nodeSelector: { 'a/': 'b' } } },
  ],
])('refused: %s', async (message, spec) => {
  const answer = await tried(spec);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.body.message).toContain(message);
});

const latency = (percentile: number) => ({
  scaling: { maxReplicas: 1, targetLatencyMs: 50 },
  lifecycle: { latency: { percentile } },
});
const header = (headers: object) => ({ lifecycle: { variants: [{ name: 'b', match: { header: headers } }] } });
const twoSteps = (first: object, second: object) => ({
  lifecycle: {
    steps: [
      { weight: 5, ...first },
      { weight: 20, ...second },
    ],
  },
});

test.each<readonly [message: string, spec: object]>([
  [
    'spec.lifecycle.canaryWeight: Invalid value: 120: spec.lifecycle.canaryWeight in body should be less than or equal to 100',
    { lifecycle: { canaryWeight: 120 } },
  ],
  ['spec.lifecycle.successThreshold: Invalid value: 1.1', { lifecycle: { successThreshold: 1.1 } }],
  [
    'spec.lifecycle.steps: Invalid value: the weights [20, 5] must be in ascending order; sort the steps by weight',
    { lifecycle: { steps: [{ weight: 20 }, { weight: 5 }] } },
  ],
  ['spec.lifecycle.steps[0].weight: Invalid value: 0', { lifecycle: { steps: [{ weight: 0 }] } }],
  ['spec.lifecycle.steps[0].for: Invalid value: "2 minutes"', twoSteps({ for: '2 minutes' }, {})],
  [
    'spec.lifecycle.steps[0].for: Invalid value: "169h": must be from 0s to 168h; use a duration such as 90s, 10m or 1h30m',
    twoSteps({ for: '169h' }, {}),
  ],
  [
    'spec.lifecycle.steps: Invalid value: must be empty if canaryWeight is 0, because there is no trial; remove steps or canaryWeight',
    { lifecycle: { canaryWeight: 0, steps: [{ weight: 5 }] } },
  ],
  [
    'spec.lifecycle.steps: Invalid value: must take less time in total than trial.deadline; shorten the steps or raise trial.deadline',
    twoSteps({ for: '10m' }, { for: '20m' }),
  ],
  [
    'spec.lifecycle.trial.interval: Invalid value: "0s": must be from 1s to 1h; use a duration such as 90s, 10m or 1h30m',
    { lifecycle: { trial: { interval: '0s' } } },
  ],
  [
    'spec.lifecycle.trial.deadline: Invalid value: must be longer than trial.interval, so that the metrics are checked at least once; raise trial.deadline or lower trial.interval',
    { lifecycle: { trial: { interval: '1m', deadline: '1m' } } },
  ],
  ['spec.lifecycle.trial.bake: Invalid value: "1d"', { lifecycle: { trial: { bake: '1d' } } }],
  ['spec.lifecycle.trial.minRequests: Invalid value: 0', { lifecycle: { trial: { minRequests: 0 } } }],
  ['spec.lifecycle.trial.failureLimit: Invalid value: 0', { lifecycle: { trial: { failureLimit: 0 } } }],
  ['spec.lifecycle.trial.errorLimit: Invalid value: 0', { lifecycle: { trial: { errorLimit: 0 } } }],
  [
    'spec.lifecycle.latency.percentile: Invalid value: 100: must be a whole number from 50 to 99, such as 95',
    latency(100),
  ],
  ['49: must be a whole number from 50 to 99', latency(49)],
  [
    'spec.scaling.targetLatencyMs: Required value: must be set if lifecycle.latency is set; set scaling.targetLatencyMs, or remove lifecycle.latency',
    { lifecycle: { latency: {} } },
  ],
  ['spec.lifecycle.drift.metric: Required value', { lifecycle: { drift: { threshold: 0.1 } } }],
  ['spec.lifecycle.drift.metric: Invalid value: "score{}"', { lifecycle: { drift: { metric: 'score{}' } } }],
  ['spec.lifecycle.drift.method: Unsupported value: "L2"', { lifecycle: { drift: { metric: 'score', method: 'L2' } } }],
  [
    'spec.lifecycle.drift.threshold: Invalid value: 0: must be above 0, because no two samples are at distance 0; use a distance such as 0.2',
    { lifecycle: { drift: { metric: 'score', threshold: 0 } } },
  ],
  ['spec.lifecycle.variants[0].match: Required value', { lifecycle: { variants: [{ name: 'b' }] } }],
  ['spec.lifecycle.variants[0].match.header: Required value', { lifecycle: { variants: [{ name: 'b', match: {} }] } }],
  [
    'spec.lifecycle.variants[0].match.header: Invalid value: must have at least one header; add one with its value, such as x-variant: b',
    header({}),
  ],
  ['must have header names in lower case as keys, such as x-variant', header({ 'X-Variant': 'b' })],
  ['must have header names in lower case as keys', header({ 'x variant': 'b' })],
  [
    'spec.lifecycle.variants[0].name: Invalid value: "trial": must not be stable or trial, which name the two versions; choose another name, such as b',
    { lifecycle: { variants: [{ name: 'trial', match: { header: { a: 'b' } } }] } },
  ],
  [
    'spec.lifecycle.variants[0].name: Invalid value: "B"',
    { lifecycle: { variants: [{ name: 'B', match: { header: { a: 'b' } } }] } },
  ],
  ['spec.sla.availability: Required value', { lifecycle: {}, sla: {} }],
  [
    'spec.sla.availability: Invalid value: 1: must be above 0 and below 1, such as 0.999',
    { lifecycle: {}, sla: { availability: 1 } },
  ],
  ['must be above 0 and below 1', { lifecycle: {}, sla: { availability: 99.9 } }],
  [
    'spec.sla.window: Invalid value: "59s": must be from 1m to 720h',
    { lifecycle: {}, sla: { availability: 0.9, window: '59s' } },
  ],
  [
    'spec.lifecycle: Required value: must be set if sla is set, because requests are counted only if a lifecycle splits them; add lifecycle, with canaryWeight 0 for no trials',
    { sla: { availability: 0.999 } },
  ],
  ['spec.lifecycle: Required value: must be set if gateway is set', { gateway: { name: 'shared' } }],
  ['spec.lifecycle: Required value: must be set if host is set', { host: 'reco.example.com' }],
  ['spec.gateway.name: Required value', { lifecycle: {}, gateway: {} }],
  ['spec.host: Invalid value: "https://reco"', { lifecycle: {}, host: 'https://reco' }],
  [
    'spec.host: Invalid value: "other.team.svc.cluster.local": must not end with .svc or .svc.cluster.local, because the names of the Service are served anyway; use a name such as reco.example.com',
    { lifecycle: {}, host: 'other.team.svc.cluster.local' },
  ],
])('line 13: refused: %s', async (message, spec) => {
  const answer = await tried(spec);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.body.message).toContain(message);
});

test.each<readonly [what: string, spec: object]>([
  ['the image alone', {}],
  ['a lifecycle that says nothing', { lifecycle: {} }],
  [
    'a lifecycle that says everything',
    {
      scaling: { maxReplicas: 3, targetLatencyMs: 50 },
      lifecycle: {
        canaryWeight: 20,
        steps: [{ weight: 5, for: '2m' }, { weight: 5 }, { weight: 20, for: '10m' }],
        trial: { interval: '10s', minRequests: 200, failureLimit: 2, errorLimit: 5, deadline: '1h30m', bake: '0s' },
        latency: { percentile: 95 },
        drift: { metric: 'prediction_score', method: 'KS', threshold: 0.2 },
        variants: [
          { name: 'b', match: { header: { 'x-variant': 'b', 'x-beta': 'yes' } } },
          { name: 'c', match: { header: { 'x-variant': 'c' } } },
        ],
        paused: true,
      },
      sla: { availability: 0.999, window: '1h' },
      host: 'reco.example.com',
      gateway: { name: 'shared', namespace: 'gateways' },
    },
  ],
  ['no trial, yet a service level', { lifecycle: { canaryWeight: 0, steps: [] }, sla: { availability: 0.99 } }],
  [
    'a trial without steps beside a target',
    { scaling: { maxReplicas: 1, targetLatencyMs: 5 }, lifecycle: { steps: [] } },
  ],
  ['no replica', { replicas: 0 }],
  ['as many replicas at the least as at the most', { scaling: { minReplicas: 2, maxReplicas: 2 } }],
  ['amounts as numbers', { resources: { requests: { cpu: 2, memory: '1.5Gi' } } }],
  ['a GPU without a number', { resources: { gpu: 'nvidia.com/gpu' } }],
  ['an empty variable', { podTemplate: { env: [{ name: '_A', value: '' }, { name: 'B' }] } }],
  [
    'an optional key of a Secret',
    { podTemplate: { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: '.k', optional: true } } }] } },
  ],
  ['files with names that JavaScript knows', { config: JSON.parse('{"__proto__":"a","constructor":"b",".c":"d"}') }],
  [
    'tolerations as pods have them',
    {
      podTemplate: {
        tolerations: [{ operator: 'Exists' }, { key: 'a/b', value: 'c', effect: 'NoExecute', tolerationSeconds: -1 }],
      },
    },
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
