import type { ClusterAnswer, ClusterRequest } from '../../../controllers/kafka/ports/cluster.js';
import { type Clock, sleep } from '../../../runtime/ports/clock.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import type { KafkaSession } from '../connection/session.js';
import { hexadecimalUuid } from '../connection/uuids.js';
import { quorumOf } from './metadata.js';

/** The listener of controllers. */
const listener = 'CONTROLLER';
/** Milliseconds between two readings of the quorum, and how many of them there are at most. */
const pause = 500;
const readings = 6;
/** Milliseconds that the controllers may take to add a voter, which must catch up first. */
const addTimeout = 8_000;

interface Sessions {
  readonly session: KafkaSession;
  readonly changing: KafkaSession;
  readonly signal: AbortSignal;
  readonly clock: Clock;
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

/** Removes a voter. Nothing happens if it is none. @throws {CallError} if the rest has no majority that is alive */
export async function removeVoter(
  { session, changing, signal, clock }: Sessions,
  { id, directoryId }: Extract<ClusterRequest, { readonly act: 'removeVoter' }>,
): Promise<void> {
  const { clusterId } = await session.ask('describeCluster', []);
  const before = await quorumOf(session);
  const isVoter = before.voters.some((voter) => voter.id === id && voter.directoryId === directoryId);
  if (!isVoter) return;
  let obstacle: string | undefined = 'The quorum was not read';
  for (let left = readings; left > 0 && obstacle !== undefined; left--) {
    await sleep(clock, pause, signal);
    signal.throwIfAborted();
    obstacle = obstacleToRemoval(id, before, await quorumOf(session));
  }
  if (obstacle !== undefined) throw new CallError('retryable', obstacle, { mayHaveEffect: false });
  await changing.ask('removeVoter', [clusterId, id, hexadecimalUuid(directoryId)]);
}

/**
 * Why a voter must not be removed, for people. Undefined if a majority of the rest is alive. A voter is alive if it has got
 * records that the leader did not have at the reading before. The leader writes one every 500 ms.
 */
export function obstacleToRemoval(
  id: number,
  before: ClusterAnswer['quorum'],
  after: ClusterAnswer['quorum'],
): string | undefined {
  const end = before.voters.find((voter) => voter.id === before.leader)?.logEndOffset ?? Number.POSITIVE_INFINITY;
  const rest = after.voters.filter((voter) => voter.id !== id);
  if (rest.length === 0) return `Controller ${id} is the only voter`;
  const alive = rest.filter(({ logEndOffset }) => logEndOffset > end);
  const needed = Math.floor(rest.length / 2) + 1;
  if (alive.length >= needed) return undefined;
  return `Without controller ${id}, ${alive.length} of ${rest.length} voters are alive, and ${needed} must be`;
}
