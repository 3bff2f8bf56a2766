import { fingerprint } from '../manifest/fingerprint.js';
import { brokerProperties, type Configured, controllerProperties, mostDefaultReplicas } from './config/properties.js';
import { type KafkaNodeRef, kafkaGroups } from './naming/identity.js';
import type { NodePod } from './objects/node-settings.js';
import { nodePod } from './objects/pod.js';

/** The settings of the Pods of a group. */
export interface GroupSettings extends Omit<NodePod, 'node' | 'controllers' | 'firstControllers' | 'clusterId'> {
  /** The name of the group. */
  readonly group: string;
  /** Identifies the authorities that nodes trust. Renewed certificates need no restart. */
  readonly certificates: string;
}

/**
 * A fingerprint of the Pod template of a group of nodes. It is the same for all nodes of the group, and changes when a node
 * must start again: with the rendered Pod, the properties that are not dynamic, and the certificates. The other
 * controllers are not part of it, because a node knows them from the quorum.
 */
export function kafkaNodeRevision({ group, certificates, ...settings }: GroupSettings): string {
  const { role = 'broker', isCombined } = kafkaGroups(settings.spec).find(({ name }) => name === group) ?? {};
  const node: KafkaNodeRef = { id: 0, group, role, isCombined };
  const { metadata, spec } = nodePod({ ...settings, node, clusterId: '', controllers: [] });
  const { labels, annotations } = metadata;
  const ofRole = isCombined ? brokerProperties(settings) : brokerProperties(ofAnyNumber(settings));
  const properties = role === 'broker' ? ofRole : controllerProperties(settings);
  // The time to stop concerns only the end of a Pod: a node that runs with another one need not start again.
  const counted = { ...spec, terminationGracePeriodSeconds: firstSecondsToStop };
  return fingerprint([labels, annotations ?? {}, counted, properties, certificates]);
}

/** What the fingerprints of the first operators have. */
const firstSecondsToStop = 300;

/**
 * Defaults that follow from the number of brokers concern new topics only: a new broker does not restart the others. The
 * controllers, which create topics, do start again.
 */
function ofAnyNumber(settings: Configured): Configured {
  return { ...settings, brokersForDefaults: mostDefaultReplicas };
}
