import type { ClusterRequest, PartitionRef } from '../../../controllers/kafka/ports/cluster.js';
import type { Clock } from '../../../runtime/ports/clock.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import type { PerformOptions } from '../../../runtime/ports/external-port.js';
import type { Connections } from '../connection/connections.js';
import { KafkaSession } from '../connection/session.js';
import { askedPartitions, partitionName } from '../partitions/partitions.js';
import { reassignmentFor } from '../partitions/reassignment.js';
import { changeConfigs } from './configs.js';
import { allowLogins, refuseLogins } from './marked-logins.js';
import { markTopics } from './marked-topics.js';
import { metadataOf, sized, sizesOf } from './metadata.js';
import { throttleFor, unthrottle } from './throttle.js';
import { addVoter, removeVoter } from './voters.js';

/** Milliseconds that the controllers may take for a change. */
export const changeTimeout = 8_000;

/** Sessions of one call. The changing one checks before each request whether the call may still be sent. */
interface ChangeSessions {
  readonly session: KafkaSession;
  readonly changing: KafkaSession;
}

/** Changes one thing of a cluster. @throws {CallError} if Kafka refuses it, or if it is not safe */
export async function changeCluster(
  connections: Connections,
  request: ClusterRequest,
  { signal, mayLeave, clock }: PerformOptions & { readonly clock: Clock },
): Promise<void> {
  const session = await KafkaSession.open(connections, request, { signal });
  const sessions = { session, changing: session.changing(mayLeave), signal, clock };
  const { changing } = sessions;
  switch (request.act) {
    case 'reassign':
      return reassign(sessions, request);
    case 'unthrottle':
      return unthrottle(session, changing);
    case 'electLeaders':
      return changing.ask('electLeaders', [changeTimeout]);
    case 'electUncleanLeaders':
      return electUncleanLeaders(sessions, request.partitions);
    case 'unregister':
      return unregister(sessions, request.broker);
    case 'addVoter':
      return addVoter(sessions, request);
    case 'removeVoter':
      return removeVoter(sessions, request);
    case 'finalize':
      return finalize(changing, request.level);
    case 'configure':
      return changeConfigs(changing, [
        { owner: { type: 'broker', name: '' }, set: request.set, remove: request.remove },
      ]);
    case 'refuseLogins':
      return refuseLogins(session, changing, request.users);
    case 'allowLogins':
      return allowLogins(changing, request.users);
    case 'markTopics':
      return markTopics(session, changing, request);
    case 'reload':
      return reload(sessions, request);
  }
}

async function reassign(
  { session, changing }: ChangeSessions,
  { from, onto, throttle }: Extract<ClusterRequest, { readonly act: 'reassign' }>,
): Promise<void> {
  const { brokers, partitions: unsized } = await metadataOf(session);
  const partitions = sized(unsized, await sizesOf(session, brokers));
  const serving = brokers.filter(({ isFenced }) => !isFenced);
  const reassignment = reassignmentFor(partitions, serving, { from, onto });
  // The same request with another limit changes that of a reassignment that is under way.
  await changeConfigs(changing, throttleFor(reassignment, partitions, throttle));
  if (reassignment.length === 0) return;
  await changing.ask('assignReplicas', [reassignment, { timeout: changeTimeout, mayChangeNumber: false }]);
}

/** A partition that has a leader meanwhile keeps it: its in-sync replica has come back. */
async function electUncleanLeaders(
  { session, changing }: ChangeSessions,
  named: readonly PartitionRef[],
): Promise<void> {
  const { partitions } = await metadataOf(session);
  const leaderless = askedPartitions(partitions, named).filter(({ leader }) => leader === undefined);
  if (leaderless.length === 0) return;
  await changing.ask('electLeaders', [changeTimeout, leaderless]);
}

/** A broker that is unregistered too early goes on to serve, and its replicas are lost to the rest. */
async function unregister({ session, changing }: ChangeSessions, id: number): Promise<void> {
  const { brokers, partitions } = await metadataOf(session);
  const broker = brokers.find((one) => one.id === id);
  if (!broker) return;
  const kept = partitions.find(({ replicas }) => replicas.includes(id));
  if (kept)
    throw new CallError(
      'terminal',
      `Broker ${id} has replicas, such as one of ${partitionName(kept)}: move them first`,
    );
  if (!broker.isFenced) throw new CallError('terminal', `Broker ${id} is not fenced: stop it first`);
  await changing.ask('unregisterBroker', [id]);
}

async function finalize(changing: KafkaSession, level: number): Promise<void> {
  const update = { feature: 'metadata.version', maxVersionLevel: level, upgradeType: 1 as const };
  await changing.ask('updateFeatures', [changeTimeout, [update], false]);
}

/**
 * A node reads all of its key and trust stores again after any change of its own configuration. The removal of a property that
 * it does not have is one, and leaves nothing behind: a location that was set here would outlast that of the spec.
 */
async function reload(
  { changing }: ChangeSessions,
  { node, address }: Extract<ClusterRequest, { readonly act: 'reload' }>,
): Promise<void> {
  const owner = { type: 'broker', name: `${node}` } as const;
  await changeConfigs(changing, [{ owner, remove: ['ssl.keystore.location'] }], { at: address });
}
