import { consumerOf } from '../consumer.js';
import { resource, type UpgradedKind } from '../upgraded-kind.js';

/** A certificate authority, a certificate of it that a Deployment mounts, and a bundle in the namespace. */
export const upgraded = {
  controllers: ['issuer', 'certificate', 'trustbundle'],
  objects: (namespace) => [
    resource('Issuer', { name: 'internal', namespace }, { ca: { commonName: 'internal CA' } }),
    resource(
      'Certificate',
      { name: 'shop', namespace },
      {
        ...{ secretName: 'shop-tls', issuer: { name: 'internal' }, dnsNames: ['shop.example.com'] },
        consumers: [{ deployment: 'web' }],
      },
    ),
    resource(
      'TrustBundle',
      { name: namespace },
      {
        sources: [{ issuer: { name: 'internal', namespace } }],
        namespaces: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        target: { configMap: 'internal-ca' },
      },
    ),
    consumerOf('shop-tls', namespace),
  ],
  resources: (namespace) => [
    ...[{ resource: 'rissuer/internal' }, { resource: 'rcert/shop' }],
    { resource: `rbundle/${namespace}`, isNamespaced: false },
  ],
} satisfies UpgradedKind;
