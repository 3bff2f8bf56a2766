import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { databaseControllers, systems } from '../../operator/controllers/index.js';
import { parseYaml, parseYamlDocuments } from '../../operator/yaml/parse-yaml.js';
import type { OperatorInstallProps } from '../../src/index.js';
import type { Rendered } from '../src/given-rendered.js';
import { chart, chartObjects, installObjects, template } from './chart-rendering.js';
import { helm } from './helm-program.js';

const folder = mkdtempSync(join(tmpdir(), 'chart-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Values that choose some systems. */
const only = (...names: readonly string[]) => ({
  systems: Object.fromEntries(systems.map(({ name }) => [name, names.includes(name)])),
});
const withoutCrds = { crds: { install: false } };

const pods = {
  replicas: 3,
  resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' } },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3_000_000 }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }],
      },
    },
  },
  priorityClassName: 'high',
  imagePullPolicy: 'Always',
  args: ['--resync-period=1m', "--prometheus-url=http://a:9090/?b='c' #d"],
  env: { A: 'true', B: '{{ .Values.name }}', C: 'a: "b"' },
  logLevel: 'debug',
  volumes: [{ name: 'ca', configMap: { name: 'ca' } }],
  volumeMounts: [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }],
} as const satisfies Partial<OperatorInstallProps>;

const metadata = {
  labels: { team: 'a', tier: '1' },
  annotations: { owner: 'me', 'prometheus.io/path': '/m' },
  podLabels: { tier: '2', sidecar: 'false' },
  podAnnotations: { 'prometheus.io/scrape': 'false', owner: 'you' },
};

const groups = [
  { name: 'mine', rules: [{ alert: 'Mine', expr: 'up == 0', annotations: { summary: '{{ $labels.job }}' } }] },
];
const monitoring = {
  interval: '15s',
  rules: true,
  groups,
  runbookBaseUrl: 'https://example.com/docs/',
  labels: { release: 'p' },
};

describe('the chart renders what OperatorInstall renders', () => {
  test.each<[when: string, values: object, props: Partial<OperatorInstallProps>]>([
    ['by default', {}, {}],
    ['for one system', only('database'), { controllers: databaseControllers }],
    [
      'for two systems in two namespaces',
      { ...only('database', 'kafka'), ...withoutCrds, namespaces: ['b', 'a', 'b'] },
      {
        controllers: systems
          .filter(({ name }) => ['database', 'kafka'].includes(name))
          .flatMap((one) => one.controllers),
        ...{ installApi: false, watchNamespaces: ['b', 'a', 'b'] },
      },
    ],
    [
      'for all systems in a namespace',
      { ...withoutCrds, namespaces: ['a'] },
      { installApi: false, watchNamespaces: ['a'] },
    ],
    [
      'with another name and a registry with credentials',
      { ...withoutCrds, name: 'mine', imageRegistry: 'registry.example.com:5000/a', imagePullSecrets: ['a', 'b.c'] },
      { installApi: false, name: 'mine', imageRegistry: 'registry.example.com:5000/a', imagePullSecrets: ['a', 'b.c'] },
    ],
    [
      'with an image of its own and credentials',
      { ...withoutCrds, image: 'registry.example.com/mine@sha256:abc', imageRegistry: 'r', imagePullSecrets: ['a'] },
      { installApi: false, image: 'registry.example.com/mine@sha256:abc', imageRegistry: 'r', imagePullSecrets: ['a'] },
    ],
    ['with every setting of Pods', { ...withoutCrds, ...pods }, { installApi: false, ...pods }],
    [
      'with every setting of Pods for a system without a port',
      { ...withoutCrds, ...only('database'), ...pods },
      { installApi: false, controllers: databaseControllers, ...pods },
    ],
    [
      'with labels and annotations',
      { ...metadata, serviceAccount: { annotations: { role: 'arn', owner: 'it' } } },
      { ...metadata, serviceAccountAnnotations: { role: 'arn', owner: 'it' } },
    ],
    [
      'with labels and annotations in a namespace, with proxies, metrics with TLS, and volumes',
      { ...withoutCrds, ...metadata, ...pods, metricsTlsSecret: 'metrics-cert', gatewayProxies: true },
      { installApi: false, ...metadata, ...pods, metricsTlsSecret: 'metrics-cert', gatewayProxies: true },
    ],
    [
      'with metrics with TLS',
      { ...withoutCrds, metricsTlsSecret: 'cert' },
      { installApi: false, metricsTlsSecret: 'cert' },
    ],
    ['with proxies of Gateways', { ...withoutCrds, gatewayProxies: true }, { installApi: false, gatewayProxies: true }],
    [
      'with a PodMonitor and alerts',
      { ...withoutCrds, monitoring: { ...monitoring, monitor: 'PodMonitor' }, ...metadata },
      { installApi: false, monitoring: { ...monitoring, monitor: 'PodMonitor' }, ...metadata },
    ],
    [
      'with a ServiceMonitor for metrics with TLS',
      { ...withoutCrds, metricsTlsSecret: 'cert', monitoring: { monitor: 'ServiceMonitor', labels: { a: 'b' } } },
      { installApi: false, metricsTlsSecret: 'cert', monitoring: { monitor: 'ServiceMonitor', labels: { a: 'b' } } },
    ],
    [
      'with alerts of one system',
      { ...withoutCrds, ...only('kafka'), monitoring: { rules: true } },
      {
        ...{ installApi: false, monitoring: { rules: true } },
        controllers: systems.find(({ name }) => name === 'kafka')?.controllers ?? [],
      },
    ],
  ])('%s', async (_, values, props) => {
    expect(await chartObjects(values)).toEqual(installObjects(props));
  });

  test('in each place that Helm and its users look at', async () => {
    const { stdout } = await template({ ...withoutCrds, image: 'mine:2' });
    for (const {
      metadata: { labels },
    } of parseYamlDocuments(stdout) as Rendered[])
      expect(labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'Helm', 'helm.sh/chart': 'reconstruct-0.1.0' });
  });
});

