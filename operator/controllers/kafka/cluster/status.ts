import type { KafkaClusterResource, KafkaClusterStatus, KafkaClusterStatusNodes } from '../../../../imports/index.js';
import { externalListeners, isKafkaController, kafkaSelector } from '../../../../src/index.js';
import { bootstrapServers } from '../../../kafka/listeners.js';
import { percentInSteps, scaleSelector } from '../../../members/index.js';
import { Service } from '../../../runtime/index.js';
import { volumeUses } from './findings/volume-uses.js';
import { externalBootstrap } from './nodes/external-addresses.js';
import type { KafkaNode } from './nodes/nodes.js';
import { illnessOf, isHeadless } from './plan/index.js';
import { quorumIn, type Situation, stayingIn, type WantedGroup } from './situation.js';
import { clusterIdOf, isBootstrapped, type KafkaView } from './view.js';

type KafkaStatus = Omit<NonNullable<KafkaClusterResource['status']>, 'conditions' | 'observedGeneration'>;

/** The status of a KafkaCluster, apart from restarts, elections and certificates. */
export function statusOf(view: KafkaView, situation: Situation): KafkaStatus {
  const { resource } = view;
  const { metadata, status } = resource;
  const { cluster } = situation;
  const staying = stayingIn(situation);
  const brokers = staying.filter(({ role }) => role === 'broker');
  const ratio = (is: (one: KafkaNode | WantedGroup) => boolean) => {
    const wanted = situation.groups.filter(is).reduce((sum, { replicas }) => sum + replicas, 0);
    return `${staying.filter(is).filter(({ isReady }) => isReady).length}/${wanted}`;
  };
  const labels = kafkaSelector(metadata.name, { role: 'broker', group: 'broker' });
  const level = cluster?.metadataVersion.finalized ?? status?.metadataVersion;
  const underReplicated = cluster?.partitions.underReplicated ?? status?.underReplicatedPartitions;
  const active = quorumIn(situation)?.leader;
  const listeners = listenersOf(view);
  const servers = listeners[0]?.bootstrapServers;
  return {
    ready: ratio(({ role }) => role === 'broker'),
    controllers: ratio(isKafkaController),
    brokers: staying.filter(({ group }) => group === 'broker').length,
    readyBrokers: brokers.filter(({ isReady }) => isReady).length,
    selector: scaleSelector(labels),
    ...(!isHeadless(situation) && {
      clusterId: cluster?.clusterId ?? clusterIdOf(view),
      bootstrapped: isBootstrapped(view) || active !== undefined,
    }),
    ...(servers !== undefined && { bootstrapServers: servers }),
    listeners,
    ...(active !== undefined && { activeController: active }),
    ...(level !== undefined && { metadataVersion: level }),
    ...(underReplicated !== undefined && { underReplicatedPartitions: underReplicated }),
    nodes: situation.nodes
      .filter(({ retired }) => retired === undefined)
      .slice(0, 128)
      .map((node) => nodeStatusOf(node, situation)),
  };
}

/** Where the clients of each listener begin. */
function listenersOf({ resource, owned }: KafkaView): NonNullable<KafkaClusterStatus['listeners']> {
  const { metadata, spec } = resource;
  const external = externalListeners(spec);
  const within = { name: metadata.name, namespace: metadata.namespace ?? '', addresses: {} };
  return spec.listeners.map((one) => {
    const { name } = one;
    const listener = external.find((other) => other.name === name);
    const servers = listener
      ? externalBootstrap(listener, { resource, services: owned.of(Service) })
      : bootstrapServers(within, one);
    return { name, ...(servers !== undefined && { bootstrapServers: servers }) };
  });
}

function nodeStatusOf(node: KafkaNode, situation: Situation): KafkaClusterStatusNodes {
  const { name, id, role, zone } = node;
  const members = [...(situation.cluster?.quorum.voters ?? []), ...(situation.cluster?.quorum.observers ?? [])];
  const directoryId = isKafkaController(node) ? members.find((one) => one.id === id)?.directoryId : undefined;
  const uses = role === 'broker' ? volumeUses(id, situation) : [];
  const known = uses.flatMap(({ usedPercent }) => usedPercent ?? []);
  return {
    ...{ name, id, role: role === 'broker' ? 'Broker' : 'Controller', state: stateOf(node, situation) },
    ...(zone !== undefined && { zone }),
    ...(node.node !== undefined && { node: node.node }),
    ...(directoryId !== undefined && { directoryId }),
    ...(known.length > 0 && { usedPercent: percentInSteps(Math.max(...known)) }),
    ...(uses.length > 1 && {
      volumes: uses.map(({ name: of, usedPercent: used }) => ({
        name: of,
        ...(used !== undefined && { usedPercent: percentInSteps(used) }),
      })),
    }),
  };
}

function stateOf(node: KafkaNode, situation: Situation): string {
  if (node.pod === 'ending') return 'Stopping';
  if (node.pod === 'none') return 'Stopped';
  if (!stayingIn(situation).some(({ name }) => name === node.name)) return 'Leaving';
  if (illnessOf(node, situation) !== undefined) return 'Starting';
  if (!node.isDrained) return 'Running';
  return situation.cluster?.load[node.id]?.replicas === 0 ? 'Drained' : 'Draining';
}
