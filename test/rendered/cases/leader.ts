import type { Manifest } from '../../../operator/index.js';
import { type RenderedCase, resource } from '../rendered-case.js';

const pod = (name: string, address: string): Manifest =>
  ({
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name, namespace: 'shop', labels: { app: 'cache' } },
    spec: { containers: [{ name: 'redis', image: 'redis:7' }] },
    status: { podIP: address, conditions: [{ type: 'Ready', status: 'True' }] },
  }) as Manifest;

const pods = [pod('cache-0', '10.0.0.1'), pod('cache-1', '10.0.0.2'), pod('cache-2', 'fd00::3')];
const election = (name: string, application: object, more: object = {}) =>
  resource('LeaderElection', name, { selector: { app: 'cache' }, service: `${name}-leader`, application, ...more });
const http = (path: string) => ({ http: { path, port: 8080 } });
const hooks = { promote: http('/promote'), demote: http('/demote'), status: http('/role') };
const ports = [{ name: 'http', port: 80, targetPort: 8080 }];

/** LeaderElections of each application. */
export const cases = [
  {
    name: 'leader',
    objects: [
      ...pods,
      election('redis', { redis: {} }, { replicaService: 'redis-replicas' }),
      election('hooks', { hooks }, { ports }),
      election('label', { label: {} }, { ports, replicaService: 'label-replicas' }),
    ],
    edits: {
      'another Service': [election('redis', { redis: {} }, { service: 'primary' })],
      'another zone': [election('label', { label: {} }, { ports, prefer: { zone: 'zone-a' } })],
    },
  },
] satisfies readonly RenderedCase[];
