import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { Algorithm, type AlgorithmProps, childName, podLabels } from '../../../src/index.js';
import { only, type Rendered, renderedAlgorithm, renderedInOperator } from '../given-rendered.js';

/** Where a field's consequence is: a kind, and the path to it. */
type Place = readonly [kind: string, ...path: (string | number)[]];

const pod = ['Deployment', 'spec', 'template', 'spec'] as const;
const container = [...pod, 'containers', 0] as const;
const podMeta = ['Deployment', 'spec', 'template', 'metadata'] as const;

function at(objects: readonly Rendered[], [kind, ...path]: Place): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    only(objects, kind),
  );
}

const scaling = { minReplicas: 2, maxReplicas: 5, targetCpuPercent: 60 };
const tcp = { tcpSocket: { port: 'http' } };
const http = { httpGet: { path: '/ready', port: 'http' } };
const tmp = { name: 'tmp', emptyDir: {} };

/** Each line: what follows from which spec, and where. */
const consequences: readonly (readonly [place: Place, value: unknown, spec: Partial<AlgorithmProps>])[] = [
  [[...container, 'image'], 'server:2', { image: 'server:2' }],
  [['Deployment', 'spec', 'replicas'], 1, {}],
  [['Deployment', 'spec', 'replicas'], 0, { replicas: 0 }],
  [['Deployment', 'spec', 'replicas'], undefined, { replicas: 3, scaling }],
  [['HorizontalPodAutoscaler', 'spec', 'minReplicas'], 2, { scaling }],
  [['HorizontalPodAutoscaler', 'spec', 'maxReplicas'], 5, { scaling }],
  [
    ['HorizontalPodAutoscaler', 'spec', 'metrics', 0, 'resource'],
    { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
    { scaling },
  ],
  [['HorizontalPodAutoscaler', 'spec', 'scaleTargetRef', 'name'], 'reco', { scaling }],
  [[...container, 'command'], ['serve'], { command: ['serve'] }],
  [[...container, 'command'], undefined, { command: [] }],
  [[...container, 'args'], ['--fast'], { args: ['--fast'] }],
  [[...container, 'args'], undefined, { args: [] }],
  [[...container, 'env'], undefined, { podTemplate: { env: [] } }],
  [
    [...container, 'env'],
    [{ name: 'A', value: 'b' }, { name: 'EMPTY' }],
    {
      podTemplate: {
        env: [
          { name: 'A', value: 'b' },
          { name: 'EMPTY', value: '' },
        ],
      },
    },
  ],
  [
    [...container, 'env', 0],
    { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
    { podTemplate: { env: [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] } },
  ],
  [['ConfigMap', 'data'], { 'a.yaml': 'x: 1' }, { config: { 'a.yaml': 'x: 1' } }],
  [['ConfigMap', 'data'], undefined, { config: {} }],
  [[...container, 'volumeMounts'], [{ name: 'tmp', mountPath: '/tmp' }], {}],
  [
    [...container, 'volumeMounts', 1],
    { name: 'config', mountPath: '/etc/algorithm', readOnly: true },
    { config: { a: 'b' } },
  ],
  [[...pod, 'volumes'], [tmp], { config: {} }],
  [[...pod, 'volumes'], [tmp, { name: 'config', configMap: { name: 'reco' } }], { config: { a: 'b' } }],
  [[...container, 'ports'], [{ name: 'http', containerPort: 8080, protocol: 'TCP' }], {}],
  [[...container, 'ports', 0, 'containerPort'], 9000, { port: 9000 }],
  [['Service', 'spec', 'ports'], [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' }], { port: 9000 }],
  [[...container, 'startupProbe'], { ...tcp, periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 30 }, {}],
  [[...container, 'startupProbe', 'failureThreshold'], 15, { probes: { startupSeconds: 100, periodSeconds: 7 } }],
  [['Deployment', 'spec', 'progressDeadlineSeconds'], 600, {}],
  [['Deployment', 'spec', 'progressDeadlineSeconds'], 3900, { probes: { startupSeconds: 3600 } }],
  [
    [...container, 'readinessProbe'],
    { ...http, periodSeconds: 5, timeoutSeconds: 2, failureThreshold: 4 },
    { probes: { path: '/ready', periodSeconds: 5, timeoutSeconds: 2, failureThreshold: 4 } },
  ],
  [[...container, 'livenessProbe'], { ...tcp, periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 }, {}],
  [
    [...container, 'resources'],
    { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '2', memory: '256Mi' } },
    {},
  ],
  [
    [...container, 'resources'],
    { requests: { cpu: '3', memory: '1Gi' }, limits: { cpu: '3', memory: '1Gi' } },
    { resources: { requests: { cpu: '3000m', memory: '1024Mi' } } },
  ],
  [
    [...container, 'resources'],
    { requests: { cpu: '50m', memory: '64Mi' }, limits: { cpu: '50m', memory: '128Mi' } },
    { resources: { requests: { memory: '64Mi' }, limits: { cpu: '50m', memory: '128Mi' } } },
  ],
  [[...container, 'resources', 'limits', 'nvidia.com/gpu'], '1', { resources: { gpu: 'nvidia.com/gpu' } }],
  [[...container, 'resources', 'limits', 'amd.com/gpu'], '2', { resources: { gpu: 'amd.com/gpu', gpuCount: 2 } }],
  [[...container, 'resources', 'requests', 'amd.com/gpu'], '2', { resources: { gpu: 'amd.com/gpu', gpuCount: 2 } }],
  [[...podMeta, 'annotations'], undefined, {}],
  [
    [...podMeta, 'annotations'],
    { 'prometheus.io/scrape': 'true', 'prometheus.io/path': '/metrics', 'prometheus.io/port': '8080' },
    { metrics: {} },
  ],
  [[...podMeta, 'annotations', 'prometheus.io/port'], '9100', { metrics: { path: '/m', port: 9100 } }],
  [[...container, 'ports', 1], { name: 'metrics', containerPort: 9100, protocol: 'TCP' }, { metrics: { port: 9100 } }],
  [[...container, 'ports', 1], undefined, { metrics: { port: 8080 } }],
  [
    ['Service', 'spec', 'ports', 1],
    { name: 'metrics', port: 9090, protocol: 'TCP', targetPort: 'metrics' },
    { metrics: { port: 80 } },
  ],
  [[...pod, 'imagePullSecrets'], [{ name: 'registry' }], { podTemplate: { imagePullSecrets: [{ name: 'registry' }] } }],
  [[...pod, 'imagePullSecrets'], undefined, { podTemplate: { imagePullSecrets: [] } }],
  [[...pod, 'serviceAccountName'], 'reader', { podTemplate: { serviceAccountName: 'reader' } }],
  [[...pod, 'automountServiceAccountToken'], false, { podTemplate: { serviceAccountName: 'reader' } }],
  [[...pod, 'nodeSelector'], { disk: 'ssd' }, { podTemplate: { nodeSelector: { disk: 'ssd' } } }],
  [[...pod, 'nodeSelector'], undefined, { podTemplate: { nodeSelector: {} } }],
  [
    [...pod, 'tolerations'],
    [{ key: 'gpu', operator: 'Exists' }],
    { podTemplate: { tolerations: [{ key: 'gpu', operator: 'Exists', value: '' }] } },
  ],
  [[...pod, 'tolerations'], undefined, { podTemplate: { tolerations: [] } }],
  [[...pod, 'securityContext', 'runAsUser'], 1000, { podTemplate: { securityContext: { runAsUser: 1000 } } }],
  [[...pod, 'securityContext'], { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }, {}],
  [[...pod, 'terminationGracePeriodSeconds'], 120, { terminationGracePeriodSeconds: 120 }],
  [[...container, 'lifecycle', 'preStop', 'sleep', 'seconds'], 5, { terminationGracePeriodSeconds: 120 }],
  [[...container, 'lifecycle', 'preStop', 'sleep', 'seconds'], 1, { terminationGracePeriodSeconds: 1 }],
  [['PodDisruptionBudget', 'spec', 'maxUnavailable'], 1, { replicas: 1 }],
];

describe('an Algorithm', () => {
  test.each(consequences)('has %j = %j, from %j', (place, value, spec) => {
    expect(at(renderedAlgorithm('reco', spec), place)).toEqual(value);
  });

  test('becomes four objects, and with scaling a fifth', () => {
    const kinds = ['ConfigMap', 'Service', 'Deployment', 'PodDisruptionBudget'];
    expect(renderedAlgorithm('reco').map(({ kind }) => kind)).toEqual(kinds);
    expect(renderedAlgorithm('reco', { scaling }).map(({ kind }) => kind)).toEqual([
      ...kinds,
      'HorizontalPodAutoscaler',
    ]);
  });

  test('has the same objects with scaling at its defaults as with the defaults written out', () => {
    const written = { minReplicas: 1, maxReplicas: 3, targetCpuPercent: 80 };
    expect(renderedAlgorithm('reco', { scaling: { maxReplicas: 3 } })).toEqual(
      renderedAlgorithm('reco', { scaling: written }),
    );
  });

  test.each(['reco', 'my.model.v2', `${'very-'.repeat(50)}end`, 'Upper Case'])(
    'named %s has objects of one name, in its namespace, whose pods are found by labels that are its own',
    (name) => {
      const objects = renderedInOperator(name, { scaling });
      const labels = { 'app.kubernetes.io/name': 'algorithm', 'app.kubernetes.io/instance': childName(name) };
      expect(podLabels(name)).toEqual(labels);
      const managed = { ...labels, 'app.kubernetes.io/managed-by': 'reconstruct' };
      const own = { name: childName(name), namespace: 'team', labels: managed };
      const versioned = { ...own, labels: { ...managed, 'app.kubernetes.io/version': '1' } };
      expect(objects.map(({ metadata }) => metadata)).toEqual(
        objects.map(({ kind }) => (kind === 'Deployment' ? versioned : own)),
      );
      const places: Place[] = [
        ['Deployment', 'spec', 'selector', 'matchLabels'],
        [...podMeta, 'labels'],
        ['Service', 'spec', 'selector'],
        ['PodDisruptionBudget', 'spec', 'selector', 'matchLabels'],
      ];
      for (const place of places) expect(at(objects, place)).toEqual(labels);
    },
  );

  test('has the name and the namespace of its properties before those of its place', () => {
    const [configMap] = renderedAlgorithm('construct', { name: 'reco', namespace: 'other' });
    expect(configMap?.metadata).toMatchObject({ name: 'reco', namespace: 'other' });
  });

  test('has no namespace where neither it nor its chart says one', () => {
    const chart = new Chart(new App(), 'chart');
    const { deployment } = new Algorithm(chart, 'reco', { image: 'server:1' });
    expect(deployment.toJson().metadata).not.toHaveProperty('namespace');
  });

  test('replaces its pods when the content of a file changes, and not when the order of the files does', () => {
    const hashed = (config: Record<string, string>) =>
      at(renderedAlgorithm('reco', { config }), [...podMeta, 'annotations', 'ai.alien6.io/config-hash']);
    expect(hashed({ a: '1', b: '2' })).toMatch(/^[0-9a-f]{16}$/);
    expect(hashed({ a: '1', b: '2' })).toBe(hashed({ b: '2', a: '1' }));
    expect(hashed({ a: '1', b: '2' })).not.toBe(hashed({ a: '1', b: '3' }));
    expect(hashed({ a: '1', b: '2' })).not.toBe(hashed({ a: '1', c: '2' }));
  });

  test.each(['constructor', '__proto__', 'toString'])('keeps a file called %s', (key) => {
    const configMap = only(renderedAlgorithm('reco', JSON.parse(`{"config":{"${key}":"kept"}}`)), 'ConfigMap');
    expect(Object.entries(configMap['data'])).toEqual([[key, 'kept']]);
  });

  test.each([
    ['resources.gpu: Required value: must be set if gpuCount is set', { resources: { gpuCount: 2 } }],
    [
      'scaling.minReplicas: Invalid value: 4: must be at most maxReplicas 3; lower minReplicas or raise maxReplicas',
      { scaling: { minReplicas: 4, maxReplicas: 3 } },
    ],
    ['image: Invalid value: "a b": must be the name of an image in lower case', { image: 'a b' }],
    ['replicas: Invalid value: -1: must be at least 0', { replicas: -1 }],
    ['lifecycle.canaryWeight: Invalid value: 120: must be at most 100', { lifecycle: { canaryWeight: 120 } }],
    ['podTemplate.env[0].name: Required value', { podTemplate: { env: [{ value: 'a' }] } }],
    ['scaling.maxReplica: Unknown field', { scaling: { maxReplicas: 3, maxReplica: 3 } }],
    ['image: Required value', { image: null }],
  ])('is refused: %s', (message, spec) => {
    expect(() => renderedAlgorithm('reco', spec as Partial<AlgorithmProps>)).toThrow(message);
  });
});
