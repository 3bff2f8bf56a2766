import type { ClusterAnswer, ClusterRequest } from '../../../controllers/kafka/ports/cluster.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import type { KafkaSession } from '../connection/session.js';
import { hexadecimalUuid } from '../connection/uuids.js';
import { lagOf, quorumOf } from './metadata.js';

/** The listener of controllers. */
const listener = 'CONTROLLER';
/** Milliseconds. A voter that is further behind does not count as alive. */
const longestLag = 10_000;
/** Milliseconds that the controllers may take to add a voter, which must catch up first. */
const addTimeout = 8_000;

interface Sessions {
  readonly session: KafkaSession;
  readonly changing: KafkaSession;
}

/** Makes a controller a voter. Nothing happens if it is one. @throws {CallError} if another disk of it is a voter */
export async function addVoter(
  { session, changing }: Sessions,
  { id, directoryId, address }: Extract<ClusterRequest, { readonly act: 'addVoter' }>,
): Promise<void> {
  const { clusterId } = await session.ask('describeCluster', []);
  const { voters } = await quorumOf(session);
  const known = voters.find((voter) => voter.id === id);
  if (known?.directoryId === directoryId) return;
  if (known) {
    const message = `Controller ${id} is a voter with the disk ${known.directoryId}: remove that voter first`;
    throw new CallError('terminal', message);
  }
  const voter = { id, directoryId: hexadecimalUuid(directoryId), listener, ...address };
  await changing.ask('addVoter', [clusterId, voter, addTimeout]);
}

/** Removes a voter. Nothing happens if it is none. @throws {CallError} if the rest would have no majority */
export async function removeVoter(
  { session, changing }: Sessions,
  { id, directoryId }: Extract<ClusterRequest, { readonly act: 'removeVoter' }>,
): Promise<void> {
  const { clusterId } = await session.ask('describeCluster', []);
  const quorum = await quorumOf(session);
  const isVoter = quorum.voters.some((voter) => voter.id === id && voter.directoryId === directoryId);
  if (!isVoter) return;
  const obstacle = obstacleToRemoval(quorum, id);
  if (obstacle !== undefined) throw new CallError('retryable', obstacle, { mayHaveEffect: false });
  await changing.ask('removeVoter', [clusterId, id, hexadecimalUuid(directoryId)]);
}

/** Why a voter must not be removed, for people. Undefined if the rest has a majority that is alive. */
export function obstacleToRemoval(quorum: ClusterAnswer['quorum'], id: number): string | undefined {
  const rest = quorum.voters.filter((voter) => voter.id !== id);
  if (rest.length === 0) return `Controller ${id} is the only voter`;
  const alive = rest.filter((voter) => (lagOf(quorum, voter.id) ?? Number.POSITIVE_INFINITY) <= longestLag);
  const needed = Math.floor(rest.length / 2) + 1;
  if (alive.length >= needed) return undefined;
  return `Without controller ${id}, ${alive.length} of ${rest.length} voters are alive, and ${needed} must be`;
}
