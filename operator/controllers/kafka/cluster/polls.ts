import { consumerGroupLimits } from '../../../../crds/index.js';
import type { KafkaClusterResource } from '../../../../imports/index.js';
import { kafkaHost, kafkaObjectNames, kafkaPorts } from '../../../../src/index.js';
import { type HostHandshakesQuestion, hostHandshakes } from '../../../consumers/handshakes.js';
import type { KafkaAccess } from '../../../kafka/access.js';
import { goneNodes, goneNodesAsked, restartHooks, retirementOf } from '../../../members/index.js';
import type { GoneNodesQuestion } from '../../../pods/gone-nodes.js';
import { isReady } from '../../../pods/is-ready.js';
import {
  type LivePod,
  PersistentVolumeClaim,
  Pod,
  type PollBuilder,
  type PollRequest,
} from '../../../runtime/index.js';
import { type ClusterQuestion, kafkaCluster } from '../ports/cluster.js';
import { type ConsumersQuestion, kafkaConsumers } from '../ports/consumers.js';
import { uncleanPartitions } from './annotations/unclean-election.js';
import { presentedAsked } from './certificates/presented-certificates.js';
import type { owns, reads } from './declarations.js';
import { wantedGroups } from './groups.js';
import type { KafkaNode } from './nodes/nodes.js';
import { hookAsked } from './restart-hooks.js';
import { stayingIn } from './situation.js';
import { isBootstrapped, missingCertificates, nodesIn, type StableView } from './view.js';

/** The external sources that a KafkaCluster polls. */
export const polls = (ask: PollBuilder<KafkaClusterResource, (typeof owns)[number], ReturnType<typeof reads>>) => ({
  cluster: ask(kafkaCluster, clusterAsked),
  certificates: ask(hostHandshakes, certificatesAsked),
  consumers: ask(kafkaConsumers, consumersAsked),
  goneNodes: ask(goneNodes, nodesAsked),
  hook: ask(restartHooks, hookAsked),
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

/** No volume is needed any more when the cluster is being deleted. */
function nodesAsked({
  resource,
  owned,
  reads: { nodes },
  isServed,
}: StableView): PollRequest<GoneNodesQuestion> | undefined {
  if (resource.metadata.deletionTimestamp !== undefined) return undefined;
  const claims = owned.of(PersistentVolumeClaim).filter((claim) => retirementOf(claim) === undefined);
  return goneNodesAsked({ claims, nodes, isServed });
}
