import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../crds/index.js';
import { certificateKind, type KafkaClusterResource } from '../../../../imports/index.js';
import { assess } from '../../../../operator/controllers/kafka/cluster/assess.js';
import { desire } from '../../../../operator/controllers/kafka/cluster/desire.js';
import { bootstrapServers, listenerFor } from '../../../../operator/kafka/listeners.js';
import { Service } from '../../../../operator/runtime/index.js';
import { planned, six, told } from './given-kafka.js';

const external = { type: 'LoadBalancer' };
const listeners = [
  { name: 'internal', port: 9092 },
  { name: 'cloud', port: 9094, external },
];
const resource = (input: object = {}): KafkaClusterResource =>
  ({
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'KafkaCluster' },
    metadata: { name: 'events', namespace: 'shop', uid: 'uid', resourceVersion: '1' },
    spec: withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } }, listeners, ...input } as never),
  }) as unknown as KafkaClusterResource;

const service = (name: string, ip?: string) => ({
  metadata: { name },
  status: { loadBalancer: { ...(ip !== undefined && { ingress: [{ ip }] }) } },
});

/** What the controller sees before any Pod exists. */
function viewOf(services: readonly object[], input: object = {}, served = true, certificates: readonly object[] = []) {
  const calls = { of: () => ({ state: 'none' }) };
  return {
    ...{ resource: resource(input), now: new Date('2026-11-27T12:00:00Z'), polled: {}, calls, accepted: true },
    isServed: () => served,
    owned: { of: (kind: unknown) => (kind === Service ? services : kind === certificateKind ? certificates : []) },
    reads: {
      nodes: [],
      claims: [],
      nodeCertificate: 'hash',
      listenerCertificates: ['hash'],
      operatorCertificate: 'hash',
    },
  } as never;
}

function rendered(view: never) {
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  desire(chart, view);
  return chart.toJson();
}

describe('a broker with a listener for other networks', () => {
  const podsOf = (services: readonly object[]) => rendered(viewOf(services)).filter(({ kind }) => kind === 'Pod');

  test('waits for its Service, and controllers do not', () => {
    const names = podsOf([]).map(({ metadata }) => metadata.name);
    expect(names).toEqual(['events-controller-1000', 'events-controller-1001', 'events-controller-1002']);
  });

  test('waits for the address of its own load balancer', () => {
    const names = podsOf([service('events-cloud-0'), service('events-cloud-1', '192.0.2.1')]).map(
      ({ metadata }) => metadata.name,
    );
    expect(names).toContain('events-broker-1');
    expect(names).not.toContain('events-broker-0');
  });

  test('starts with that address', () => {
    const [pod] = podsOf([service('events-cloud-1', '192.0.2.1')]).filter(
      ({ metadata }) => metadata.name === 'events-broker-1',
    );
    expect(JSON.stringify(pod.spec)).toContain('CLOUD://192.0.2.1:9094');
    expect(pod.metadata.annotations['reconstruct.dev/advertised']).toBe('cloud=192.0.2.1:9094');
  });

  test('has a certificate with it', () => {
    const [own] = rendered(
      viewOf([service('events-cloud-1', '192.0.2.1'), service('events-cloud-external', '192.0.2.9')]),
    ).filter(({ kind, metadata }) => kind === 'Certificate' && metadata.name === 'events-listener-cloud-tls');
    expect(own.spec.ipAddresses).toEqual(['192.0.2.1', '192.0.2.9']);
  });

  test.each([
    { issuer: undefined, when: 'the issuer of the cluster signs it' },
    { issuer: { kind: 'Issuer', name: 'other' }, when: 'another issuer signs it' },
  ])('keeps its certificate while no load balancer has an address, and $when', ({ issuer }) => {
    const tls = { enabled: true, ...(issuer && { issuer }) };
    const input = { listeners: [listeners[0], { ...listeners[1], tls }] };
    const certificatesIn = (services: readonly object[], live: readonly object[] = []) =>
      rendered(viewOf(services, input, true, live)).filter(
        ({ kind, metadata }) => kind === 'Certificate' && metadata.name === 'events-listener-cloud-tls',
      );
    const before = certificatesIn([service('events-cloud-1', '192.0.2.1')]);
    expect(before[0]?.spec.ipAddresses).toEqual(['192.0.2.1']);
    expect(certificatesIn([], before)).toEqual(before);
  });
});

describe('the status', () => {
  test('has the addresses of all listeners with which clients begin', () => {
    const { status } = assess(viewOf([service('events-cloud-external', '192.0.2.9')]));
    expect(status).toMatchObject({
      bootstrapServers: 'events-bootstrap.shop.svc:9092',
      listeners: [
        { name: 'internal', bootstrapServers: 'events-bootstrap.shop.svc:9092' },
        { name: 'cloud', bootstrapServers: '192.0.2.9:9094' },
      ],
    });
  });

  test('has no address that is not assigned', () => {
    expect(assess(viewOf([])).status?.listeners?.[1]).toEqual({ name: 'cloud' });
  });

  test('says that TLSRoutes are missing', () => {
    const routed = { type: 'TlsRoute', host: 'kafka.example.com', gateway: { name: 'edge' } };
    const input = { listeners: [{ name: 'routed', port: 9094, external: routed }] };
    const of = (served: boolean) => assess(viewOf([], input, served)).conditions.Provisioned;
    expect(of(false)).toMatchObject({
      reason: 'AddressPending',
      message: expect.stringContaining('install version 1.5'),
    });
    expect(of(true)).not.toMatchObject({ reason: 'AddressPending' });
  });
});

describe('a user', () => {
  const cluster = { name: 'events', namespace: 'shop' };
  const outside = { name: 'cloud', port: 9094, authentication: 'Scram', external: { type: 'LoadBalancer' } };
  const inside = { name: 'internal', port: 9092, authentication: 'Scram' };
  const other = { name: 'partners', port: 9093, authentication: 'MutualTls' };
  test.each([
    ['events-bootstrap.shop.svc:9092', 'prefers a listener of the Kubernetes cluster', [other, outside, inside], {}],
    ['192.0.2.9:9094', 'uses the one for other networks otherwise', [other, outside], { cloud: '192.0.2.9:9094' }],
    ['events-bootstrap.shop.svc:9094', 'begins inside while no address is assigned', [other, outside], {}],
  ])('connects to %s: %s', (address, _, listeners, addresses) => {
    const listener = listenerFor({ listeners } as never, 'Scram');
    expect(listener && bootstrapServers({ ...cluster, addresses }, listener)).toBe(address);
  });
});

describe('a rollout', () => {
  const all = (changes: object) => six({ 0: changes, 1: changes, 2: changes });
  test.each([
    { steps: [], when: 'brokers advertise what they should', is: all({ advertised: 'a=b', reachable: 'a=b' }) },
    {
      steps: ['replace events-broker-1'],
      when: 'one advertises an earlier address',
      is: six({ 1: { advertised: 'a=b', reachable: 'a=c' } }),
    },
    {
      steps: ['wait: no node is replaced: Service x has no address of a load balancer yet'],
      when: 'an address is not assigned: the broker serves on',
      is: six({ 1: { revision: 'r0', awaits: 'Service x has no address of a load balancer yet' } }),
    },
  ])('$steps when $when', ({ steps, is }) => {
    expect(told(planned(is))).toEqual(steps);
  });
});