test('no value changes a selector', async () => {
  const selectors = async (values: object) => {
    const all = await chartObjects({ ...withoutCrds, ...values });
    const of = (kind: string, name = 'reconstruct') => all[`${kind} ops/${name}`]?.['spec'];
    const spec = of('Deployment');
    return {
      deployment: spec.selector,
      service: of('Service', 'reconstruct-metrics').selector,
      budget: of('PodDisruptionBudget').selector,
      policy: of('NetworkPolicy').podSelector,
      labels: Object.keys(spec.selector.matchLabels).map((key) => spec.template.metadata.labels[key]),
    };
  };
  const before = await selectors({});
  const values = { ...metadata, ...pods, image: 'mine:2', monitoring, namespaces: ['a'], metricsTlsSecret: 'cert' };
  expect(await selectors({ ...values, monitoring: { ...monitoring, monitor: 'ServiceMonitor' } })).toEqual(before);
});

describe('wrong values are refused', () => {
  test.each<[message: string, values: object]>([
    ["additional properties 'replica' not allowed", { replica: 1 }],
    ["additional properties 'instal' not allowed", { crds: { instal: true } }],
    ["additional properties 'postgres' not allowed", { systems: { postgres: true } }],
    ["at '/replicas': got string, want integer", { replicas: '2' }],
    ["at '/replicas': minimum: got -1, want 0", { replicas: -1 }],
    ["at '/namespaces': got string, want array", { namespaces: 'a' }],
    ["at '/namespaces/0': 'A' does not match pattern", { namespaces: ['A'] }],
    ["at '/name': 'Mine' does not match pattern", { name: 'Mine' }],
    ["at '/name': maxLength: got 41, want 40", { name: 'n'.repeat(41) }],
    ["at '/imageRegistry': 'https://a/' does not match pattern", { imageRegistry: 'https://a/' }],
    ["at '/imagePullSecrets/0': 'a,b' does not match pattern", { imagePullSecrets: ['a,b'] }],
    ["at '/env/A': got number, want string", { env: { A: 1 } }],
    ["at '/logLevel': value must be one of 'debug', 'info', 'warn', 'error', 'silent'", { logLevel: 'verbose' }],
    ["at '/labels/app.kubernetes.io~1name': false schema", { labels: { 'app.kubernetes.io/name': 'a' } }],
    ["at '/podLabels/reconstruct.dev~1a': false schema", { podLabels: { 'reconstruct.dev/a': 'a' } }],
    ["at '/annotations/helm.sh~1hook': false schema", { annotations: { 'helm.sh/hook': 'test' } }],
    ["at '/volumes/0': 'not' failed", { volumes: [{ name: 'a', hostPath: { path: '/' } }] }],
    ["at '/volumes/0/name': 'not' failed", { volumes: [{ name: 'metrics-tls', emptyDir: {} }] }],
    ["at '/monitoring/runbookBaseUrl': 'docs' does not match pattern", { monitoring: { runbookBaseUrl: 'docs' } }],
    ["missing property 'labels'", { labels: null }],
    ['systems must have one that is true; set one of them, such as systems.algorithm, to true', only()],
    [
      'gatewayProxies must not be set with namespaces, because the proxies need ClusterRoles; remove one of them',
      { gatewayProxies: true, namespaces: ['a'] },
    ],
    [
      'monitoring.monitor must be ServiceMonitor with metricsTlsSecret, because a PodMonitor sends no token',
      { metricsTlsSecret: 'cert', monitoring: { monitor: 'PodMonitor' } },
    ],
  ])('%s', async (message, values) => {
    const { code, stderr } = await template({ ...withoutCrds, ...values });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  });
});

test('helm lint finds nothing', async () => {
  const { code, stdout } = await helm(['lint', '--strict', chart]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringMatching(/WARNING|ERROR/) });
});

test('another chart can include it', async () => {
  const parent = join(folder, 'parent');
  cpSync(chart, join(parent, 'charts', 'reconstruct'), { recursive: true });
  writeFileSync(join(parent, 'Chart.yaml'), 'apiVersion: v2\nname: parent\nversion: 1.0.0\n');
  const { code, stdout, stderr } = await template(
    { global: { a: 1 }, reconstruct: { ...withoutCrds, replicas: 1 } },
    parent,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('replicas: 1\n');
});

test('values.yaml has the defaults of the schema’s values, and Chart.yaml the version of the package', () => {
  const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'));
  const values = parseYaml(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  expect(Object.keys(values)).toEqual(schema.required);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { version: ofChart, appVersion } = parseYaml(readFileSync(join(chart, 'Chart.yaml'), 'utf8'));
  expect([ofChart, appVersion]).toEqual([version, version]);
});
