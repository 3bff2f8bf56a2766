import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certificate, clusterIssuer, issuer, type Kind, trustBundle } from '../../crds/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { ApiServer } from './given-api-server.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  for (const kind of [issuer, clusterIssuer, certificate, trustBundle]) await server.serve(kind);
});
afterAll(() => server.close());

const ca = { commonName: 'internal CA' };
const http = { http01: { gateway: { name: 'web' } } };
const rfc2136 = { server: '192.0.2.53', zone: 'example.com', tsigSecretRef: { name: 'tsig' } };
const webhook = { url: 'https://dns-webhook.example.com/acme', secretRef: { name: 'token' } };
const withDns = (dns01: object) => ({ acme: { ...acme, solvers: [{ dns01 }] } });
const acme = { server: 'https://acme.example.com/dir', solvers: [http] };
const shop = { secretName: 'shop-tls', issuer: { name: 'internal' }, dnsNames: ['shop.example.com'] };
const bundle = { sources: [{ publicCAs: true }], namespaces: {}, target: { configMap: 'cas' } };
const keystoresOf = (name: string) => ({ pkcs12: { passwordSecretRef: { name } } });
const storeIn = (pkcs12: object) => ({ ...bundle, target: { ...bundle.target, pkcs12 } });
const tried = (kind: Kind, spec: object) => server.tried(kind, { metadata: { name: 'shop' }, spec });

test('what the contract shows applies, with its defaults', async () => {
  const spec = {
    ...shop,
    ipAddresses: ['10.0.0.1', 'fd00::1'],
    uris: ['spiffe://example.com/shop'],
    emailAddresses: ['jane@example.com'],
    commonName: 'shop',
    usages: ['server auth', 'client auth'],
    duration: '90d',
    renewBefore: '30d',
    privateKey: { algorithm: 'ECDSA', size: 256, rotation: 'Always' },
  };
  expect((await tried(certificate, spec)).body.spec).toMatchObject(spec);
  expect((await tried(certificate, shop)).body.spec).toEqual({
    ...shop,
    issuer: { name: 'internal', kind: 'Issuer' },
    isCA: false,
    duration: '90d',
    usages: ['digital signature', 'key encipherment', 'server auth'],
    privateKey: { algorithm: 'ECDSA', rotation: 'Always' },
  });
  expect((await tried(certificate, { ...shop, keystores: keystoresOf('store') })).body.spec).toMatchObject({
    keystores: { pkcs12: { passwordSecretRef: { name: 'store', key: 'password' } } },
  });
  const formats = { additionalOutputFormats: [{ type: 'CombinedPEM' }, { type: 'DER' }] };
  expect((await tried(certificate, { ...shop, ...formats })).body.spec).toMatchObject(formats);
  expect((await tried(trustBundle, storeIn({}))).body.spec).toMatchObject({
    target: { key: 'ca.crt', pkcs12: { key: 'truststore.p12', password: 'changeit' } },
  });
  const issuing = { ca: { ...ca, duration: '1095d', renewBefore: '365d' } };
  expect((await tried(issuer, issuing)).body.spec).toMatchObject(issuing);
  expect((await tried(clusterIssuer, { ca, namespaces: {} })).status).toBe(201);
  const full = {
    ...{ ...acme, email: 'jane@example.com', profile: 'shortlived' },
    externalAccount: { keyId: 'kid', secretRef: { name: 'eab' } },
    solvers: [
      ...[http, { dns01: { webhook } }],
      { dns01: { rfc2136: { ...rfc2136, port: 53 } }, selector: { dnsZones: ['example.com'] } },
    ],
  };
  expect((await tried(issuer, { acme: full })).body.spec).toEqual({ acme: full });
  expect((await tried(clusterIssuer, { acme, namespaces: {} })).status).toBe(201);
  expect((await tried(trustBundle, bundle)).body.spec).toMatchObject({ target: { key: 'ca.crt' } });
});

test.each([
  ['ECDSA', [256, 384, 521]],
  ['RSA', [2048, 3072, 4096]],
])('line 12: a key of %s has one of the sizes %j', async (algorithm, sizes) => {
  for (const size of sizes)
    expect((await tried(certificate, { ...shop, privateKey: { algorithm, size } })).status, `${size}`).toBe(201);
});

