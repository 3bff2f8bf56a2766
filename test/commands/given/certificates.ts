import type { CertificateStatus } from '../../../imports/index.js';
import { conditions as ofCertificates } from '../../../operator/controllers/certificates/certificate/conditions.js';
import { allTrue, apiVersion, type GivenSystem, now, observedGeneration } from '../given-system.js';

const certificateStatus: CertificateStatus = {
  ...{ observedGeneration, notAfter: now, renewalTime: now, conditions: allTrue(ofCertificates) },
  renewalInfo: { id: 'given.id', start: now, end: now },
};

export const given = {
  resources: [
    {
      ...{ apiVersion, kind: 'Certificate', metadata: { name: 'shop' } },
      spec: { secretName: 'shop-tls', issuer: { name: 'internal' }, dnsNames: ['shop.example.com'] },
      status: certificateStatus,
    },
  ],
} satisfies GivenSystem;
