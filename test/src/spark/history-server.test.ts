import { Chart, Testing } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { KubeSparkJob, SparkHistoryServer, type SparkHistoryServerProps } from '../../../src/index.js';

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  // biome-ignore lint/suspicious/noExplicitAny: of several kinds
  readonly spec: any;
  readonly data: Readonly<Record<string, string>>;
}

function given(props: SparkHistoryServerProps = { logs: 's3a://logs/spark' }) {
  const chart = new Chart(Testing.app(), 'test', { namespace: 'shop' });
  const history = new SparkHistoryServer(chart, 'history', props);
  const objects = chart.toJson() as readonly Rendered[];
  const of = (kind: string) => objects.find((one) => one.kind === kind) ?? expect.fail(`no ${kind}`);
  const pod = of('Deployment').spec.template;
  return { chart, history, objects, of, pod, container: pod.spec.containers[0] };
}

describe('a SparkHistoryServer', () => {
  it('is a Deployment with a Service, settings, a ServiceAccount and a NetworkPolicy of one name', () => {
    const { objects } = given();
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([
      'ConfigMap shop/spark-history',
      'ServiceAccount shop/spark-history',
      'Deployment shop/spark-history',
      'Service shop/spark-history',
      'NetworkPolicy shop/spark-history',
    ]);
  });

  it('starts the history server by the entrypoint of the image, with its settings as a file', () => {
    const { container, of } = given({
      logs: 's3a://logs/spark',
      config: { 'spark.history.fs.cleaner.enabled': 'true' },
    });
    expect(container.image).toBe('registry.alien6.io/reconstruct/spark:4.3.0');
    expect(container.command).toBeUndefined();
    expect(container.args).toEqual([
      ...['/opt/spark/bin/spark-class', 'org.apache.spark.deploy.history.HistoryServer'],
      ...['--properties-file', '/opt/spark/history/spark.properties'],
    ]);
    expect(of('ConfigMap').data).toEqual({
      'spark.properties':
        'spark.history.fs.cleaner.enabled=true\nspark.history.fs.logDirectory=s3a://logs/spark\nspark.history.ui.port=18080\n',
    });
  });

  it.each([
    ['the image of another version', { version: '3.5' } as const, 'registry.alien6.io/reconstruct/spark:3.5.9'],
    ['an image of its own', { image: 'registry.example.com/spark:s3' }, 'registry.example.com/spark:s3'],
  ])('has %s', (_, props, image) => {
    expect(given({ logs: 's3a://logs/spark', ...props }).container.image).toBe(image);
  });

  it('has no right and no writable root file system, and is not root', () => {
    const { pod, container } = given();
    expect(pod.spec).toMatchObject({
      automountServiceAccountToken: false,
      serviceAccountName: 'spark-history',
      securityContext: { runAsNonRoot: true, runAsUser: 185, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container.securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true },
    });
    expect(container.volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' });
  });

  it('admits no Pod to its page unless clients are named', () => {
    expect(given().of('NetworkPolicy').spec).toMatchObject({ policyTypes: ['Ingress'], ingress: [] });
    const clients = [{ podSelector: { matchLabels: { app: 'proxy' } } }];
    expect(given({ logs: 's3a://logs/spark', clients }).of('NetworkPolicy').spec.ingress).toEqual([
      { from: clients, ports: [{ port: 18080, protocol: 'TCP' }] },
    ]);
  });

  it('leads its Service to its Pods alone', () => {
    const { of, pod } = given();
    expect(pod.metadata.labels).toMatchObject(of('Service').spec.selector);
    expect(of('Service').spec.ports).toEqual([{ name: 'http', port: 18080, protocol: 'TCP', targetPort: 'http' }]);
  });

  it('gives three quarters of the memory to the heap', () => {
    const heapOf = ({ container }: ReturnType<typeof given>) =>
      container.env.find(({ name }: { name: string }) => name === 'SPARK_DAEMON_MEMORY').value;
    expect(heapOf(given())).toBe('768m');
    expect(heapOf(given({ logs: 's3a://logs/spark', resources: { limits: { memory: '4Gi' } } }))).toBe('3072m');
  });

  it('replaces its Pod when its settings change', () => {
    const hashOf = (props?: SparkHistoryServerProps) => given(props).pod.metadata.annotations;
    expect(hashOf()).toEqual(hashOf());
    expect(hashOf({ logs: 's3a://logs/other' })).not.toEqual(hashOf());
  });

  it('takes credentials from a Secret by the template of its Pod', () => {
    const podTemplate = { envFrom: [{ secretRef: { name: 'logs' } }] };
    expect(given({ logs: 's3a://logs/spark', podTemplate }).container.envFrom).toEqual(podTemplate.envFrom);
  });

  it('has the settings of jobs whose event logs it shows', () => {
    const { chart, history } = given({ claimName: 'event-logs' });
    const spec = {
      main: 'local:///app/clean.py',
      config: history.jobConfig,
      driver: { podTemplate: history.driverPodTemplate },
    };
    new KubeSparkJob(chart, 'job', { metadata: { name: 'clean' }, spec });
    const job = (chart.toJson() as readonly Rendered[]).find(({ kind }) => kind === 'SparkJob') ?? expect.fail();
    const [mount] = job.spec.driver.podTemplate.volumeMounts;
    expect(job.spec.config).toEqual({
      'spark.eventLog.enabled': 'true',
      'spark.eventLog.dir': `file://${mount.mountPath}`,
    });
    expect(given().history.jobConfig).toEqual({
      'spark.eventLog.enabled': 'true',
      'spark.eventLog.dir': 's3a://logs/spark',
    });
    expect(given().history.driverPodTemplate).toEqual({});
  });

  it('reads a volume that drivers write, and leaves its node before another Pod mounts it', () => {
    const { of, pod, container } = given({ claimName: 'event-logs' });
    expect(pod.spec.volumes).toContainEqual({ name: 'event-logs', persistentVolumeClaim: { claimName: 'event-logs' } });
    expect(container.volumeMounts).toContainEqual({ name: 'event-logs', mountPath: '/opt/spark/event-logs' });
    expect(of('Deployment').spec.strategy).toEqual({ type: 'Recreate' });
  });

  it.each([
    [{}, 'got neither'],
    [{ logs: 's3a://logs/spark', claimName: 'event-logs' }, 'got both'],
  ])('refuses %j', (props, says) => {
    expect(() => given(props)).toThrow(says);
  });
});
