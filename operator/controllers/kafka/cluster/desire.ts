import type { Construct } from 'constructs';
import { certificateKind, type KafkaClusterResource } from '../../../../imports/index.js';
import {
  externalListeners,
  firstDirectoryId,
  isKafkaController,
  KafkaExternalAccess,
  KafkaNodePod,
  type KafkaNodeRef,
  KafkaSharedObjects,
  kafkaControllerGroup,
  kafkaHost,
  kafkaImage,
  kafkaNodeName,
  kafkaPorts,
  metadataLevels,
} from '../../../../src/index.js';
import type { KafkaAddress } from '../../../kafka/access.js';
import { revisionAnnotation } from '../../../members/index.js';
import {
  allowRejection,
  createOnly,
  ExternalCall,
  RejectedError,
  Service,
  timestampOf,
} from '../../../runtime/index.js';
import { kafkaCluster } from '../ports/cluster.js';
import { tlsRoute } from './declarations.js';
import { defaultsIn } from './groups.js';
import { hasAllClaims, rejectOtherControllers, rejectShrinking, renderClaims, volumesOf } from './node-claims.js';
import { advertisedAnnotation, advertisedBy, advertisedText, assignedAddresses } from './nodes/external-addresses.js';
import { certificateEndAnnotation, certificatesAnnotation, type KafkaNode } from './nodes/nodes.js';
import { type Plan, planOf, reloadIn } from './plan/index.js';
import { isUnannounced } from './planned-moves.js';
import { accessTo } from './polls.js';
import { renderHookJobs, renderHttpHook } from './restart-hooks.js';
import { membersIn, quorumIn, type Situation, situationOf } from './situation.js';
import { clusterIdOf, isBootstrapped, type KafkaView } from './view.js';

/** The name of the call with which a plan changes the cluster. */
export const clusterCall = 'cluster';
/** The name of the call that refuses or allows logins. */
export const loginsCall = 'logins';
/** The name of the call that marks topics. */
export const topicsCall = 'topics';
/** The name of the call with which a node loads its certificates. */
export const certificatesCall = 'certificates';

/** Renders the objects that a KafkaCluster needs next, and the change of the cluster that is due. */
export function desire(scope: Construct, view: KafkaView): void {
  const { resource } = view;
  const situation = situationOf(view);
  const isLeaving = resource.metadata.deletionTimestamp !== undefined;
  // The nodes need their addresses and certificates until the last one has stopped.
  if (isLeaving && situation.nodes.every(({ pod }) => pod === 'none')) return;
  if (!isLeaving) {
    rejectDowngrade(resource, situation);
    rejectOtherControllers(view);
    rejectShrinking(view);
  }
  const { name, namespace = '' } = resource.metadata;
  const services = view.owned.of(Service);
  const certificates = view.owned.of(certificateKind);
  const shared = new KafkaSharedObjects(scope, 'kafka', {
    ...{
      ...resource.spec,
      name,
      namespace,
      assignedAddresses: assignedAddresses({ resource, services, certificates }),
    },
    existing: { broker: countOf('broker', situation), controller: countOf('controller', situation) },
    brokersForDefaults: defaultsIn(view, situation.nodes),
  });
  const clusterId = clusterIdOf(view);
  const plan = isLeaving ? stopping(situation) : planOf(situation);
  renderExternalAccess(scope, view, plan);
  const claims = plan.claims.flatMap((claim) => renderClaims(scope, { claim, view, clusterId }));
  const pods = plan.pods.filter((node) => canRun(node, view, situation));
  for (const node of pods) {
    const pod = renderPod(scope, { node, view, clusterId, situation, plan });
    // The volumes name the first controllers, so they come before the first Pod.
    pod.node.addDependency(shared, ...claims);
  }
  renderCall(scope, view, { situation, plan });
  if (isLeaving) return;
  renderReload(scope, view, situation);
  renderMarks(scope, view, situation);
  renderHttpHook(scope, resource, { situation, polled: view.polled.hook });
  renderHookJobs(scope, resource, { situation, owned: view.owned });
}

function renderExternalAccess(scope: Construct, view: KafkaView, { claims }: Plan): void {
  const { metadata, spec } = view.resource;
  const brokers = claims.filter(({ role, retired }) => role === 'broker' && retired === undefined);
  new KafkaExternalAccess(scope, 'external', {
    ...{ name: metadata.name, namespace: metadata.namespace, spec, hasRoutes: view.isServed(tlsRoute) },
    brokers: brokers.map(({ id }) => id),
  });
}

/**
 * A node does not start without its certificates or one of its volumes, and a broker not before all of its addresses are assigned:
 * it would advertise wrong ones, or none. One that runs goes on.
 */
function canRun(node: KafkaNodeRef, view: KafkaView, situation: Situation): boolean {
  const { id, role, group } = node;
  const { resource, owned } = view;
  if (situation.nodes.some((one) => one.id === id && one.pod === 'there')) return true;
  if (isBootstrapped(view) && !hasAllClaims(node, view)) return false;
  if (situation.groups.find(({ name }) => name === group)?.revision === undefined) return false;
  if (role === 'controller') return true;
  return advertisedBy(id, { resource, services: owned.of(Service) }).awaits === undefined;
}

/** Nodes of a role, with those that leave, and with one that is being replaced: it counts as the one that may be down. */
function countOf(role: 'broker' | 'controller', situation: Situation): number {
  return membersIn(situation).filter((node) => node.role === role).length;
}

