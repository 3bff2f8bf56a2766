import { consumerGroupLimits } from '../../../../crds/index.js';
import type { KafkaClusterResource } from '../../../../imports/index.js';
import { kafkaHost, kafkaObjectNames, kafkaPorts } from '../../../../src/index.js';
import { type HostHandshakesQuestion, hostHandshakes } from '../../../consumers/handshakes.js';
import type { KafkaAccess } from '../../../kafka/access.js';
import { type GoneNodesQuestion, goneNodes } from '../../../pods/gone-nodes.js';
import { isReady } from '../../../pods/is-ready.js';
import { homeOf } from '../../../pods/presence.js';
import {
  type LivePod,
  Node,
  PersistentVolumeClaim,
  Pod,
  type PollBuilder,
  type PollRequest,
} from '../../../runtime/index.js';
import { type ClusterQuestion, kafkaCluster } from '../ports/cluster.js';
import { type ConsumersQuestion, kafkaConsumers } from '../ports/consumers.js';
import { kafkaHooks } from '../ports/hooks.js';
import { presentedAsked } from './certificates/presented.js';
import type { owns, reads } from './declarations.js';
import type { KafkaNode } from './nodes/nodes.js';
import { retiredLabel } from './nodes/nodes.js';
import { stayingIn } from './plan/index.js';
import { hookAsked } from './restarts/index.js';
import { isBootstrapped, missingCertificates, nodesIn, type StableView, wantedGroups } from './stable-view.js';
import { uncleanPartitions } from './unclean-election.js';

/** The external sources that a KafkaCluster polls. */
export const polls = (ask: PollBuilder<KafkaClusterResource, (typeof owns)[number], ReturnType<typeof reads>>) => ({
  cluster: ask(kafkaCluster, clusterAsked),
  certificates: ask(hostHandshakes, certificatesAsked),
  consumers: ask(kafkaConsumers, consumersAsked),
  goneNodes: ask(goneNodes, goneNodesAsked),
  hook: ask(kafkaHooks, hookAsked),
});

/** Milliseconds. A call asks again at once. */
const interval = 5_000;

/** How the operator reaches the cluster. Undefined while no broker was ever ready. */
export function accessTo(view: StableView): KafkaAccess | undefined {
  const { resource, owned, reads: found } = view;
  const { uid, name, namespace = '' } = resource.metadata;
  const isUp = isBootstrapped(view) || owned.of(Pod).some(isReadyBroker);
  // All brokers, whether they run or not, so that the answers stay when one of them stops.
  const brokers = stayingNodes(view, nodesIn(view, [])).filter(({ role }) => role === 'broker');
  if (!isUp || brokers.length === 0 || !found.operatorCertificate) return undefined;
  const bootstrap = brokers.map((node) => ({
    host: kafkaHost(node.name, { name, namespace }),
    port: kafkaPorts.replication,
  }));
  return { cluster: uid, namespace, secret: kafkaObjectNames(name).operatorCertificate, bootstrap };
}

function stayingNodes(view: StableView, nodes: readonly KafkaNode[]): readonly KafkaNode[] {
  return stayingIn({ groups: wantedGroups(view, nodes), nodes });
}

function isReadyBroker(pod: LivePod): boolean {
  return isReady(pod) && pod.metadata.labels?.['reconstruct.dev/kafka-role'] === 'broker';
}

function clusterAsked(view: StableView): PollRequest<ClusterQuestion> | undefined {
  const access = accessTo(view);
  if (!access || view.resource.metadata.deletionTimestamp !== undefined) return undefined;
  const nodes = nodesIn(view, []);
  const onto = stayingNodes(view, nodes)
    .filter(({ role, isDrained }) => role === 'broker' && !isDrained)
    .map(({ id }) => id);
  const from = nodes.filter(({ id, role }) => role === 'broker' && !onto.includes(id)).map(({ id }) => id);
  const partitions = uncleanPartitions(view.resource)?.partitions;
  const question = { ...access, plan: { from, onto }, ...(partitions && { partitions: partitions.slice(0, 64) }) };
  return { question, interval, timeout: 20_000 };
}

/** Handshakes show which certificates the nodes have loaded. */
function certificatesAsked(view: StableView): PollRequest<HostHandshakesQuestion> | undefined {
  if (!accessTo(view) || view.resource.metadata.deletionTimestamp !== undefined) return undefined;
  if (missingCertificates(view).length > 0) return undefined;
  return presentedAsked(view, stayingNodes(view, nodesIn(view, [])));
}

/** The lag costs requests for each group, so it is asked once a minute. */
function consumersAsked(view: StableView): PollRequest<ConsumersQuestion> | undefined {
  const access = accessTo(view);
  if (!access || view.resource.metadata.deletionTimestamp !== undefined) return undefined;
  return { question: { ...access, most: consumerGroupLimits.pairs }, interval: 60_000, timeout: 30_000 };
}

/** Polls nothing if all nodes of the volumes exist, or if no volume is needed any more. */
function goneNodesAsked({
  resource,
  owned,
  reads: { nodes },
  isServed,
}: StableView): PollRequest<GoneNodesQuestion> | undefined {
  if (!isServed(Node) || resource.metadata.deletionTimestamp !== undefined) return undefined;
  const homes = owned
    .of(PersistentVolumeClaim)
    .flatMap((claim) => (claim.metadata.labels?.[retiredLabel] === undefined ? (homeOf(claim) ?? []) : []));
  const names = [...new Set(homes)].filter((home) => nodes.every(({ name }) => name !== home)).toSorted();
  return names.length === 0 ? undefined : { question: { names }, interval: 30_000 };
}
