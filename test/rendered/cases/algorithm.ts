import type { Manifest } from '../../../operator/index.js';
import { type RenderedCase, resource } from '../rendered-case.js';

const reco = (spec: object) => [resource('Algorithm', 'reco', { image: 'registry.example.com/reco:1', ...spec })];
const gatewayClass = {
  ...{ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'GatewayClass', metadata: { name: 'reconstruct' } },
  spec: { controllerName: 'traefik.io/gateway-controller' },
} as Manifest;
const lifecycle = { canaryWeight: 20 };

/** Algorithms, their trials and the proxies before them. */
export const cases = [
  {
    name: 'algorithm',
    objects: reco({ config: { depth: '3' }, scaling: { minReplicas: 1, maxReplicas: 10 } }),
    edits: {
      'another image': reco({ image: 'registry.example.com/reco:2', replicas: 2, config: { width: '4' } }),
      'no scaling': reco({ replicas: 2, resources: { gpu: 'nvidia.com/gpu', gpuCount: 1 } }),
    },
  },
  {
    name: 'algorithm-trial',
    objects: [gatewayClass, ...reco({ lifecycle, host: 'reco.example.com' })],
    edits: {
      'a new version': reco({ image: 'registry.example.com/reco:2', lifecycle, host: 'reco.example.com' }),
      'more weight': reco({
        ...{ image: 'registry.example.com/reco:2', host: 'reco.example.com' },
        lifecycle: {
          ...lifecycle,
          canaryWeight: 50,
          variants: [{ name: 'b', match: { header: { 'x-variant': 'b' } } }],
        },
      }),
      'the former version': reco({ lifecycle, host: 'reco.example.com' }),
    },
  },
  {
    name: 'algorithm-level',
    objects: reco({ replicas: 3, metrics: {}, sla: { availability: 0.999, window: '1h' }, gateway: { name: 'edge' } }),
    edits: { 'another gateway': reco({ metrics: { port: 9_100 }, gateway: { name: 'outer', namespace: 'edge' } }) },
  },
] satisfies readonly RenderedCase[];
