import type { FoundResources } from '../../../cli/certificates/resources.js';
import { good } from '../status/given-conditions.js';

const metadata = (name: string, namespace?: string) => ({ name, generation: 3, ...(namespace && { namespace }) });

/** One resource of each kind, without problems. */
export const healthy = {
  clusterIssuers: [
    {
      ...{ metadata: metadata('company'), spec: { acme: { server: 'https://acme.example.com' } } },
      status: { observedGeneration: 3, conditions: good },
    },
  ],
  issuers: [
    {
      ...{ metadata: metadata('internal', 'shop'), spec: { ca: { commonName: 'internal CA' } } },
      status: {
        ...{ observedGeneration: 3, conditions: good },
        ...{ notAfter: '2033-01-01T00:00:00Z', renewalTime: '2032-01-01T00:00:00Z' },
      },
    },
  ],
  certificates: [
    {
      ...{ metadata: metadata('shop', 'shop'), spec: { issuer: { name: 'internal', kind: 'Issuer' } } },
      status: {
        ...{ observedGeneration: 3, conditions: good, consumers: '2/2' },
        ...{ notAfter: '2030-03-31T00:00:00Z', renewalTime: '2030-03-01T00:00:00Z' },
      },
    },
  ],
  trustBundles: [
    {
      ...{ metadata: metadata('company'), spec: {} },
      status: { observedGeneration: 3, conditions: good, certificates: 2, namespaces: 5 },
    },
  ],
  rotations: [
    {
      ...{ metadata: metadata('orders-app', 'shop'), spec: {} },
      status: {
        ...{ observedGeneration: 3, conditions: good, consumers: '1/1', login: 'orders_app_a' },
        ...{ rotated: '2029-12-31T21:57:00Z', nextRotation: '2030-01-30T21:57:00Z' },
      },
    },
  ],
  notes: [],
} as unknown as FoundResources;

/** The healthy resources, with another status of the Certificate. */
export function withCertificate(status: object): FoundResources {
  const certificates = healthy.certificates.map((one) => ({ ...one, status: { ...one.status, ...status } }));
  return { ...healthy, certificates } as FoundResources;
}
