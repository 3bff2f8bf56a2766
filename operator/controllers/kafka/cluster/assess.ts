import type { KafkaClusterResource, KafkaClusterStatus, KafkaClusterStatusNodes } from '../../../../imports/index.js';
import { externalListeners, isKafkaController, kafkaSelector } from '../../../../src/index.js';
import { bootstrapServers } from '../../../kafka/listeners.js';
import { type Assessment, type Outcome, Service, timestampOf } from '../../../runtime/index.js';
import { whileAwaited } from '../awaited-answer.js';
import { presentedStatus } from './certificates/presented.js';
import type { conditions } from './conditions.js';
import { consumerLagOf } from './consumer-lag.js';
import { tlsRoute } from './declarations.js';
import { certificatesCall, clusterCall } from './desire.js';
import {
  availabilityOf,
  balanceOf,
  currencyOf,
  finalizationOf,
  type Observation,
  provisionOf,
  replicationOf,
} from './findings.js';
import { externalBootstrap } from './nodes/external-addresses.js';
import type { KafkaNode } from './nodes/nodes.js';
import {
  illnessOf,
  isOutdated,
  planOf,
  quorumIn,
  reloadIn,
  restartDue,
  type Situation,
  stayingIn,
  type WantedGroup,
} from './plan/index.js';
import { isUnannounced, plannedMoves } from './planned-moves.js';
import { hookCall, httpProgress, jobProgress, restartReport } from './restarts/index.js';
import { clusterIdOf, isBootstrapped } from './stable-view.js';
import { uncleanReport } from './unclean-election.js';
import { finalizationDue, type KafkaView, situationOf } from './view.js';
import { volumeUses } from './volumes/volume-uses.js';

/** Milliseconds until the status shows the moves that are about to begin. */
const announcing = 1_000;

type Found = Assessment<KafkaClusterResource, typeof conditions>;

/** Derives the conditions and the status of a KafkaCluster from its nodes and the next step. */
export function assess(outcome: KafkaView & Pick<Outcome, 'calls' | 'accepted' | 'pruning' | 'blocker'>): Found {
  const { resource, now, accepted } = outcome;
  const situation = situationOf({ ...outcome, leaving: outcome.pruning });
  if (resource.metadata.deletionTimestamp !== undefined)
    return { conditions: { Available: { reason: 'Terminating' } }, status: keptStatus(resource) };
  const { steps } = planOf(situation);
  const seen: Observation = {
    resource,
    situation,
    steps,
    call: outcome.calls.of(clusterCall),
    hook:
      jobProgress(resource, outcome.owned) ??
      httpProgress(resource, { polled: outcome.polled.hook, call: outcome.calls.of(hookCall) }),
    hasRoutes: outcome.isServed(tlsRoute),
    blocker: outcome.blocker,
  };
  const rolledOut = accepted ? rolledOutSince(resource, situation) : undefined;
  const due = finalizationDue(resource, rolledOut);
  const unclean = uncleanReport(resource, situation.unclean, now.getTime());
  const restart = restartReport(resource, { situation, steps, progress: seen.hook });
  const isFinal = finalizationOf(seen, due).reason === 'Finalized';
  const certificates = presentedStatus(outcome, stayingIn(situation), {
    presented: situation.presented,
    loading: reloadIn(situation)?.name,
    call: outcome.calls.of(certificatesCall),
  });
  const moves = plannedMoves(resource, situation, steps);
  const waits = [
    ...(due !== undefined && !isFinal && due > now.getTime() ? [due - now.getTime()] : []),
    ...(isUnannounced(resource, steps) ? [announcing] : []),
    ...(certificates.left === undefined ? [] : [certificates.left]),
    ...restartsDue(situation),
    ...(restart.requeueAfter === undefined ? [] : [restart.requeueAfter]),
  ];
  return {
    conditions: {
      Provisioned: provisionOf(seen),
      ...whileAwaited(
        {
          Available: availabilityOf(seen),
          Replicated: replicationOf(seen),
          UpToDate: currencyOf(seen),
          Balanced: balanceOf(seen),
          Finalized: finalizationOf(seen, due),
        },
        outcome.polled.cluster,
        resource,
      ),
    },
    events: [...unclean.events, ...restart.events],
    status: {
      ...statusOf(outcome, situation),
      ...unclean.status,
      ...certificates.status,
      ...restart.status,
      ...(moves && { rebalance: moves }),
      ...consumerLagOf(resource, outcome.polled.consumers),
      ...(rolledOut !== undefined && { rolledOutTime: rolledOut, version: resource.spec.version }),
      ...(rolledOut === undefined && resource.status?.version !== undefined && { version: resource.status.version }),
      ...(due !== undefined && !isFinal && { finalizationTime: timestampOf(due) }),
    },
    ...(waits.length > 0 && { requeueAfter: Math.min(...waits) }),
  };
}

