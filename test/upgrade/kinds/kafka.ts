import { small } from '../../e2e/kafka/tried-kafka.js';
import { resource, type UpgradedKind } from '../upgraded-kind.js';

const cluster = { cluster: { name: 'events' } };

/** Three controllers, three brokers, a topic and a user. */
export const upgraded = {
  controllers: ['kafkacluster', 'kafkatopic', 'kafkauser'],
  objects: (namespace) => [
    resource('KafkaCluster', { name: 'events', namespace }, { ...small, deletionPolicy: 'Delete' }),
    resource('KafkaTopic', { name: 'orders', namespace }, { ...cluster, partitions: 6 }),
    resource(
      'KafkaUser',
      { name: 'shop', namespace },
      {
        ...{ ...cluster, acls: [{ resource: { type: 'Topic', name: 'orders' }, operations: ['Read', 'Write'] }] },
      },
    ),
  ],
  resources: () => [{ resource: 'kcl/events' }, { resource: 'ktopic/orders' }, { resource: 'kuser/shop' }],
} satisfies UpgradedKind;
