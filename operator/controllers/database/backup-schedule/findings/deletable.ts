import type { DatabaseResource } from '../../../../../imports/index.js';
import { objectNames } from '../../../../../src/index.js';
import { type Departure, lastOf } from '../../deletion/departure.js';
import type { Situation } from '../situation.js';
import type { ConditionMark } from './condition-mark.js';
import { retainCommand } from './retain-command.js';

type BackupConditions = NonNullable<Situation['snapshots'][number]['status']>['conditions'];

/** Whether a Database can be deleted, and what to do if not. */
export function deletableOf(
  { snapshots, volumes, isArchiveGoing, resource }: Situation,
  departure: Departure,
): ConditionMark<'Deletable'> {
  if (departure === 'NamespaceTerminating' && volumes.length > 0)
    return { reason: departure, message: rescue(volumes) };
  if (isArchiveGoing && departure !== 'Skipped') return { reason: departure, message: goingWith(resource) };
  const { problem, conditions } = lastOf(snapshots)?.status ?? {};
  if (departure === 'Closing') return closingOf(resource, conditions);
  const isUnserved =
    conditions?.some(({ type, reason }) => type === 'Completed' && reason === 'DatabaseNotReady') ?? false;
  if (departure === 'SnapshotRunning' && isUnserved) return { reason: departure, message: unserved };
  const isTold = problem !== undefined && (departure === 'SnapshotRunning' || departure === 'SnapshotFailed');
  if (!isTold) return { reason: departure };
  const what = departure === 'SnapshotRunning' ? 'The final backup is retried' : advice;
  return { reason: departure, message: `${what}: ${problem}` };
}

/** The condition Closed of the final backup has the reason why the archive is not yet complete. */
function closingOf({ status }: DatabaseResource, conditions: BackupConditions): ConditionMark<'Deletable'> {
  const closed = conditions?.find(({ type }) => type === 'Closed');
  if (closed?.reason === 'WorkerNotReady' || closed?.reason === 'Retrying')
    return { reason: 'Closing', message: `The instances have stopped. ${closed.message}; ${orGiveUp}` };
  if (status?.closing === undefined && status?.primary === undefined)
    return {
      reason: 'Closing',
      message: `The final backup is verified, but no primary exists to stop last; ${orGiveUp}`,
    };
  return { reason: 'Closing' };
}

const orGiveUp =
  'fix this problem, or annotate the Database with reconstruct.dev/skip-final-snapshot=true to give up the writes made after the final backup';

function goingWith({ metadata: { name } }: DatabaseResource): string {
  const { repository } = objectNames(name);
  return `PVC ${repository}, which holds the archive, is being deleted, and a final backup would be lost with it; delete the Pod ${repository} so that the operator recreates both, or annotate the Database with reconstruct.dev/skip-final-snapshot=true to skip the final backup`;
}

const advice =
  'The final backup missed its deadline and is retried; fix this problem, or annotate the Database with reconstruct.dev/skip-final-snapshot=true to skip the final backup';

const unserved =
  'The final backup waits for a primary, and none exists; fix the instances, or, if no data must be saved, annotate the Database with reconstruct.dev/skip-final-snapshot=true';

/** A user must be quick: the volumes are deleted once the Pods have stopped. */
function rescue(volumes: readonly string[]): string {
  return `The namespace is being deleted, so no final backup can run, and the volumes are deleted with it; to keep them, run at once: ${retainCommand(volumes)}`;
}
