import type { Manifest } from '../../../operator/index.js';
import { type RenderedCase, resource, secret } from '../rendered-case.js';

const dns = { server: '10.0.0.53', zone: 'corp.example.com', name: 'billing', tsigSecretRef: { name: 'ddns' } };
const service: Manifest = {
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'billing', namespace: 'shop' } },
  ...{ spec: { ports: [{ name: 'http', port: 80 }] } },
};
const slice = (...addresses: readonly string[]): Manifest => ({
  ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
  metadata: { name: 'billing-1', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'billing' } },
  ...{ addressType: 'IPv4', ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] },
  ...{ endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })) },
});
const file = (format: string) => ({ file: { configMap: `billing-${format.toLowerCase()}`, format } });
const formats = ['Hosts', 'HAProxyMap', 'PrometheusFileSD', 'JSON', 'Env'].map(file);
const publication = (targets: readonly object[]) =>
  resource('ServicePublication', 'billing', { service: 'billing', targets });

/** ServicePublications with each type of target. */
export const cases = [
  {
    name: 'publication',
    objects: [
      secret('ddns', { name: 'ddns', secret: 'a2V5' }),
      ...[service, slice('10.1.0.1', '10.1.0.2')],
      publication([{ dns }, ...formats]),
    ],
    edits: {
      'another address': [slice('10.1.0.1', '10.1.0.3')],
      'another name': [publication([{ dns: { ...dns, name: 'invoices' } }, ...formats.slice(1)])],
    },
  },
] satisfies readonly RenderedCase[];
