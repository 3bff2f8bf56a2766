import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { type InstalledController, OperatorInstall, type OperatorInstallProps } from '../../../src/index.js';
import { only, type Rendered } from '../given-rendered.js';

const algorithms: InstalledController = {
  name: 'algorithm',
  kind: { group: 'ai.alien6.io', version: 'v1', kind: 'Algorithm', plural: 'algorithms', namespaced: true },
  rbacRules: [{ apiGroups: ['ai.alien6.io'], resources: ['algorithms'], verbs: ['list'] }],
};

type Props = Partial<OperatorInstallProps>;

function installed(props: Props = {}): Rendered[] {
  const chart = new Chart(new App(), 'chart');
  new OperatorInstall(chart, 'operator', { controllers: [algorithms], ...props });
  return chart.toJson();
}

const deployment = (props: Props) => only(installed(props), 'Deployment');
const template = (props: Props) => deployment(props)['spec'].template;
const selector = (props: Props) => deployment(props)['spec'].selector.matchLabels;

describe('labels and annotations of an installation', () => {
  const labels = { team: 'platform' };
  const annotations = { 'example.com/owner': 'platform' };

  test('are on each object and on the Pods', () => {
    const everything = { labels, annotations, gatewayProxies: true, installGatewayApi: true };
    const objects = installed({ ...everything, monitoring: { monitor: 'PodMonitor', rules: true } });
    expect(objects.filter(({ metadata }) => metadata.labels?.['team'] !== 'platform')).toEqual([]);
    expect(objects.filter(({ metadata }) => metadata.annotations?.['example.com/owner'] !== 'platform')).toEqual([]);
    expect(template(everything).metadata).toMatchObject({ labels, annotations });
  });

  test('leave those of the installation as they are', () => {
    const own = deployment({}).metadata.labels;
    expect(deployment({ labels }).metadata.labels).toEqual({ ...labels, ...own });
    expect(template({ annotations }).metadata.annotations).toEqual({
      ...annotations,
      ...template({}).metadata.annotations,
    });
  });

  test('never change the selectors', () => {
    expect(selector({ labels, podLabels: { tier: 'control' } })).toEqual(selector({}));
    const services = (props: Props) => only(installed(props), 'Service')['spec'].selector;
    expect(services({ labels })).toEqual(services({}));
  });

  test('can be those of the Pods alone', () => {
    const props = { podLabels: { tier: 'control' }, podAnnotations: { 'prometheus.io/scrape': 'false' } };
    expect(template(props).metadata.labels).toMatchObject(props.podLabels);
    expect(template(props).metadata.annotations).toMatchObject({
      'prometheus.io/port': '8080',
      ...props.podAnnotations,
    });
    expect(deployment(props).metadata.labels).toEqual(deployment({}).metadata.labels);
  });

  test('can be those of the ServiceAccount alone, for an identity at a cloud', () => {
    const serviceAccountAnnotations = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/backup' };
    const objects = installed({ serviceAccountAnnotations });
    expect(only(objects, 'ServiceAccount').metadata.annotations).toEqual(serviceAccountAnnotations);
    expect(only(objects, 'Deployment').metadata.annotations).toBeUndefined();
  });
});

describe('the Pods of an installation', () => {
  test('have an affinity beside the spread over zones and nodes', () => {
    const affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In' as const, values: ['control'] }] }],
        },
      },
    };
    expect(template({ affinity }).spec).toMatchObject({ affinity });
    expect(template({ affinity }).spec.topologySpreadConstraints).toHaveLength(2);
    expect(template({}).spec.affinity).toBeUndefined();
  });

  test('can mount a CA of your own, beside the certificate of the metrics', () => {
    const volumes = [{ name: 'ca', configMap: { name: 'corporate-ca' } }];
    const volumeMounts = [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }];
    const { spec } = template({ volumes, volumeMounts, metricsTlsSecret: 'metrics' });
    expect(spec.volumes).toEqual([{ name: 'metrics-tls', secret: { secretName: 'metrics' } }, ...volumes]);
    expect(spec.containers[0].volumeMounts).toEqual([
      { name: 'metrics-tls', mountPath: '/etc/reconstruct/metrics-tls', readOnly: true },
      ...volumeMounts,
    ]);
  });
});

const ca = { name: 'ca', configMap: { name: 'ca' } };
test.each<[message: string, props: Props]>([
  [
    'labels and podLabels must not have app.kubernetes.io/name, which the installation sets; remove it',
    { labels: { 'app.kubernetes.io/name': 'mine' } },
  ],
  [
    'labels and podLabels must not have app.kubernetes.io/instance, which the installation sets; remove it',
    { podLabels: { 'app.kubernetes.io/instance': 'mine' } },
  ],
  [
    'volumes must have unique names other than metrics-tls, got metrics-tls',
    { volumes: [{ ...ca, name: 'metrics-tls' }] },
  ],
  ['volumes must have unique names other than metrics-tls, got ca', { volumes: [ca, ca] }],
  [
    'volumes must not have a hostPath, which the Pod Security level restricted forbids, got host',
    { volumes: [{ name: 'host', hostPath: { path: '/' } } as unknown as typeof ca] },
  ],
  [
    'volumeMounts must name one of volumes, got other',
    { volumes: [ca], volumeMounts: [{ name: 'other', mountPath: '/x' }] },
  ],
])('an installation is refused: %s', (message, props) => expect(() => installed(props)).toThrow(message));
