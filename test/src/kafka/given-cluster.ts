import { App, Chart } from 'cdk8s';
import { kafkaClusterSpec, withDefaults } from '../../../crds/index.js';
import type { KafkaClusterSpec, KafkaClusterSpecInput } from '../../../imports/index.js';
import {
  KafkaNodePod,
  type KafkaNodeRef,
  KafkaSharedObjects,
  kafkaImage,
  kafkaNodeRevision,
} from '../../../src/index.js';

/** The least spec. */
export const least = { brokers: { storage: { size: '10Gi' } } };

/** A spec with its defaults. */
export function specOf(input: object = {}): KafkaClusterSpec {
  return withDefaults(kafkaClusterSpec, { ...least, ...input } as KafkaClusterSpecInput);
}

/** An object as it is rendered. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads any field of any kind
export type Rendered = any;

/** The objects that all nodes of the KafkaCluster `events` share. */
export function sharedObjects(input: object = {}): readonly Rendered[] {
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  new KafkaSharedObjects(chart, 'events', { ...least, ...input } as KafkaClusterSpecInput);
  return chart.toJson();
}

/** The lines of a file of the ConfigMap. */
export function linesOf(role: KafkaNodeRef['role'], input: object = {}): readonly string[] {
  const config = sharedObjects(input).find(({ kind }) => kind === 'ConfigMap');
  return config.data[`${role}.properties`].split('\n');
}

/** The Pod of a node. A node with an ID of 1000 or more is a controller. */
export function podOf(id: number, input: object = {}, group?: string): Rendered {
  const role = id < 1_000 ? ('broker' as const) : ('controller' as const);
  const spec = specOf(input);
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  new KafkaNodePod(chart, 'pod', {
    ...{
      name: 'events',
      spec,
      image: kafkaImage(spec),
      clusterId: 'cluster',
      node: { id, group: group ?? role, role },
    },
    controllers: [{ id: 1_000, group: 'controller', role: 'controller' }],
  });
  return chart.toJson()[0];
}

/** The revision of the nodes of a group. */
export function revisionOf(group: string, input: object = {}): string {
  const spec = specOf(input);
  return kafkaNodeRevision({
    ...{ name: 'events', namespace: 'shop', spec, image: kafkaImage(spec), group, certificates: 'a' },
  });
}
