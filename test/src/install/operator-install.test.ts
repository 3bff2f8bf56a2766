import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { type CustomResourceDefinition, kinds, toCustomResourceDefinition } from '../../../crds/index.js';
import type { Config } from '../../../operator/config/config.js';
import { configFrom } from '../../../operator/process/flags.js';
import { ClusterRole, Node, optional } from '../../../operator/runtime/kubernetes/kinds.js';
import {
  ApiInstall,
  type InstalledController,
  OperatorInstall,
  type OperatorInstallProps,
} from '../../../src/index.js';
import { only, type Rendered } from '../given-rendered.js';

const algorithms: InstalledController = {
  name: 'algorithm',
  kind: { group: 'ai.alien6.io', version: 'v1', kind: 'Algorithm', plural: 'algorithms', namespaced: true },
  rbacRules: [{ apiGroups: ['ai.alien6.io'], resources: ['algorithms'], verbs: ['watch', 'list'] }],
};
const others: InstalledController = {
  name: 'other',
  kind: { group: 'example.com', version: 'v1', kind: 'Other', plural: 'others', namespaced: true },
  rbacRules: [{ apiGroups: ['example.com'], resources: ['others'], verbs: ['list'] }],
};
const [definition = expect.fail('no kinds')] = kinds.map(toCustomResourceDefinition);
const definitionOfOthers = {
  ...definition,
  metadata: { name: 'others.example.com' },
  spec: { ...definition.spec, group: 'example.com', names: { ...definition.spec.names, plural: 'others' } },
};
const rules = [{ apiGroups: ['ai.alien6.io'], resources: ['algorithms'], verbs: ['list', 'watch'] }];

function installed(props: Partial<OperatorInstallProps> = {}, namespace?: string): Rendered[] {
  const chart = new Chart(new App(), 'chart', namespace === undefined ? {} : { namespace });
  new OperatorInstall(chart, 'operator', { controllers: [algorithms], ...props });
  return chart.toJson();
}

function named(objects: readonly Rendered[], kind: string): string[] {
  return objects
    .filter((object) => object.kind === kind)
    .map(({ metadata: { name, namespace } }) => (namespace === undefined ? name : `${namespace}/${name}`));
}

function container(props: Partial<OperatorInstallProps>) {
  return podSpec(props).containers[0];
}

function podSpec(props: Partial<OperatorInstallProps>) {
  return only(installed(props), 'Deployment')['spec'].template.spec;
}

