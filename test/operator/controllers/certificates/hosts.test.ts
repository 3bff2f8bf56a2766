import { afterEach, describe, expect, it } from 'vitest';
import { gatewayKind } from '../../../../imports/index.js';
import { certificateControllers } from '../../../../operator/controllers/certificates/index.js';
import { Ingress } from '../../../../operator/runtime/index.js';
import { CertificateWorld, certificateKind, givenIssuer, issuerKind } from './given-certificates.js';

let world: CertificateWorld;
afterEach(() => world.close());

const issuer = [issuerKind, givenIssuer({ commonName: 'internal CA' })] as const;
const annotations = { 'reconstruct.dev/issuer': 'internal' };
const ingress = (tls: readonly object[], metadata: object = { annotations }) =>
  ({
    ...{
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'web', namespace: 'shop', ...metadata },
    },
    spec: { tls },
  }) as never;
const gateway = (listeners: readonly object[]) =>
  ({
    ...{ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway' },
    metadata: { name: 'web', namespace: 'shop', annotations },
    spec: { gatewayClassName: 'other', listeners },
  }) as never;
const certificates = async () => {
  const { items } = await world.operator.memory.list(certificateKind, {});
  return items.map((one) => {
    const { spec } = one as unknown as Awaited<ReturnType<CertificateWorld['certificate']>>;
    return `${one.metadata.name}: ${spec.issuer.kind} ${spec.issuer.name}, ${spec.dnsNames?.join(' ')}`;
  });
};

describe('line 13: an Ingress with an annotation', () => {
  it('gets a Certificate for each of its Secrets, and loses it with the annotation', async () => {
    const tls = [
      { hosts: ['b.example.com', 'a.example.com'], secretName: 'web' },
      { hosts: ['c.example.com'], secretName: 'other' },
      { hosts: ['a.example.com'], secretName: 'web' },
      { hosts: ['d.example.com'] },
      { secretName: 'nobody' },
    ];
    world = await CertificateWorld.start(issuer, [Ingress, ingress(tls)]);
    expect(await certificates()).toEqual([
      'other: Issuer internal, c.example.com',
      'web: Issuer internal, a.example.com b.example.com',
    ]);
    await world.operator.given(Ingress, ingress(tls, { annotations: { 'reconstruct.dev/cluster-issuer': 'company' } }));
    await world.rest();
    expect(await certificates()).toContain('other: ClusterIssuer company, c.example.com');
    await world.operator.given(Ingress, ingress(tls, {}));
    await world.rest();
    expect(await certificates()).toEqual([]);
  });
});

describe('line 13: a Gateway with an annotation', () => {
  const tls = { certificateRefs: [{ name: 'web' }] };
  it.each<{ what: string; listener: object; expected: readonly string[] }>([
    { what: 'TLS', listener: { hostname: 'a.example.com', tls }, expected: ['web: Issuer internal, a.example.com'] },
    {
      what: 'passthrough',
      listener: { hostname: 'a.example.com', tls: { ...tls, mode: 'Passthrough' } },
      expected: [],
    },
    { what: 'no host name', listener: { tls }, expected: [] },
    { what: 'no TLS', listener: { hostname: 'a.example.com' }, expected: [] },
    {
      what: 'a Secret elsewhere',
      listener: { hostname: 'a.example.com', tls: { certificateRefs: [{ name: 'web', namespace: 'foe' }] } },
      expected: [],
    },
  ])('gets Certificates for a listener with $what: $expected', async ({ listener, expected }) => {
    world = await CertificateWorld.start(issuer, [gatewayKind, gateway([{ name: 'https', port: 443, ...listener }])]);
    expect(await certificates()).toEqual(expected);
  });
});

it('the rights on hosts are only those to read', () => {
  const hosts = certificateControllers.filter(({ reportsTo }) => reportsTo === 'events');
  const verbs = hosts.flatMap(({ rbacRules }) =>
    rbacRules
      .filter(({ resources }) => resources.some((one) => ['ingresses', 'gateways'].includes(one)))
      .flatMap((rule) => rule.verbs),
  );
  expect([...new Set(verbs)].toSorted()).toEqual(['list', 'watch']);
});
