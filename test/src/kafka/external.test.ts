import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import {
  type AddressedService,
  externalAddress,
  externalListeners,
  KafkaExternalAccess,
  KafkaNodePod,
  kafkaImage,
} from '../../../src/index.js';
import { linesOf, podOf, type Rendered, sharedObjects, specOf } from './given-cluster.js';

const internal = { name: 'internal', port: 9092 };
const cloud = { name: 'cloud', port: 9094, external: { type: 'LoadBalancer' } };
const named = { name: 'cloud', port: 9094, external: { type: 'LoadBalancer', host: 'kafka.example.com' } };
const machines = { name: 'machines', port: 9095, external: { type: 'NodePort', host: 'machines.example.com' } };
const gateway = { name: 'edge', namespace: 'gateways', sectionName: 'tls', port: 8443 };
const routed = { name: 'routed', port: 9096, external: { type: 'TlsRoute', host: 'kafka.example.com', gateway } };
const publicIssuer = { issuer: { name: 'public', kind: 'ClusterIssuer' } };

function accessOf(listener: object, hasRoutes = true): readonly Rendered[] {
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  const spec = specOf({ listeners: [internal, listener] });
  new KafkaExternalAccess(chart, 'external', { name: 'events', spec, brokers: [0, 7], hasRoutes });
  return chart.toJson();
}

describe('a listener for other networks has a Service for each broker, and one with which clients begin', () => {
  test.each([
    ['LoadBalancer', 9094, cloud],
    ['NodePort', 9095, machines],
    ['ClusterIP', 9096, routed],
  ])('%s', (type, port, listener) => {
    const services = accessOf(listener).filter(({ kind }) => kind === 'Service');
    const { name } = listener;
    expect(services.map(({ metadata }) => metadata.name)).toEqual([
      `events-${name}-external`,
      `events-${name}-0`,
      `events-${name}-7`,
    ]);
    const brokers = { 'reconstruct.dev/kafka-cluster': 'events', 'reconstruct.dev/kafka-role': 'broker' };
    expect(services.map(({ spec }) => spec.selector)).toEqual([
      brokers,
      { ...brokers, 'reconstruct.dev/kafka-node': '0' },
      { ...brokers, 'reconstruct.dev/kafka-node': '7' },
    ]);
    for (const { spec } of services)
      expect(spec).toMatchObject({ type, ports: [{ name, port, targetPort: port, protocol: 'TCP' }] });
  });

  test('whose names external-dns makes known, if the load balancers have names', () => {
    const hosts = (listener: object) =>
      accessOf(listener).map(({ metadata }) => metadata.annotations?.['external-dns.alpha.kubernetes.io/hostname']);
    expect(hosts(named)).toEqual(['kafka.example.com', 'broker-0.kafka.example.com', 'broker-7.kafka.example.com']);
    expect(hosts(cloud)).toEqual([undefined, undefined, undefined]);
    expect(hosts(machines)).toEqual([undefined, undefined, undefined]);
  });

  test('but not a listener for the Kubernetes cluster alone', () => {
    expect(accessOf({ name: 'more', port: 9093 })).toEqual([]);
  });
});

describe('TLSRoutes', () => {
  test('lead from the name of each broker to its Service', () => {
    const routes = accessOf(routed).filter(({ kind }) => kind === 'TLSRoute');
    expect(
      routes.map(({ spec }) => [spec.hostnames, spec.rules[0].backendRefs[0].name, spec.rules[0].backendRefs[0].port]),
    ).toEqual([
      [['kafka.example.com'], 'events-routed-external', 9096],
      [['broker-0.kafka.example.com'], 'events-routed-0', 9096],
      [['broker-7.kafka.example.com'], 'events-routed-7', 9096],
    ]);
    for (const { apiVersion, spec } of routes) {
      expect(apiVersion).toBe('gateway.networking.k8s.io/v1');
      expect(spec.parentRefs).toEqual([
        {
          ...{ group: 'gateway.networking.k8s.io', kind: 'Gateway' },
          ...{ name: 'edge', namespace: 'gateways', sectionName: 'tls' },
        },
      ]);
    }
  });

  test.each([
    ['without the Gateway API', routed, false],
    ['of load balancers', named, true],
  ])('are not there %s', (_, listener, hasRoutes) => {
    expect(accessOf(listener, hasRoutes).filter(({ kind }) => kind === 'TLSRoute')).toEqual([]);
  });
});

const assigned = (ingress: object): AddressedService => ({ status: { loadBalancer: { ingress: [ingress] } } });
const onPort = (name: string): AddressedService => ({ spec: { ports: [{ name, nodePort: 31_000 }] } });

