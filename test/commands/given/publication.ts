import { conditions } from '../../../operator/controllers/publication/service-publication/conditions.js';
import { allTrue, apiVersion, type GivenSystem, now, observedGeneration } from '../given-system.js';

const dns = { server: '10.0.0.53', zone: 'corp.example.com', name: 'billing', tsigSecretRef: { name: 'ddns' } };

export const given = {
  resources: [
    {
      ...{ apiVersion, kind: 'ServicePublication', metadata: { name: 'billing' } },
      spec: { service: 'billing', targets: [{ dns }] },
      status: { observedGeneration, since: now, published: '1/1', conditions: allTrue(conditions) },
    },
  ],
} satisfies GivenSystem;