describe('an installation', () => {
  test('has its objects in an order in which each finds what it needs', () => {
    expect(installed().map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Namespace reconstruct-system',
      'CustomResourceDefinition algorithms.ai.alien6.io',
      'ClusterRole algorithms.ai.alien6.io-view',
      'ClusterRole algorithms.ai.alien6.io-edit',
      'ServiceAccount reconstruct',
      'ClusterRole reconstruct',
      'Role reconstruct-leader-election',
      'ClusterRoleBinding reconstruct',
      'RoleBinding reconstruct-leader-election',
      'NetworkPolicy reconstruct',
      'Service reconstruct-metrics',
      'Deployment reconstruct',
      'PodDisruptionBudget reconstruct',
    ]);
  });

  describe('with a certificate for its metrics', () => {
    const props = { metricsTlsSecret: 'metrics-cert' };

    test('R32 serves them with TLS and only to authorized clients', () => {
      expect(container(props).args).toEqual(
        expect.arrayContaining(['--metrics-auth', '--metrics-cert-path=/etc/reconstruct/metrics-tls']),
      );
      expect(configFrom(container(props).args, {})).toMatchObject({ metricsAuth: true });
      expect(container(props).volumeMounts).toEqual([
        { name: 'metrics-tls', mountPath: '/etc/reconstruct/metrics-tls', readOnly: true },
      ]);
      expect(podSpec(props).volumes).toEqual([{ name: 'metrics-tls', secret: { secretName: 'metrics-cert' } }]);
      expect(only(installed(props), 'Deployment')['spec'].template.metadata.annotations).toBeUndefined();
    });

    test('R32 may ask whose a token is, and has a role for who collects them', () => {
      const rules = Object.fromEntries(
        installed(props)
          .filter(({ kind }) => kind === 'ClusterRole')
          .map(({ metadata, ...role }) => [metadata.name, (role as Rendered)['rules']]),
      );
      expect(rules['reconstruct-metrics-auth']).toEqual([
        { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
        { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
      ]);
      expect(rules['reconstruct-metrics-reader']).toEqual([{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]);
    });

    test('R33 has these rights in no other installation', () => {
      expect(JSON.stringify(installed())).not.toMatch(/reviews|nonResource/);
    });
  });

  test('has a namespace on what is in one, and on nothing else, whatever its chart says', () => {
    const clusterScoped = ['Namespace', 'CustomResourceDefinition', 'ClusterRole', 'ClusterRoleBinding'];
    for (const { kind, metadata } of installed({}, 'chosen')) {
      expect([kind, metadata.namespace]).toEqual([kind, clusterScoped.includes(kind) ? undefined : 'chosen']);
    }
  });

  test('is in the namespace of its properties before that of its chart', () => {
    expect(named(installed({ namespace: 'own' }, 'chosen'), 'Namespace')).toEqual(['own']);
    expect(named(installed({ namespace: 'own' }, 'chosen'), 'Deployment')).toEqual(['own/reconstruct']);
  });

  test('leaves out the namespace and the API that others look after', () => {
    expect(named(installed({ createNamespace: false }), 'Namespace')).toEqual([]);
    const objects = installed({ installApi: false });
    expect(named(objects, 'CustomResourceDefinition')).toEqual([]);
    expect(named(objects, 'ClusterRole')).toEqual(['reconstruct']);
  });

  test('includes the CRDs of its controllers and the given CRDs', () => {
    const crds = [definitionOfOthers];
    const definitions = (props: Partial<OperatorInstallProps>) => named(installed(props), 'CustomResourceDefinition');
    expect(definitions({ controllers: [others], crds })).toEqual(['others.example.com']);
    expect(definitions({ crds })).toEqual(['algorithms.ai.alien6.io', 'others.example.com']);
  });

  test('labels its CRDs with its name, and keeps their labels', () => {
    const crds = [{ ...definitionOfOthers, metadata: { ...definitionOfOthers.metadata, labels: { team: 'a' } } }];
    const objects = installed({ controllers: [others], crds, name: 'shop' });
    expect(only(objects, 'CustomResourceDefinition').metadata.labels).toEqual({
      ...{ team: 'a', 'reconstruct.dev/operator': 'shop' },
    });
  });

  test('needs the definition of a kind that is not of this package, unless it comes from elsewhere', () => {
    expect(() => installed({ controllers: [others] })).toThrow(
      'controller other needs the CRD others.example.com, which this installation does not have; add it to crds, or set ' +
        'installApi to false if another installation provides the CRDs',
    );
    expect(named(installed({ controllers: [others], installApi: false }), 'Deployment')).toHaveLength(1);
    const optional = { ...others, kind: { ...others.kind, optional: true } };
    expect(named(installed({ controllers: [algorithms, optional] }), 'Deployment')).toHaveLength(1);
  });

  test('has the rights of its controllers, in the whole cluster', () => {
    const objects = installed({ controllers: [others, algorithms], crds: [definitionOfOthers] });
    const role = objects.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'reconstruct');
    expect(role?.['rules']).toEqual([...rules, ...others.rbacRules]);
    expect(only(objects, 'ClusterRoleBinding')).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: 'reconstruct' },
      subjects: [{ kind: 'ServiceAccount', name: 'reconstruct', namespace: 'reconstruct-system' }],
    });
  });

  test('has them in the namespaces that it watches alone, when it is told which', () => {
    const objects = installed({ watchNamespaces: ['b', 'a', 'b'] });
    expect(named(objects, 'ClusterRoleBinding')).toEqual([]);
    expect(named(objects, 'ClusterRole').filter((name) => name.startsWith('reconstruct'))).toEqual([]);
    const granted = ['a/reconstruct', 'b/reconstruct', 'reconstruct-system/reconstruct-leader-election'];
    expect(named(objects, 'Role')).toEqual(granted);
    expect(named(objects, 'RoleBinding')).toEqual(granted);
    expect(objects.find(({ kind, metadata }) => kind === 'Role' && metadata.namespace === 'a')?.['rules']).toEqual(
      rules,
    );
    expect(only(objects, 'Deployment')['spec'].template.spec.containers[0].args).toContain('--namespaces=a,b');
  });

  test('has no right there to what is in no namespace, which its controllers do without', () => {
    const nodes = { apiGroups: [''], resources: ['nodes'], verbs: ['list', 'watch', 'get'] };
    const reads = { nodes: { kind: optional(Node) } };
    const controllers = [{ ...algorithms, reads, rbacRules: [...algorithms.rbacRules, nodes] }];
    const rightsIn = (kind: string, props: Partial<OperatorInstallProps>) =>
      JSON.stringify(installed({ ...props, controllers }).filter((object) => object.kind === kind));
    expect(rightsIn('ClusterRole', {})).toContain('"nodes"');
    expect(rightsIn('Role', { watchNamespaces: ['a'] })).not.toContain('"nodes"');
  });

  test('may use its own Lease and no other', () => {
    const lease = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
    expect(only(installed({ name: 'mine' }), 'Role')['rules']).toEqual([
      { ...lease, verbs: ['create'] },
      { ...lease, resourceNames: ['mine'], verbs: ['get', 'patch'] },
    ]);
  });

  test('starts the operator with the arguments that belong to its objects', () => {
    expect(container({ name: 'mine', logLevel: 'debug', args: ['--resync-period=1m'] }).args).toEqual([
      '--leader-elect',
      '--lease-name=mine',
      `--controllers=${algorithms.name}`,
      '--metrics-port=8080',
      '--health-port=8081',
      '--log-level=debug',
      '--resync-period=1m',
    ]);
  });

  test.each([
    { controllers: [algorithms], port: undefined },
    { controllers: [algorithms, { ...algorithms, name: 'certificate-challenges' }], port: 8082 },
  ])('opens port $port for HTTP-01 challenges, with the address of the Pod', ({ controllers, port }) => {
    const { args, env, ports } = container({ controllers });
    const [rule] = only(installed({ controllers }), 'NetworkPolicy')['spec'].ingress;
    const find = (list: readonly { readonly name?: string; readonly port?: number }[]) =>
      list.find(({ name, port: open }) => name === 'acme' || open === 8082);
    expect(configFrom(args, {}).acmePort).toBe(port ?? 0);
    expect(find(ports)).toEqual(port && { name: 'acme', containerPort: port, protocol: 'TCP' });
    expect(find(rule.ports)).toEqual(port && { port, protocol: 'TCP' });
    const variable = { name: 'RECONSTRUCT_POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } };
    expect(env).toEqual(port && [variable]);
  });

  const resources = { limits: { memory: '1Gi' } };
  const toleration = { operator: 'Exists' };
  test.each<[string, unknown, Partial<OperatorInstallProps>]>([
    ['image', 'mine:1', { image: 'mine:1' }],
    ['imagePullPolicy', 'Always', { imagePullPolicy: 'Always' }],
    ['imagePullPolicy', undefined, {}],
    ['resources', resources, { resources }],
  ])('has a container with %s = %j, from %j', (field, value, props) => expect(container(props)[field]).toEqual(value));

  test.each<[string, unknown, Partial<OperatorInstallProps>]>([
    ['nodeSelector', { disk: 'ssd' }, { nodeSelector: { disk: 'ssd' } }],
    ['nodeSelector', undefined, {}],
    ['tolerations', [toleration], { tolerations: [toleration] }],
    ['priorityClassName', 'high', { priorityClassName: 'high' }],
    ['imagePullSecrets', [{ name: 'registry' }], { imagePullSecrets: ['registry'] }],
    ['serviceAccountName', 'mine', { name: 'mine' }],
  ])('has pods with %s = %j, from %j', (field, value, props) => expect(podSpec(props)[field]).toEqual(value));

  test('has the variables that it is given, and no empty values, which are not stored', () => {
    expect(container({ env: { LEVEL: '1', EMPTY: '' } }).env).toEqual([
      { name: 'LEVEL', value: '1' },
      { name: 'EMPTY' },
    ]);
    expect(container({}).env).toBeUndefined();
  });

  test.each<[string, Partial<OperatorInstallProps>, Partial<Config>]>([
    ['as it is', {}, { leaseName: 'reconstruct', leaderElect: true, namespaces: [], logLevel: 'info' }],
    [
      'with all that its arguments tell',
      { name: 'mine', watchNamespaces: ['b', 'a'], logLevel: 'debug' },
      { leaseName: 'mine', namespaces: ['a', 'b'], logLevel: 'debug' },
    ],
  ])('is understood by the operator of this package %s', (_, props, config) => {
    const ports = container(props).ports.map(({ containerPort }: { containerPort: number }) => containerPort);
    const understood = configFrom(container(props).args, {});
    expect(understood).toMatchObject(config);
    expect([understood.metricsPort, understood.healthPort]).toEqual(ports);
  });

  test('runs two replicas, or the given number', () => {
    expect(only(installed(), 'Deployment')['spec'].replicas).toBe(2);
    expect(only(installed({ replicas: 0 }), 'Deployment')['spec'].replicas).toBe(0);
  });

  test.each<[string, Partial<OperatorInstallProps>]>([
    ['name must be a lower-case label of at most 40 characters, got "Mine"', { name: 'Mine' }],
    [`name must be a lower-case label of at most 40 characters, got "${'n'.repeat(41)}"`, { name: 'n'.repeat(41) }],
    ['a namespace must be a lower-case label of at most 63 characters, got "a.b"', { namespace: 'a.b' }],
    ['a namespace must be a lower-case label of at most 63 characters, got "B"', { watchNamespaces: ['a', 'B'] }],
    ['controllers must not be empty; list the controllers that the image runs', { controllers: [] }],
    [
      'watchNamespaces must not be empty; list the namespaces, or remove watchNamespaces to watch all namespaces',
      { watchNamespaces: [] },
    ],
    [
      'controller roles creates ClusterRole outside the namespaces of its resources; remove watchNamespaces',
      { watchNamespaces: ['a'], controllers: [{ ...algorithms, name: 'roles', owns: [ClusterRole] }] },
    ],
    [
      'controller zones reads the cluster-scoped Node; remove watchNamespaces, or declare the read as optional',
      { watchNamespaces: ['a'], controllers: [{ ...algorithms, name: 'zones', reads: { nodes: { kind: Node } } }] },
    ],
    [
      'CRD things.example.com: version v2 must have the same schema as the stored version v1',
      { crds: [twoVersions({ a: { type: 'string' } }, { b: { type: 'string' } })] },
    ],
    ['replicas must be a whole number of 0 or more, got 1.5', { replicas: 1.5 }],
    ['replicas must be a whole number of 0 or more, got -1', { replicas: -1 }],
  ])('is refused: %s', (message, props) => expect(() => installed(props)).toThrow(message));
});