describe('the address of broker 7', () => {
  test.each<[address: string | undefined, when: string, listener: object, service: AddressedService | undefined]>([
    [undefined, 'the Service is not there', cloud, undefined],
    [undefined, 'the load balancer has none', cloud, { status: { loadBalancer: {} } }],
    ['192.0.2.7:9094', 'the load balancer has an address', cloud, assigned({ ip: '192.0.2.7' })],
    ['[2001:db8::7]:9094', 'it is one of IPv6', cloud, assigned({ ip: '2001:db8::7' })],
    ['lb.example.com:9094', 'the load balancer has a name', cloud, assigned({ hostname: 'lb.example.com' })],
    ['broker-7.kafka.example.com:9094', 'the spec has the name', named, undefined],
    [undefined, 'no node port is assigned', machines, { spec: { ports: [{ name: 'machines' }] } }],
    [undefined, 'another port has the node port', machines, onPort('other')],
    ['machines.example.com:31000', 'the node port is assigned', machines, onPort('machines')],
    ['broker-7.kafka.example.com:8443', 'a Gateway finds it', routed, undefined],
  ])('is %s when %s', (address, _, input, service) => {
    const [listener] = externalListeners(specOf({ listeners: [input] }));
    expect(listener && externalAddress(listener, 7, service)).toBe(address);
  });

  test('is with which all clients begin, without the name of a broker', () => {
    const [listener] = externalListeners(specOf({ listeners: [routed] }));
    expect(listener && externalAddress(listener, undefined, undefined)).toBe('kafka.example.com:8443');
  });
});

describe('the certificate of a listener for other networks', () => {
  const certificateOf = (listener: { readonly name: string }, addresses: readonly string[] = []) =>
    sharedObjects({ listeners: [internal, listener], assignedAddresses: { [listener.name]: addresses } }).find(
      ({ kind, metadata }) => kind === 'Certificate' && metadata.name === `events-listener-${listener.name}-tls`,
    )?.spec;

  test.each([
    [['kafka.example.com', '*.kafka.example.com'], routed],
    [['kafka.example.com', '*.kafka.example.com'], named],
    [['machines.example.com'], machines],
  ])('has the names %j', (names, listener) => {
    expect(certificateOf({ ...listener, ...{ tls: publicIssuer } }).dnsNames).toEqual(names);
  });

  test('has those of the Kubernetes cluster too, if the CA of the cluster signs it', () => {
    const { dnsNames, issuerRef, issuer } = certificateOf(routed);
    expect(issuer ?? issuerRef).toMatchObject({ name: 'events-ca', kind: 'Issuer' });
    expect(dnsNames).toContain('events-bootstrap.shop.svc');
    expect(dnsNames).toContain('*.kafka.example.com');
  });

  test('has the addresses of load balancers', () => {
    const found = certificateOf({ ...cloud, ...{ tls: publicIssuer } }, ['192.0.2.7', '2001:db8::7', 'lb.example.com']);
    expect(found).toMatchObject({ dnsNames: ['lb.example.com'], ipAddresses: ['192.0.2.7', '2001:db8::7'] });
  });

  test('does not exist while another issuer has no name to certify', () => {
    expect(certificateOf({ ...cloud, ...{ tls: publicIssuer } })).toBeUndefined();
  });

  test('is the one that the listener serves', () => {
    const line = 'listener.name.routed.ssl.keystore.location=/run/kafka/tls/routed/keystore.pem';
    expect(linesOf('broker', { listeners: [routed] })).toContain(line);
    const { sources } = podOf(0, { listeners: [routed] }).spec.volumes.find(
      ({ name }: Rendered) => name === 'properties',
    ).projected;
    expect(sources.map(({ secret }: Rendered) => secret?.name)).toContain('events-listener-routed-tls');
  });
});

describe('the Pod of a broker', () => {
  const advertisedOf = (advertised?: Readonly<Record<string, string>>): string => {
    const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
    const spec = specOf({ listeners: [internal, routed] });
    new KafkaNodePod(chart, 'pod', {
      ...{ name: 'events', spec, image: kafkaImage(spec), clusterId: 'cluster', controllers: [], advertised },
      node: { id: 0, group: 'broker', role: 'broker' },
    });
    const { env } = chart.toJson()[0].spec.containers[0];
    const { value } = env.find(({ name }: Rendered) => name === 'KAFKA_NODE_PROPERTIES');
    return value.split('\n').find((line: string) => line.startsWith('advertised.listeners='));
  };
  const within = 'events-broker-0.events-nodes.shop.svc';

  test('advertises its own address', () => {
    expect(advertisedOf({ routed: 'broker-0.kafka.example.com:8443' })).toBe(
      `advertised.listeners=REPLICATION://${within}:9091,INTERNAL://${within}:9092,ROUTED://broker-0.kafka.example.com:8443`,
    );
  });

  test('advertises no address that clients cannot reach', () => {
    expect(advertisedOf()).toBe(`advertised.listeners=REPLICATION://${within}:9091,INTERNAL://${within}:9092`);
  });

  test('can be selected by its ID, which does not change other clusters', () => {
    const label = 'reconstruct.dev/kafka-node';
    expect(podOf(7, { listeners: [internal, routed] }).metadata.labels[label]).toBe('7');
    expect(podOf(7).metadata.labels[label]).toBeUndefined();
    expect(podOf(1_000, { listeners: [internal, routed] }).metadata.labels[label]).toBeUndefined();
  });
});