/** Brokers stop first, because they hand over their partitions through the controllers. Those that are controllers stop last. */
function stopping(situation: Situation): Plan {
  const hasBrokers = situation.nodes.some((node) => !isKafkaController(node) && node.pod !== 'none');
  const controllers = situation.nodes.filter((node) => isKafkaController(node) && node.pod === 'there');
  const claims = situation.nodes.filter(({ claim }) => claim === 'there');
  return { pods: hasBrokers ? controllers : [], claims, steps: [] };
}

/** @throws {RejectedError} when the level of `metadata.version` is finalized beyond the version of the spec */
function rejectDowngrade({ spec, status }: KafkaClusterResource, { cluster }: Situation): void {
  const finalized = cluster?.metadataVersion.finalized ?? status?.metadataVersion;
  if (finalized === undefined || finalized <= metadataLevels[spec.version]) return;
  const [least] = Object.entries(metadataLevels).find(([, level]) => level >= finalized) ?? ['the earlier one'];
  throw new RejectedError(
    'VersionFinalized',
    `spec.version: Invalid value: "${spec.version}": must not be lower than the finalized version, because brokers of ${spec.version} cannot read metadata of level ${finalized}; set spec.version to ${least}`,
  );
}

interface PodProps {
  readonly node: KafkaNodeRef;
  readonly view: KafkaView;
  readonly clusterId: string;
  readonly situation: Situation;
  readonly plan: Plan;
}

function renderPod(scope: Construct, { node, view, clusterId, situation, plan }: PodProps): Construct {
  const { metadata, spec } = view.resource;
  const { name, namespace } = metadata;
  const controllers = plan.claims.filter((claim) => isKafkaController(claim) && claim.retired === undefined);
  const first = controllers.map((one) => ({ ...one, directoryId: firstDirectoryId(metadata.uid, one.id) }));
  const { addresses } = advertisedBy(node.id, { resource: view.resource, services: view.owned.of(Service) });
  const { pod } = new KafkaNodePod(scope, `pod-${kafkaNodeName(name, node)}`, {
    ...{ name, namespace, spec, node, image: kafkaImage(spec), clusterId, controllers },
    ...{ firstControllers: isBootstrapped(view) ? undefined : first, advertised: addresses },
    volumes: volumesOf(node, view),
  });
  const { revision = 'removed', certificates } = situation.groups.find((group) => group.name === node.group) ?? {};
  pod.metadata.addAnnotation(revisionAnnotation, revision);
  if (certificates) {
    pod.metadata.addAnnotation(certificatesAnnotation, certificates.hash);
    pod.metadata.addAnnotation(certificateEndAnnotation, timestampOf(certificates.to));
  }
  if (node.role === 'broker' && externalListeners(spec).length > 0)
    pod.metadata.addAnnotation(advertisedAnnotation, advertisedText(addresses));
  createOnly(pod);
  // What the brokers answer is known without it, and the conditions report why it is missing.
  allowRejection(pod, 'lower the resources in the spec, or change its podTemplate', { holdsUp: false });
  return pod;
}

function renderCall(
  scope: Construct,
  view: KafkaView,
  { situation, plan: { steps } }: Pick<PodProps, 'situation' | 'plan'>,
): void {
  const step = steps.find(({ act }) => act === 'call');
  const access = accessTo(view);
  if (step?.act !== 'call' || !access) return;
  // People see what moves, and how long it takes, before it begins.
  if (isUnannounced(view.resource, steps)) return;
  const { request } = step;
  const addressed =
    request.act === 'addVoter' ? { ...request, address: controllerAddress(request.id, view, situation) } : request;
  new ExternalCall(scope, clusterCall, {
    ...{ port: kafkaCluster, request: { ...addressed, ...access }, refreshes: ['cluster'], timeout: 30_000 },
  });
}

/** A node that lags behind the kubelet loads nothing new, so the call is repeated with a growing delay. */
function renderReload(scope: Construct, view: KafkaView, situation: Situation): void {
  const access = accessTo(view);
  const node = reloadIn(situation);
  const address = node && reloadAddress(node, view, situation);
  if (!address || !access) return;
  new ExternalCall(scope, certificatesCall, {
    ...{ port: kafkaCluster, request: { act: 'reload', node: node.id, address, ...access } },
    refreshes: ['certificates'],
  });
}

/** Marks and denials stop no node, and a login that nobody sees does not wait for a rollout, so they are beside the plan. */
function renderMarks(scope: Construct, view: KafkaView, { logins, topics }: Situation): void {
  const access = accessTo(view);
  if (!access) return;
  for (const [name, of] of [
    [loginsCall, logins],
    [topicsCall, topics],
  ] as const) {
    if (!of?.request) continue;
    new ExternalCall(scope, name, {
      ...{ port: kafkaCluster, request: { ...of.request, ...access }, refreshes: ['cluster'], timeout: 30_000 },
    });
  }
}

/** A broker takes changes of its own configuration alone, and those of controllers only the active one takes. */
function reloadAddress({ role, name }: KafkaNode, view: KafkaView, situation: Situation): KafkaAddress | undefined {
  if (role === 'broker') return addressOf(name, kafkaPorts.replication, view);
  const active = quorumIn(situation)?.leader;
  return active === undefined ? undefined : controllerAddress(active, view, situation);
}

function controllerAddress(id: number, view: KafkaView, { nodes }: Situation): KafkaAddress {
  const cluster = view.resource.metadata.name;
  const pod = nodes.find((node) => node.id === id)?.name ?? kafkaNodeName(cluster, { group: kafkaControllerGroup, id });
  return addressOf(pod, kafkaPorts.controller, view);
}

function addressOf(pod: string, port: number, view: KafkaView): KafkaAddress {
  const { name, namespace = '' } = view.resource.metadata;
  return { host: kafkaHost(pod, { name, namespace }), port };
}
