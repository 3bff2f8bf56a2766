import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { GatewayInstall, OperatorInstall, type OperatorInstallProps } from '../../../src/index.js';
import type { Rendered } from '../given-rendered.js';

const algorithms = {
  name: 'algorithm',
  kind: { group: 'ai.alien6.io', version: 'v1', kind: 'Algorithm', plural: 'algorithms', namespaced: true },
  rbacRules: [],
};

function installed(props: Partial<OperatorInstallProps> = {}): Rendered[] {
  const chart = new Chart(new App(), 'chart');
  new OperatorInstall(chart, 'operator', { controllers: [algorithms], ...props });
  return chart.toJson();
}

const named = (objects: readonly Rendered[], kind: string) =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

describe('an installation with a gateway', () => {
  const gatewayKinds = (objects: readonly Rendered[]) =>
    objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).filter((name) => name.includes('gateway'));

  test('is a choice: nothing of it is there by default', () => {
    expect(gatewayKinds(installed())).toEqual([]);
  });

  test('brings the definitions that its proxies watch, where the cluster has none', () => {
    const objects = installed({ installGatewayApi: true });
    expect(gatewayKinds(objects)).toEqual(
      ['gatewayclasses', 'gateways', 'httproutes', 'grpcroutes', 'referencegrants', 'backendtlspolicies'].map(
        (plural) => `CustomResourceDefinition ${plural}.gateway.networking.k8s.io`,
      ),
    );
  });

  test('brings the class of its proxies and their roles, and may bind the one of a namespace and no other', () => {
    const objects = installed({ gatewayProxies: true });
    expect(named(objects, 'GatewayClass')).toEqual(['reconstruct']);
    const roles = ['reconstruct-gateway-proxy', 'reconstruct-gateway-class'];
    expect(named(objects, 'ClusterRole')).toEqual(expect.arrayContaining(roles));
    const bind = objects.find(
      ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'reconstruct-gateway',
    );
    expect(bind?.['rules']).toEqual([
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['clusterroles'],
        resourceNames: ['reconstruct-gateway-proxy'],
        verbs: ['bind'],
      },
    ]);
  });

  test.each([
    ['every ServiceAccount', undefined, [{ kind: 'Group', name: 'system:serviceaccounts' }]],
    ['those of some namespaces', ['a'], [{ kind: 'ServiceAccount', name: 'reconstruct-gateway', namespace: 'a' }]],
  ])('lets %s look at what proxies must see of the cluster, and change nothing', (_, proxyNamespaces, subjects) => {
    const chart = new Chart(new App(), 'chart');
    new GatewayInstall(chart, 'gateway', { ...(proxyNamespaces && { proxyNamespaces }) });
    const objects: Rendered[] = chart.toJson();
    const of = (kind: string) =>
      objects.find((one) => one.kind === kind && one.metadata.name === 'reconstruct-gateway-class');
    expect(of('ClusterRoleBinding')).toMatchObject({ subjects });
    const verbs = of('ClusterRole')?.['rules'].flatMap((rule: { verbs: string[] }) => rule.verbs);
    expect(new Set(verbs)).toEqual(new Set(['list', 'watch']));
  });

  test('is for the whole cluster', () => {
    expect(() => installed({ gatewayProxies: true, watchNamespaces: ['a'] })).toThrow(
      'gatewayProxies must not be set with watchNamespaces, because the proxies need ClusterRoles; remove one of them',
    );
  });
});
