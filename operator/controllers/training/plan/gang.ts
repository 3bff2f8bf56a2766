import { secondsOf } from '../../../../crds/index.js';
import { gangOrder } from '../ports/capacity.js';
import { blindAfter } from './deadlines.js';
import { type Demand, placesFor } from './room.js';
import { currentIn, placesIn, type Situation, type Worker } from './situation.js';

/** The Pods that the scheduler may place and has not placed yet. */
export function scheduling(situation: Situation): readonly Worker[] {
  return currentIn(situation).filter(
    ({ isGated, phase, node }) => !isGated && phase === 'Pending' && node === undefined,
  );
}

/** The Pods that wait for the others. */
export function gatedIn(situation: Situation): readonly Worker[] {
  return currentIn(situation).filter(({ isGated }) => isGated);
}

/** Why the gates stay closed, as a sentence for people. Undefined if they can be opened. */
export function obstacleToOpening(situation: Situation, demand: Demand): string | undefined {
  const { room, roomUnknownSince, now } = situation;
  const gated = gatedIn(situation);
  const missing = placesIn(situation) - currentIn(situation).length;
  if (missing > 0) return `${missing} Pods do not exist yet`;
  if (!room) {
    // Without the permission to read nodes, the timeout alone resolves what does not fit.
    const isBlind = roomUnknownSince !== undefined && now - roomUnknownSince >= blindAfter;
    return isBlind ? undefined : 'the room on the nodes is not known yet';
  }
  const other = room.opening.find((gang) => !isOwn(gang, situation));
  if (other) return `the workers of TrainingJob ${other.namespace}/${other.job} are being scheduled first`;
  const places = placesFor(demand, room.nodes, gated.length);
  return places >= gated.length ? undefined : `the nodes have room for ${places} of ${gated.length} workers`;
}

type Gang = NonNullable<Situation['room']>['opening'][number];

function isOwn(gang: Gang, { namespace, name }: Situation): boolean {
  return gang.namespace === namespace && gang.job === name;
}

/**
 * True if the job must give its nodes back and wait again: its workers do not all get a node in time, or an older job is
 * being scheduled too. Of two jobs that each hold a part of the room, only the younger one gives way.
 */
export function mustGiveBack(situation: Situation): boolean {
  const { memory, spec, now } = situation;
  const unplaced = scheduling(situation);
  if (unplaced.length === 0 || trainsWithout(unplaced, situation)) return false;
  const isLate = memory.openedTime !== undefined && now - memory.openedTime >= 1_000 * secondsOf(spec.gang.timeout);
  return (
    isLate || (memory.members.length === 0 && (situation.room?.opening ?? []).some((gang) => isElder(gang, situation)))
  );
}

/** Additional workers and spares hold up nobody: the members of the generation train meanwhile. */
function trainsWithout(unplaced: readonly Worker[], situation: Situation): boolean {
  const { members } = situation.memory;
  const placed = currentIn(situation).filter((one) => !unplaced.includes(one));
  return members.length > 0 && members.every(({ uid }) => placed.some((one) => one.uid === uid));
}

function isElder(gang: Gang, situation: Situation): boolean {
  if (isOwn(gang, situation)) return false;
  const [queued = ''] = scheduling(situation)
    .map(({ created }) => created)
    .toSorted();
  return gangOrder(gang) < gangOrder({ queued, namespace: situation.namespace, job: situation.name });
}
