import { ApiObject } from 'cdk8s';
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
  objects: (chart) => {
    const ports = [{ name: 'http', port: 80 }];
    new ApiObject(chart, 'orders', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'orders' },
      spec: { ports },
    });
    const labels = { 'kubernetes.io/service-name': 'billing' };
    new ApiObject(chart, 'endpoints', {
      ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'billing-1', labels } },
      ...{ addressType: 'IPv4', ports, endpoints: [{ addresses: ['10.1.0.1'] }] },
    });
  },
} satisfies GivenSystem;
