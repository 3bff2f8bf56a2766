import type { Manifest } from '../../../operator/index.js';
import { type RenderedCase, resource, secret } from '../rendered-case.js';

const names = { dnsNames: ['shop.example.com'] };
const shop = (spec: object) =>
  resource('Certificate', 'shop', { secretName: 'shop-tls', issuer: { name: 'internal' }, ...names, ...spec });
const password = { pkcs12: { passwordSecretRef: { name: 'store-password' } } };
const tsig = { server: '192.0.2.53', zone: 'example.com', tsigSecretRef: { name: 'tsig' } };
const acme = (name: string, solver: object) =>
  resource('Issuer', name, { acme: { server: 'https://acme.example.com/dir', solvers: [solver] } });
const namespace = {
  ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'shop' } } },
} as Manifest;

/** Issuers, Certificates and TrustBundles. */
export const cases = [
  {
    name: 'certificate',
    objects: [
      secret('store-password', { password: 'changeit' }),
      resource('Issuer', 'internal', { ca: { commonName: 'internal CA' } }),
      shop({ consumers: [{ deployment: 'shop' }, { daemonSet: 'agent' }, { service: 'shop', port: 443 }] }),
    ],
    edits: {
      'another name': [shop({ dnsNames: ['other.example.com'] })],
      'other formats': [shop({ keystores: password, additionalOutputFormats: [{ type: 'CombinedPEM' }] })],
      'another Secret': [shop({ secretName: 'other-tls' })],
    },
  },
  {
    name: 'certificate-cluster-issuer',
    objects: [
      namespace,
      resource('ClusterIssuer', 'company', { ca: { commonName: 'company CA' } }),
      shop({ issuer: { kind: 'ClusterIssuer', name: 'company' } }),
      resource('TrustBundle', 'company', {
        sources: [{ issuer: { kind: 'ClusterIssuer', name: 'company' } }],
        namespaces: {},
        target: { configMap: 'company-ca', key: 'ca.crt' },
      }),
    ],
  },
  {
    name: 'certificate-acme',
    objects: [
      secret('tsig', { name: 'key', secret: 'secret' }),
      acme('internal', { http01: { ingressClassName: 'nginx' } }),
      acme('public', { dns01: { rfc2136: tsig } }),
      shop({}),
      resource('Certificate', 'wild', {
        ...{ secretName: 'wild-tls', issuer: { name: 'public' }, dnsNames: ['*.example.com'] },
      }),
    ],
  },
] satisfies readonly RenderedCase[];
