import { consumerOf } from '../consumer.js';
import { resource, type UpgradedKind } from '../upgraded-kind.js';

/** A random value that a Deployment mounts. */
export const upgraded = {
  controllers: ['secretrotation'],
  objects: (namespace) => [
    resource(
      'SecretRotation',
      { name: 'token', namespace },
      {
        ...{ secretName: 'token', source: { random: { keys: ['token'] } }, every: '30d', overlap: '1m' },
        consumers: [{ deployment: 'web' }],
      },
    ),
    consumerOf('token', namespace),
  ],
  resources: () => [{ resource: 'rot/token' }],
} satisfies UpgradedKind;
