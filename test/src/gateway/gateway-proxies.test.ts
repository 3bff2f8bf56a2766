import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../operator/yaml/parse-yaml.js';
import { latencyBuckets } from '../../../src/gateway/arguments.js';
import {
  GatewayProxies,
  type GatewayProxiesProps,
  gatewayPorts,
  NamespaceGateway,
  proxyLabels,
} from '../../../src/index.js';
import { only, type Rendered } from '../given-rendered.js';

function rendered(namespace: string | undefined = 'team', props: GatewayProxiesProps = {}): Rendered[] {
  const chart = new Chart(new App(), 'chart', { namespace });
  new NamespaceGateway(chart, 'gateway');
  new GatewayProxies(chart, 'proxies', props);
  return chart.toJson();
}

const objects = rendered();
const template = only(objects, 'Deployment')['spec'].template;
const [container] = template.spec.containers;
const seconds = (argument: string) =>
  Number(/=(\d+)s$/.exec(container.args.find((one: string) => one.includes(argument)))?.[1]);

describe('the Gateway of a namespace', () => {
  test('takes routes of its own namespace alone', () => {
    const { listeners } = only(objects, 'Gateway')['spec'];
    expect(listeners).toMatchObject([{ protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'Same' } } }]);
  });

  test('listens where its proxies do, which look for the entry point of this very port', () => {
    const { listeners } = only(objects, 'Gateway')['spec'];
    expect(container.args).toContain(`--entryPoints.http.address=:${listeners[0].port}`);
    expect(container.ports).toContainEqual({ name: 'http', containerPort: listeners[0].port, protocol: 'TCP' });
  });
});

describe('line 12: the proxies of a Gateway', () => {
  test('are two, on two nodes and in two zones if there are, and never fewer while they roll', () => {
    const { replicas, strategy } = only(objects, 'Deployment')['spec'];
    expect(replicas).toBe(2);
    expect(strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(
      template.spec.topologySpreadConstraints.map((one: { topologyKey: string; whenUnsatisfiable: string }) => [
        one.topologyKey,
        one.whenUnsatisfiable,
      ]),
    ).toEqual([
      ['topology.kubernetes.io/zone', 'ScheduleAnyway'],
      ['kubernetes.io/hostname', 'DoNotSchedule'],
    ]);
    expect(only(objects, 'PodDisruptionBudget')['spec'].maxUnavailable).toBe(1);
  });

  test('are one on each node where that is asked for, the next one there before one goes', () => {
    const everywhere = rendered('team', { workloads: ['DaemonSet'] });
    const { template: ofEach, updateStrategy, selector } = only(everywhere, 'DaemonSet')['spec'];
    const { topologySpreadConstraints: _, ...spec } = template.spec;
    expect(ofEach).toEqual({ ...template, spec });
    expect(updateStrategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
    expect(ofEach.metadata.labels).toMatchObject(selector.matchLabels);
    const kinds = (them: readonly Rendered[]) => them.map(({ kind }) => kind).toSorted();
    const others = kinds(objects).filter((kind) => kind !== 'Deployment' && kind !== 'PodDisruptionBudget');
    expect(kinds(everywhere)).toEqual([...others, 'DaemonSet'].toSorted());
    const both = rendered('team', { workloads: ['Deployment', 'DaemonSet'] });
    expect(kinds(both)).toEqual([...kinds(objects), 'DaemonSet'].toSorted());
  });

  test('get requests only when they know their routes', () => {
    const { hostnames, rules } = only(objects, 'HTTPRoute')['spec'];
    expect(rules).toEqual([{ backendRefs: [{ group: 'traefik.io', kind: 'TraefikService', name: 'ping@internal' }] }]);
    const { path, port, httpHeaders } = container.startupProbe.httpGet;
    expect({ path, port, httpHeaders }).toEqual({
      path: '/ping',
      port: 'http',
      httpHeaders: [{ name: 'Host', value: hostnames[0] }],
    });
  });

  test('take requests on when they are to stop, and have the time to finish them', () => {
    const accept = seconds('http.transport.lifeCycle.requestAcceptGraceTimeout');
    const finish = seconds('http.transport.lifeCycle.graceTimeOut');
    expect(accept).toBeGreaterThanOrEqual(2 * seconds('http.transport.keepAliveMaxTime'));
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(accept + finish);
  });

  test('send a request that no pod has taken to the next one, and give up before people do', () => {
    const { data } = only(objects, 'ConfigMap') as unknown as { readonly data: Readonly<Record<string, string>> };
    const [[file = '', text = ''] = []] = Object.entries(data);
    const [name = '', { retry } = { retry: { attempts: 0, initialInterval: '' } }] =
      Object.entries(
        parseYaml(text).http.middlewares as Record<string, { retry: { attempts: number; initialInterval: string } }>,
      )[0] ?? [];
    const [{ mountPath }] = container.volumeMounts;
    expect(template.spec.volumes).toEqual([{ name: 'config', configMap: { name: 'reconstruct-gateway' } }]);
    expect(container.args).toContain(`--providers.file.filename=${mountPath}/${file}`);
    expect(container.args).toContain(`--entryPoints.http.http.middlewares=${name}@file`);
    // One of two pods is lost: a request that meets it each time is rarer than one in a thousand.
    expect(0.5 ** retry.attempts).toBeLessThan(0.001);
    const dial = Number(/dialTimeout=(\d+)ms/.exec(container.args.join(' '))?.[1]);
    expect(dial * retry.attempts).toBeLessThan(5000);
    // At even times a request could meet the lost one in each of its turns.
    expect(retry.initialInterval).toBe('30ms');
  });

  test('see one namespace', () => {
    expect(container.args).toContain('--providers.kubernetesGateway.namespaces=team');
    expect(only(objects, 'RoleBinding').metadata.namespace).toBe('team');
    expect(only(objects, 'RoleBinding')['roleRef'].name).toBe('reconstruct-gateway-proxy');
    expect(objects.map(({ metadata }) => metadata.namespace)).toEqual(objects.map(() => 'team'));
    expect(() => new GatewayProxies(new Chart(new App(), 'none'), 'proxies')).toThrow('set namespace');
  });

  test('are found by the labels that a Service and a reader of their metrics look for', () => {
    expect(template.metadata.labels).toMatchObject(proxyLabels('reconstruct-gateway'));
    expect(container.ports).toContainEqual({
      name: 'metrics',
      containerPort: gatewayPorts.metrics,
      protocol: 'TCP',
    });
    expect(template.spec.hostNetwork).toBeUndefined();
  });

  test('run as a non-root user on a read-only file system', () => {
    expect(template.spec.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: 65_532,
      runAsGroup: 65_532,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    });
  });

  test('count times in buckets that rise, with the front page’s target among them', () => {
    expect(latencyBuckets).toEqual(latencyBuckets.toSorted((a, b) => a - b));
    expect(latencyBuckets).toContain(50);
    expect(container.args).toContainEqual(expect.stringMatching(/prometheus\.buckets=0\.001,.*,0\.05,.*,60$/));
  });
});
