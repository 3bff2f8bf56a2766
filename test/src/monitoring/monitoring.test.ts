import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { controllers, databaseControllers, systems } from '../../../operator/controllers/index.js';
import { alertRules, type MonitoringProps, OperatorInstall, type OperatorInstallProps } from '../../../src/index.js';
import { only, type Rendered } from '../given-rendered.js';

function installed(monitoring: MonitoringProps, props: Partial<OperatorInstallProps> = {}): Rendered[] {
  const chart = new Chart(new App(), 'chart');
  new OperatorInstall(chart, 'operator', { controllers, monitoring, ...props });
  return chart.toJson();
}

interface Rule {
  readonly alert: string;
  readonly annotations: Readonly<Record<string, string>>;
}

function rulesOf(monitoring: MonitoringProps, props: Partial<OperatorInstallProps> = {}): readonly Rule[] {
  const { groups } = only(installed({ rules: true, ...monitoring }, props), 'PrometheusRule')['spec'];
  return groups.flatMap((group: { readonly rules: readonly Rule[] }) => group.rules);
}

describe('the Prometheus operator', () => {
  test('gets nothing unless it is asked for', () => {
    expect(installed({}).filter(({ apiVersion }) => apiVersion.startsWith('monitoring'))).toEqual([]);
  });

  test.each([
    { monitor: 'PodMonitor', endpoints: 'podMetricsEndpoints', found: 'Deployment' },
    { monitor: 'ServiceMonitor', endpoints: 'endpoints', found: 'Service' },
  ] as const)('finds the metrics by a $monitor', ({ monitor, endpoints, found }) => {
    const objects = installed({ monitor, interval: '30s' });
    const spec = only(objects, monitor)['spec'];
    expect(spec[endpoints]).toEqual([{ port: 'metrics', path: '/metrics', honorLabels: true, interval: '30s' }]);
    const one = only(objects, found);
    const labels = found === 'Service' ? one.metadata.labels : one['spec'].template.metadata.labels;
    expect(labels).toMatchObject(spec.selector.matchLabels);
    const ports = found === 'Service' ? one['spec'].ports : one['spec'].template.spec.containers[0].ports;
    expect(ports.map(({ name }: { name: string }) => name)).toContain('metrics');
  });

  test('sends its token and checks the certificate where the metrics are protected', () => {
    const objects = installed({ monitor: 'ServiceMonitor' }, { metricsTlsSecret: 'metrics', namespace: 'ops' });
    expect(only(objects, 'ServiceMonitor')['spec'].endpoints[0]).toMatchObject({
      scheme: 'https',
      bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
      tlsConfig: { ca: { secret: { name: 'metrics', key: 'ca.crt' } }, serverName: 'reconstruct-metrics.ops.svc' },
    });
  });

  test('selects the objects by labels of yours', () => {
    const labels = { release: 'kube-prometheus-stack' };
    const objects = installed({ monitor: 'PodMonitor', rules: true, labels });
    for (const kind of ['PodMonitor', 'PrometheusRule'])
      expect(only(objects, kind).metadata.labels).toMatchObject(labels);
    expect(only(objects, 'Deployment').metadata.labels).not.toHaveProperty('release');
  });
});

describe('the alerts of an installation', () => {
  test('are those of the systems of its controllers, and of the operator', () => {
    const databases = rulesOf({}, { controllers: databaseControllers }).map(({ alert }) => alert);
    expect(databases).toEqual(expect.arrayContaining(['DatabaseDown', 'NoLeader']));
    expect(databases).not.toContain('KafkaUnavailable');
    expect(rulesOf({}).map(({ alert }) => alert)).toEqual(expect.arrayContaining(['DatabaseDown', 'KafkaUnavailable']));
  });

  test('are there for every system', () => {
    expect(alertRules.map(({ system }) => system)).toEqual([...systems.map(({ name }) => name), 'operator']);
  });

  test('name their runbook below the given URL, and none without it', () => {
    const runbookBaseUrl = 'https://example.com/reconstruct/docs/';
    const link = (alert: string) => rulesOf({ runbookBaseUrl }).find((rule) => rule.alert === alert)?.annotations;
    expect(link('DatabaseDown')).toMatchObject({
      runbook_url: 'https://example.com/reconstruct/docs/kinds/database/runbook.md#databasedown',
    });
    expect(link('NoLeader')).toMatchObject({
      runbook_url: 'https://example.com/reconstruct/docs/observing.md#noleader',
    });
    for (const { annotations } of rulesOf({ runbookBaseUrl })) expect(annotations['runbook_url']).toMatch(/^https:/);
    for (const rule of rulesOf({})) {
      expect(rule.annotations).not.toHaveProperty('runbook_url');
      expect(rule).not.toHaveProperty('runbook');
    }
  });

  test('can include your own', () => {
    const groups = [{ name: 'mine', rules: [{ alert: 'Mine', expr: 'up == 0' }] }];
    expect(rulesOf({ rules: false, groups })).toEqual([{ alert: 'Mine', expr: 'up == 0' }]);
  });
});

test.each<[message: string, monitoring: MonitoringProps, props: Partial<OperatorInstallProps>]>([
  [
    'monitoring.monitor must be ServiceMonitor with metricsTlsSecret, because a PodMonitor sends no token',
    { monitor: 'PodMonitor' },
    { metricsTlsSecret: 'metrics' },
  ],
  ['monitoring.runbookBaseUrl must be a URL, got "docs"', { runbookBaseUrl: 'docs' }, {}],
])('monitoring is refused: %s', (message, monitoring, props) =>
  expect(() => installed(monitoring, props)).toThrow(message),
);