test.each([
  {
    when: 'only descriptions differ',
    crd: twoVersions({ a: { type: 'string', description: 'x' } }, { a: { type: 'string' } }),
  },
  {
    when: 'a webhook converts',
    crd: twoVersions({ a: { type: 'string' } }, { b: { type: 'string' } }, { strategy: 'Webhook' }),
  },
])('two served versions are installed if $when', ({ crd }) => {
  expect(() => installed({ crds: [crd] })).not.toThrow();
});

/** A CRD with two served versions. */
function twoVersions(v1: object, v2: object, conversion?: object): CustomResourceDefinition {
  const version = (name: string, properties: object) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties } },
  });
  const names = { kind: 'Thing', plural: 'things' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      names,
      scope: 'Namespaced',
      versions: [version('v1', v1), version('v2', v2)],
      conversion,
    },
  } as unknown as CustomResourceDefinition;
}

describe('the API of some kinds', () => {
  test('is their definitions, and a role for viewing and one for editing each', () => {
    const chart = new Chart(new App(), 'chart', { namespace: 'ignored' });
    new ApiInstall(chart, 'api', { crds: [definition] });
    const [made, view, edit]: Rendered[] = chart.toJson();
    const labels = { 'reconstruct.dev/operator': 'reconstruct' };
    expect(made).toEqual({ ...definition, metadata: { ...definition.metadata, labels } });
    expect(view?.metadata.labels).toEqual({ 'rbac.authorization.k8s.io/aggregate-to-view': 'true' });
    expect(edit?.metadata.labels).toEqual({ 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' });
  });
});

test('a slow operator is not restarted: a start may take ten minutes, and only minutes without an answer end it', () => {
  const { template } = only(installed(), 'Deployment')['spec'];
  const [{ startupProbe, livenessProbe }] = template.spec.containers;
  const lasts = ({ periodSeconds, failureThreshold }: Record<'periodSeconds' | 'failureThreshold', number>) =>
    periodSeconds * failureThreshold;
  expect(lasts(startupProbe)).toBe(600);
  expect(lasts(livenessProbe)).toBe(180);
  for (const probe of [startupProbe, livenessProbe]) {
    expect(probe).toMatchObject({ httpGet: { path: '/healthz' }, timeoutSeconds: 15 });
  }
});
