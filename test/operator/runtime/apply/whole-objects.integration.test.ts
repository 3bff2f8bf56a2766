import { ApiObject } from 'cdk8s';
import { expect, test } from 'vitest';
import { Deployment, type ObjectKind, Service } from '../../../../operator/runtime/kubernetes/kinds.js';
import { givenRealHouse, somebody } from '../given/real-house.js';
import { conditionOf, type Widget } from '../given/widgets.js';

const NetworkPolicy: ObjectKind = {
  ...{ group: 'networking.k8s.io', version: 'v1', kind: 'NetworkPolicy', plural: 'networkpolicies', namespaced: true },
};

const labels = { app: 'whole' };
const ingress = [{ from: [{ podSelector: { matchLabels: { role: 'front' } } }], ports: [{ port: 80 }] }];

/** The kinds that were written, in order. */
const written: string[] = [];

const house = givenRealHouse({
  telemetry: { wrote: ({ kind }) => written.push(kind) },
  controller: () => ({
    owns: [NetworkPolicy, Deployment, Service],
    conditions: {},
    assess: () => ({ conditions: {} }),
    desire: (scope, { resource }) => {
      const { metadata, spec } = resource as Widget;
      const { name } = metadata;
      new ApiObject(scope, 'policy', {
        ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name } },
        spec: { podSelector: { matchLabels: labels }, policyTypes: ['Ingress'], ingress },
      });
      new ApiObject(scope, 'service', {
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
        spec: { selector: labels, ports: [{ port: 80 }], ...(name === 'typo' && { prots: [] }) },
      });
      const ports = Object.keys(spec.maps ?? {}).map((port) => ({ name: port, containerPort: Number(port.slice(1)) }));
      const pod = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'main:1', ports }] } };
      new ApiObject(scope, 'servers', {
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } },
        spec: { replicas: 0, selector: { matchLabels: labels }, template: pod },
      });
    },
  }),
});

const ready = async (name: string) => conditionOf(await house().read(house().kind, name), 'Ready');
const stated = async (kind: ObjectKind, field: string, name = 'web') =>
  (await house().read(kind, name))?.['spec']?.[field];

test.each([
  { kind: NetworkPolicy, field: 'ingress', path: '/0/ports/-', value: { port: 22, protocol: 'TCP' } },
  { kind: NetworkPolicy, field: 'ingress', path: '/0/from/0/namespaceSelector', value: {} },
  { kind: NetworkPolicy, field: 'ingress', path: '/0/ports/0/endPort', value: 65_535 },
  { kind: NetworkPolicy, field: 'podSelector', path: '/matchLabels/only', value: 'these' },
  { kind: Service, field: 'selector', path: '/only', value: 'these' },
])(
  'R18 what somebody adds to what has one owner is taken back: $field at $path',
  async ({ kind, field, path, value }) => {
    await house().apply('web', { maps: { a80: {} } });
    await house().until(() => stated(Deployment, 'template'));
    const before = await stated(kind, field);
    const at = { namespace: house().namespace, name: 'web' };
    await house().cluster.patch(kind, at, [{ op: 'add', path: `/spec/${field}${path}`, value }], somebody);
    await expect.poll(() => stated(kind, field), { timeout: 120_000 }).toEqual(before);
  },
);

const ports = async (name: string) =>
  (await stated(Deployment, 'template', name))?.spec.containers[0].ports.map((port: { name: string }) => port.name);

test('R17 what the server states by itself in a list is no change of it', async () => {
  written.length = 0;
  await house().apply('calm', { maps: { a80: {} } });
  await expect.poll(() => ports('calm'), { timeout: 120_000 }).toEqual(['a80']);
  await house().apply('calm', { maps: { a80: {}, b81: {} } });
  await expect.poll(() => ports('calm'), { timeout: 120_000 }).toEqual(['a80', 'b81']);
  expect(written.filter((kind) => kind === NetworkPolicy.kind)).toHaveLength(1); // made
});

test('R18 of two items with the same keys none is taken for the other: the server says that it merges no such list', async () => {
  await house().apply('twins', { maps: { a80: {}, c80: {} } });
  await expect.poll(() => ports('twins'), { timeout: 120_000 }).toEqual(['a80', 'c80']);
  await house().apply('twins', { maps: { a80: {}, d80: {} } });
  const words = expect.stringContaining('duplicate entries for key [containerPort=80');
  await expect
    .poll(() => ready('twins'), { timeout: 120_000 })
    .toMatchObject({ status: 'False', reason: 'ApplyRejected', message: words });
  expect(await ports('twins')).toEqual(['a80', 'c80']);
});

test('R18 a field that the kind does not have is refused, and not dropped', async () => {
  await house().apply('typo', { maps: { a80: {} } });
  const words = expect.stringContaining('unknown field "spec.prots"');
  await expect.poll(() => ready('typo'), { timeout: 120_000 }).toMatchObject({ status: 'False', message: words });
  expect(await house().read(Service, 'typo')).toBeUndefined();
});