/** Milliseconds until nodes have to start again with renewed certificates. */
function restartsDue(situation: Situation): readonly number[] {
  return stayingIn(situation).flatMap(({ group, certificates: own, certificateEnd: end }) => {
    const wanted = situation.groups.find(({ name }) => name === group)?.certificates;
    if (!wanted || end === undefined || own === wanted.hash) return [];
    const left = restartDue(end, wanted) - situation.now;
    return left > 0 ? [left] : [];
  });
}

/** A KafkaCluster that is being deleted keeps what its nodes need to stop. */
function keptStatus({ status }: KafkaClusterResource): NonNullable<Found['status']> {
  const { clusterId, bootstrapped, version } = status ?? {};
  return {
    ...(clusterId !== undefined && { clusterId }),
    ...(bootstrapped !== undefined && { bootstrapped }),
    ...(version !== undefined && { version }),
  };
}

/** Time since which every node runs the version of the spec. Undefined while one does not. */
function rolledOutSince({ spec, status }: KafkaClusterResource, situation: Situation): string | undefined {
  const { version, rolledOutTime } = status ?? {};
  const staying = stayingIn(situation);
  const isWhole = situation.groups.every(
    ({ name, replicas }) => staying.filter(({ group }) => group === name).length === replicas,
  );
  const isCurrent = staying.every((node) => node.pod === 'there' && !isOutdated(node, situation));
  if (version === spec.version && rolledOutTime !== undefined && isCurrent && isWhole) return rolledOutTime;
  const serves = staying.every((node) => illnessOf(node, situation) === undefined);
  if (!isWhole || !isCurrent || !serves || !situation.cluster) return undefined;
  return timestampOf(situation.now);
}

function statusOf(view: KafkaView, situation: Situation): NonNullable<Found['status']> {
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
    selector: Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
    clusterId: cluster?.clusterId ?? clusterIdOf(view),
    bootstrapped: isBootstrapped(view) || active !== undefined,
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
    ...(known.length > 0 && { usedPercent: inSteps(Math.max(...known)) }),
    ...(uses.length > 1 && {
      volumes: uses.map(({ name: of, usedPercent: used }) => ({
        name: of,
        ...(used !== undefined && { usedPercent: inSteps(used) }),
      })),
    }),
  };
}

/** So that each record does not change the status. */
function inSteps(percent: number): number {
  return percent < 95 ? 5 * Math.floor(percent / 5) : percent;
}

function stateOf(node: KafkaNode, situation: Situation): string {
  if (node.pod === 'ending') return 'Stopping';
  if (node.pod === 'none') return 'Stopped';
  if (!stayingIn(situation).some(({ name }) => name === node.name)) return 'Leaving';
  if (illnessOf(node, situation) !== undefined) return 'Starting';
  if (!node.isDrained) return 'Running';
  return situation.cluster?.load[node.id]?.replicas === 0 ? 'Drained' : 'Draining';
}
