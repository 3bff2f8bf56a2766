import { servedApp } from '../../e2e/publication/served-app.js';
import { serverImage } from '../../images/project-images.js';
import { resource, type UpgradedKind } from '../upgraded-kind.js';

/** The addresses of two Pods in a ConfigMap, which needs no server outside of the cluster. */
export const upgraded = {
  controllers: ['servicepublication'],
  objects: (namespace) => [
    ...servedApp({ namespace, name: 'shop', image: serverImage('1.0.0'), replicas: 2, version: '1', servesOn: 40 }),
    resource(
      'ServicePublication',
      { name: 'shop', namespace },
      { service: 'shop', targets: [{ file: { configMap: 'shop-targets', format: 'PrometheusFileSD' } }] },
    ),
  ],
  resources: () => [{ resource: 'pub/shop' }],
  isReady: (_, { summary }) => typeof summary === 'string' && summary.split(',').length === 2,
} satisfies UpgradedKind;