describe('line 12: a spec that cannot work is refused', () => {
  const source = (one: object) => ({ ...bundle, sources: [one] });
  test.each<readonly [message: string, kind: Kind, spec: object]>([
    ['spec: Invalid value: must have a name; set dnsNames', certificate, { ...shop, dnsNames: undefined }],
    ['spec.dnsNames[0]: Invalid value: "a b": must be a DNS name', certificate, { ...shop, dnsNames: ['a b'] }],
    ['spec.dnsNames[0]: Invalid value: "a.*.b": must be a DNS name', certificate, { ...shop, dnsNames: ['a.*.b'] }],
    [
      'spec.ipAddresses[0]: Invalid value: "1.2.3.256": must be an IPv4',
      certificate,
      { ...shop, ipAddresses: ['1.2.3.256'] },
    ],
    [
      'spec.ipAddresses[0]: Invalid value: "1::2::3": must be an IPv4',
      certificate,
      { ...shop, ipAddresses: ['1::2::3'] },
    ],
    ['spec.uris[0]: Invalid value: "shop": must be an absolute URI', certificate, { ...shop, uris: ['shop'] }],
    [
      'spec.emailAddresses[0]: Invalid value: "jane": must be an email',
      certificate,
      { ...shop, emailAddresses: ['jane'] },
    ],
    ['spec.commonName: Invalid value: "a\\nb": must not have control', certificate, { ...shop, commonName: 'a\nb' }],
    ['spec.duration: Invalid value: "4m": must be from 5m to 3650d', certificate, { ...shop, duration: '4m' }],
    ['spec.duration: Invalid value: "3651d": must be from 5m to 3650d', certificate, { ...shop, duration: '3651d' }],
    [
      'spec.renewBefore: Invalid value: must be shorter than duration',
      certificate,
      { ...shop, duration: '24h', renewBefore: '1d' },
    ],
    ['must be shorter than duration', certificate, { ...shop, renewBefore: '2160h' }],
    [
      'spec.renewAt: Invalid value: must not be set together',
      certificate,
      { ...shop, renewBefore: '1h', renewAt: '50%' },
    ],
    ['spec.renewAt: Invalid value: "0%": must be a percentage', certificate, { ...shop, renewAt: '0%' }],
    [
      'spec.privateKey.size: Invalid value: must be 2048',
      certificate,
      { ...shop, privateKey: { algorithm: 'RSA', size: 1024 } },
    ],
    [
      'spec.privateKey.size: Invalid value: must be 2048',
      certificate,
      { ...shop, privateKey: { algorithm: 'Ed25519', size: 256 } },
    ],
    [
      'spec.additionalOutputFormats[0].type: Unsupported value: "JKS"',
      certificate,
      { ...shop, additionalOutputFormats: [{ type: 'JKS' }] },
    ],
    ['spec.keystores.pkcs12: Required value', certificate, { ...shop, keystores: {} }],
    [
      'spec.keystores.pkcs12.passwordSecretRef.name: Invalid value: must differ from secretName',
      certificate,
      { ...shop, keystores: keystoresOf('shop-tls') },
    ],
    [
      'spec.consumers[0]: Invalid value: must name exactly one consumer; set deployment, statefulSet, daemonSet or service',
      certificate,
      { ...shop, consumers: [{}] },
    ],
    [
      'must name exactly one consumer',
      certificate,
      { ...shop, consumers: [{ deployment: 'a', service: 'b', port: 443 }] },
    ],
    [
      'spec.consumers[0].port: Invalid value: must be set together with service',
      certificate,
      { ...shop, consumers: [{ service: 'a' }] },
    ],
    [
      'spec.consumers[0].reload: Invalid value: must not be set for a Service',
      certificate,
      { ...shop, consumers: [{ service: 'a', port: 443, reload: 'Restart' }] },
    ],
    ['spec.usages[0]: Unsupported value: "signing"', certificate, { ...shop, usages: ['signing'] }],
    ['spec: Invalid value: must have exactly one of ca', issuer, {}],
    ['spec: Invalid value: must have exactly one of ca', issuer, { ca, acme }],
    ['spec.crl: Invalid value: must not be set for an ACME server', issuer, { acme, crl: { configMap: 'crl' } }],
    [
      'spec.acme.server: Invalid value: "http://a": must be an https URL',
      issuer,
      { acme: { ...acme, server: 'http://a' } },
    ],
    ['must be an https URL without a user', issuer, { acme: { ...acme, server: 'https://user:pass@a/dir' } }],
    ['spec.acme.email: Invalid value: "admin": must be an email', issuer, { acme: { ...acme, email: 'admin' } }],
    ['spec.acme.caBundle: Invalid value: "CA": must be certificates', issuer, { acme: { ...acme, caBundle: 'CA' } }],
    ['spec.acme.solvers: Invalid value: 0', issuer, { acme: { ...acme, solvers: [] } }],
    ['must have exactly one of http01 and dns01', issuer, { acme: { ...acme, solvers: [{}] } }],
    ['must have exactly one of gateway and ingressClassName', issuer, { acme: { ...acme, solvers: [{ http01: {} }] } }],
    [
      'dnsZones[0]: Invalid value: "Example.com.": must be a DNS name in lower case',
      issuer,
      { acme: { ...acme, solvers: [{ ...http, selector: { dnsZones: ['Example.com.'] } }] } },
    ],
    [
      'rfc2136.server: Invalid value: "a:53/": must be a host name',
      issuer,
      { acme: { ...acme, solvers: [{ dns01: { rfc2136: { ...rfc2136, server: 'a:53/' } } }] } },
    ],
    ['dns01: Invalid value: must have exactly one of rfc2136 and webhook', issuer, withDns({})],
    ['must have exactly one of rfc2136 and webhook', issuer, withDns({ rfc2136, webhook })],
    ['webhook.url: Invalid value: "http://a": must be an https URL', issuer, withDns({ webhook: { url: 'http://a' } })],
    ['must be an https URL without a user', issuer, withDns({ webhook: { url: 'https://a:b@c' } })],
    [
      'webhook.caBundle: Invalid value: "CA": must be certificates',
      issuer,
      withDns({ webhook: { ...webhook, caBundle: 'CA' } }),
    ],
    ['spec.ca: Invalid value: must have exactly one of commonName', issuer, { ca: {} }],
    ['must have exactly one of commonName', issuer, { ca: { ...ca, secretName: 'own' } }],
    ['spec.ca.renewBefore: Invalid value: must be shorter', issuer, { ca: { ...ca, renewBefore: '1095d' } }],
    ['spec.ca.privateKey.size: Invalid value', issuer, { ca: { ...ca, privateKey: { algorithm: 'RSA', size: 1024 } } }],
    [
      'spec.crl.revoked[0]: Invalid value: "0X1": must be lower-case',
      issuer,
      { ca, crl: { configMap: 'crl', revoked: ['0X1'] } },
    ],
    ['spec.namespaces: Required value', clusterIssuer, { ca }],
    ['spec.sources[0]: Invalid value: must have exactly one', trustBundle, source({})],
    ['must have exactly one', trustBundle, source({ publicCAs: true, inline: 'x' })],
    ['spec.sources[0].issuer.namespace: Invalid value: must be set', trustBundle, source({ issuer: { name: 'a' } })],
    [
      'must be set for an Issuer',
      trustBundle,
      source({ issuer: { name: 'a', kind: 'ClusterIssuer', namespace: 'b' } }),
    ],
    ['spec.target.pkcs12.key: Invalid value: must differ from target.key', trustBundle, storeIn({ key: 'ca.crt' })],
    [
      'spec.target.pkcs12.password: Invalid value: "ü": must be printable ASCII characters',
      trustBundle,
      storeIn({ password: 'ü' }),
    ],
    ['spec.sources[0].publicCAs: Invalid value: false: must be true', trustBundle, source({ publicCAs: false })],
  ])('%s', async (message, kind, spec) => {
    const { status, body } = await tried(kind, spec);
    expect([status, body.message]).toEqual([422, expect.stringContaining(message)]);
  });
});
