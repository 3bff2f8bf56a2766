import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gatewayKind, httpRouteKind } from '../../../../imports/index.js';
import { gateway } from '../../../../operator/controllers/gateway/index.js';
import { Deployment, RoleBinding, Service } from '../../../../operator/runtime/index.js';
import { gatewayClassName, gatewayName } from '../../../../src/index.js';
import { GivenHouse } from '../../runtime/given/house.js';

let house: GivenHouse;
beforeEach(() => {
  house = new GivenHouse({ controller: gateway });
});
afterEach(() => house.close());

const given = (name: string, className = gatewayClassName) =>
  house.given(gatewayKind, {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name, namespace: 'team' },
    ...{ spec: { gatewayClassName: className, listeners: [] } },
  });

const made = [
  `create ServiceAccount team/${gatewayName}`,
  `create RoleBinding team/${gatewayName}`,
  `create Service team/${gatewayName}`,
  `create ConfigMap team/${gatewayName}`,
  `create Deployment team/${gatewayName}`,
  `create HTTPRoute team/${gatewayName}`,
  `create PodDisruptionBudget team/${gatewayName}`,
];

describe('the controller of Gateways', () => {
  test('runs the proxies of one, without a word in its status, which is the proxies’ to write', async () => {
    await given(gatewayName);
    expect((await house.pass(`team/${gatewayName}`)).toSorted()).toEqual(made.toSorted());
    expect(await house.pass(`team/${gatewayName}`)).toEqual([]);
    expect((await house.read(gatewayKind, gatewayName)).metadata.finalizers).toBeUndefined();
  });

  test('makes all of it the Gateway’s, so that it goes with that', async () => {
    const { metadata } = await given(gatewayName);
    await house.pass(`team/${gatewayName}`);
    for (const kind of [Deployment, RoleBinding, Service, httpRouteKind]) {
      const [owner] = (await house.read(kind, gatewayName)).metadata.ownerReferences ?? [];
      expect(owner).toMatchObject({ kind: 'Gateway', uid: metadata.uid, controller: true });
    }
  });

  test('is not there for Gateways of other classes', async () => {
    const { secondaryFor } = gateway;
    expect(secondaryFor?.((await given('own')) as never)).toBe(true);
    expect(secondaryFor?.((await given('others', 'istio')) as never)).toBe(false);
  });

  test('needs no right beyond its namespaces', () => {
    const resources = gateway.rbacRules.flatMap((rule) => rule.resources);
    expect(resources).not.toContain('clusterrolebindings');
    expect(resources).not.toContain('secrets');
  });
});
