import { App, Chart } from 'cdk8s';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gatewayKind } from '../../../../imports/index.js';
import { algorithm } from '../../../../operator/controllers/algorithm/index.js';
import { algorithmOptions } from '../../../../operator/controllers/algorithm/options.js';
import { gatewayServedBy } from '../../../../operator/controllers/gateway/index.js';
import { gatewayOptions, type ProxyOptions } from '../../../../operator/controllers/gateway/options.js';
import { controllers } from '../../../../operator/controllers/index.js';
import { type Controller, DaemonSet, Deployment } from '../../../../operator/runtime/index.js';
import { gatewayClassName, gatewayName } from '../../../../src/index.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse } from '../../runtime/given/house.js';

const place = { namespace: 'reconstruct-system' };

function withProxySettings(proxies: ProxyOptions, all: readonly Controller[], imageRegistry = '') {
  const options = { ...proxies, imageRegistry };
  return algorithmOptions.configured(gatewayOptions.configured(all, options, place), options, place);
}

let house: GivenHouse;
beforeEach(async () => {
  house = new GivenHouse({ controller: gatewayServedBy({ workload: 'Deployment' }) });
  await house.given(gatewayKind, {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: gatewayName, namespace: 'team' },
    ...{ spec: { gatewayClassName, listeners: [] } },
  });
});
afterEach(() => house.close());

const key = `team/${gatewayName}`;

/** The operator was begun anew with the other choice. */
const chosen = (workload: 'Deployment' | 'DaemonSet') => {
  house.place = { ...house.place, controller: gatewayServedBy({ workload }) };
};
/** The cluster's own controllers tell how far they are. */
const reports = async (kind: typeof Deployment | typeof DaemonSet, status: object) => {
  const { apiVersion, metadata } = await house.read(kind, gatewayName);
  const { name, namespace, generation } = metadata;
  const told = { metadata: { name, namespace }, status: { observedGeneration: generation, ...status } };
  const by = { manager: 'kube-controller-manager', subresource: 'status' } as const;
  await house.memory.apply(kind, { apiVersion, kind: kind.kind, ...told }, by);
  await settled();
};

test('the proxies of a new Gateway are at once what is wanted', async () => {
  chosen('DaemonSet');
  const made = await house.pass(key);
  expect(made).toContain(`create DaemonSet ${key}`);
  expect(made).not.toContain(`create Deployment ${key}`);
});

describe('when each node is to have a proxy', () => {
  beforeEach(() => house.pass(key));

  test('the two stay until all of them take requests', async () => {
    chosen('DaemonSet');
    expect(await house.pass(key)).toEqual([`create DaemonSet ${key}`]);
    await reports(DaemonSet, { desiredNumberScheduled: 3, numberAvailable: 2 });
    expect(await house.pass(key)).toEqual([]);
    await reports(DaemonSet, { desiredNumberScheduled: 3, numberAvailable: 3 });
    expect((await house.pass(key)).toSorted()).toEqual([
      `remove Deployment ${key}`,
      `remove PodDisruptionBudget ${key}`,
    ]);
    expect(await house.pass(key)).toEqual([]);
  });

  test('one that nobody has counted yet takes nothing over', async () => {
    chosen('DaemonSet');
    await house.pass(key);
    await reports(DaemonSet, { observedGeneration: 0, desiredNumberScheduled: 0, numberAvailable: 0 });
    expect(await house.pass(key)).toEqual([]);
    await reports(DaemonSet, { desiredNumberScheduled: 0, numberAvailable: 0 });
    expect(await house.pass(key)).toEqual([]);
  });

  test('they stay until the two are there again, when two are wanted', async () => {
    chosen('DaemonSet');
    await house.pass(key);
    await reports(DaemonSet, { desiredNumberScheduled: 3, numberAvailable: 3 });
    await house.pass(key);
    expect(await house.names(Deployment)).toEqual([]);
    chosen('Deployment');
    expect((await house.pass(key)).toSorted()).toEqual([
      `create Deployment ${key}`,
      `create PodDisruptionBudget ${key}`,
    ]);
    await reports(Deployment, { availableReplicas: 1 });
    expect(await house.pass(key)).toEqual([]);
    await reports(Deployment, { availableReplicas: 2 });
    expect(await house.pass(key)).toEqual([`remove DaemonSet ${key}`]);
  });
});

test('the choice is that of the gateway and of the Algorithms, and of nobody else', () => {
  const chosen = withProxySettings({ gatewayProxies: 'DaemonSet', proxyRequests: '', proxyLimits: '' }, controllers);
  expect(chosen.map(({ name }) => name)).toEqual(controllers.map(({ name }) => name));
  const changed = chosen.filter((controller, index) => controller !== controllers[index]);
  expect(changed.map(({ name }) => name)).toEqual([algorithm.name, 'gateway']);
  expect(chosen.map(({ rbacRules }) => rbacRules)).toEqual(controllers.map(({ rbacRules }) => rbacRules));
});

/** The container of the proxies under these options. */
function containerOf(options: ProxyOptions, imageRegistry?: string) {
  const [chosen] = withProxySettings(options, controllers, imageRegistry).filter(({ name }) => name === 'gateway');
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  const resource = { apiVersion: '', kind: 'Gateway', metadata: { name: 'reconstruct-gateway' }, spec: {} };
  const owned = { one: () => undefined };
  chosen?.desire(chart, { resource, owned } as unknown as Parameters<Controller['desire']>[1]);
  const deployment = chart.toJson().find(({ kind }) => kind === 'Deployment');
  return deployment.spec.template.spec.containers[0];
}

test('requests and limits of the options are on the proxies', () => {
  const options = { gatewayProxies: 'Deployment', proxyRequests: 'cpu=50m', proxyLimits: 'memory=64Mi' } as const;
  expect(containerOf(options).resources).toEqual({
    requests: { cpu: '50m', memory: '64Mi' },
    limits: { cpu: '2', memory: '64Mi' },
  });
});

test.each([
  { registry: '', image: 'traefik:v3.6.7' },
  { registry: 'registry.example.com/mirror', image: 'registry.example.com/mirror/traefik:v3.6.7' },
])('the image of the proxies is $image with the registry "$registry"', ({ registry, image }) => {
  const options = { gatewayProxies: 'Deployment', proxyRequests: '', proxyLimits: '' } as const;
  expect(containerOf(options, registry).image).toBe(image);
});

test('line 11: a request above its limit stops the operator with what to do', () => {
  const options = { gatewayProxies: 'Deployment', proxyRequests: 'cpu=3', proxyLimits: 'cpu=2' } as const;
  expect(() => withProxySettings(options, controllers)).toThrow(
    'proxy.requests.cpu: Invalid value: "3": must be at most limits.cpu, 2; lower requests.cpu or raise limits.cpu',
  );
});
