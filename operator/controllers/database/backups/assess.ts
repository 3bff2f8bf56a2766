import type {
  DatabaseBackupResource,
  DatabaseResource,
  DatabaseStatusBackup,
  DatabaseStatusSnapshot,
} from '../../../../imports/index.js';
import { objectNames } from '../../../../src/index.js';
import { type Assessment, type Mark, type Outcome, timestampOf } from '../../../runtime/index.js';
import { lastDue, nextDue } from '../../../schedule/schedule.js';
import { type Departure, deadlineOf, departureOf, isGood } from '../deletion/departure.js';
import type { conditions } from './conditions.js';
import { type BackupsFacts, type Situation, situationOf } from './situation.js';

type Vocabulary = typeof conditions;
type Reason<Type extends keyof Vocabulary> = Mark<Extract<keyof Vocabulary[Type], string>>;
type Conditions = NonNullable<DatabaseBackupResource['status']>['conditions'];
type Found = Assessment<DatabaseResource, Vocabulary, 'backup' | 'snapshot'>;

/** Milliseconds: requeues at once, because the next step follows from the status that this reconcile writes. */
const atOnce = 1;
/** Maximum milliseconds until the next reconcile, which bounds the effect of a changed clock. */
const longest = 3_600_000;

/** Reports the age and verification of the backups. During a deletion, reports whether the data is safe. */
export function assess(facts: BackupsFacts & Pick<Outcome, 'blocker'>): Found {
  const situation = situationOf(facts);
  const { resource } = situation;
  if (!resource.spec.backup) return { conditions: {} };
  const backup = backupOf(situation);
  if (resource.metadata.deletionTimestamp) return leaving(situation, rememberedWith(backup, resource), facts.blocker);
  return {
    conditions: { BackedUp: backedUpOf(situation), Verified: verifiedOf(situation), Deletable: warningOf(situation) },
    status: backup,
    requeueAfter: recheckOf(situation, resource.spec.backup.schedule),
  };
}

/** A namespace deletion stops the Pods first, so a user can still retain the volumes until they have stopped. */
function warningOf(situation: Situation): Reason<'Deletable'> | undefined {
  const departure = situation.isNamespaceEnding ? departureOf(situation) : undefined;
  return departure === 'NamespaceTerminating' ? deletableOf(situation, departure) : undefined;
}

function leaving(situation: Situation, backup: Shown, blocker: string | undefined): Found {
  const { resource, now } = situation;
  const said = resource.status?.conditions?.find(({ type }) => type === 'Deletable')?.reason;
  const isRefused = blocker?.includes('its namespace is being deleted') ?? false;
  const isNamespaceEnding = situation.isNamespaceEnding || isRefused || ends.has(said ?? '');
  const departure = departureOf({ ...situation, isNamespaceEnding });
  const isSaid = said === departure;
  const untilDeadline = deadlineOf(resource) - now;
  const isOpen = opens.has(departure);
  return {
    conditions: { Deletable: deletableOf(situation, departure) },
    status: { ...backup, ...(departure !== 'SnapshotNotNeeded' && { snapshot: snapshotOf(situation, departure) }) },
    ...(!isSaid && { requeueAfter: atOnce }),
    ...(isSaid && isOpen && untilDeadline > 0 && { requeueAfter: untilDeadline }),
  };
}

/**
 * Reasons that imply a namespace deletion. They stay, because the deletion is final and no later blocker reports it.
 */
const ends: ReadonlySet<string> = new Set([
  'ArchiveRetained',
  'VolumesDeleted',
  'NamespaceTerminating',
] satisfies Departure[]);

/** Reasons that the deadline can change. */
const opens: ReadonlySet<Departure> = new Set([
  'SnapshotRunning',
  'SnapshotVerifying',
  'Closing',
  'NamespaceTerminating',
]);

function deletableOf(
  { snapshots, volumes, isArchiveGoing, resource }: Situation,
  departure: Departure,
): Reason<'Deletable'> {
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
function closingOf({ status }: DatabaseResource, conditions: Conditions): Reason<'Deletable'> {
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
  return `The namespace is being deleted, so no final backup can run, and the volumes are deleted with it; to keep them, run at once: ${keeping(volumes)}`;
}

function keeping(volumes: readonly string[]): string {
  return `kubectl patch pv ${volumes.toSorted().join(' ')} -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`;
}

/** The final backup that counts: a verified one, or else the current attempt. */
function lastOf(snapshots: Situation['snapshots']): DatabaseBackupResource | undefined {
  return snapshots.find(isGood) ?? snapshots.at(-1);
}

const states: Readonly<Record<Departure, NonNullable<DatabaseStatusSnapshot['state']>>> = {
  SnapshotNotNeeded: 'Skipped',
  SnapshotCompleted: 'Verified',
  Skipped: 'Skipped',
  Abandoned: 'Abandoned',
  ArchiveRetained: 'Skipped',
  VolumesDeleted: 'Failed',
  SnapshotRunning: 'Running',
  SnapshotVerifying: 'Completed',
  Closing: 'Completed',
  NamespaceTerminating: 'Failed',
  SnapshotFailed: 'Failed',
};

function snapshotOf({ resource, snapshots, instances }: Situation, departure: Departure): DatabaseStatusSnapshot {
  const last = lastOf(snapshots);
  const { started, finished, verified, problem } = last?.status ?? {};
  const why = problem ?? (verified?.result === 'RestoreFailed' ? verified.message : undefined);
  const deadline = timestampOf(deadlineOf(resource));
  return {
    ...(last && { name: last.metadata.name }),
    state: departure === 'Closing' && instances.length === 0 ? 'Closing' : states[departure],
    ...(started !== undefined && { started }),
    ...(finished !== undefined && { finished }),
    ...(verified?.result === 'RestoreSucceeded' && verified.at !== undefined && { verified: verified.at }),
    deadline,
    ...(why !== undefined && { problem: why }),
  };
}

/**
 * A part of the status. It omits `backup` instead of writing it empty, because the API server rejects the resulting
 * null.
 */
type Shown = { readonly backup?: DatabaseStatusBackup };

function backupOf(situation: Situation): Shown {
  const { complete } = situation;
  const newest = complete.at(-1)?.status;
  const asked = answeredOf(situation);
  if (!newest) return asked === undefined ? {} : { backup: { asked } };
  const lastVerified = complete.findLast(isGood)?.status?.finished;
  const backup = {
    ...(newest.finished !== undefined && { last: newest.finished }),
    ...(lastVerified !== undefined && { lastVerified }),
    ...(newest.firstRecoverable !== undefined && { firstRecoverable: newest.firstRecoverable }),
    ...(asked !== undefined && { asked }),
  };
  return { backup };
}

/** A namespace deletion removes the backups before their Database, while the archive still has them. */
function rememberedWith({ backup }: Shown, { status }: DatabaseResource): Shown {
  const known = { ...status?.backup, ...backup };
  return Object.keys(known).length > 0 ? { backup: known } : {};
}

/** A request counts as answered once its backup exists, permanently. */
function answeredOf({ resource, asked, wish }: Situation): string | undefined {
  const isThere = asked.some(({ metadata }) => metadata.name === wish?.name);
  return isThere ? wish?.value : resource.status?.backup?.asked;
}

function backedUpOf(situation: Situation): Reason<'BackedUp'> {
  const { complete, scheduled, resource, isArchiveGoing } = situation;
  if (isArchiveGoing) return { reason: 'ArchiveTerminating', message: goingAway(situation) };
  const last = scheduled.at(-1)?.status;
  if (last?.state === 'Failed') {
    const message = last.problem === undefined ? undefined : `The last backup failed: ${last.problem}`;
    return { reason: 'Failed', ...(message !== undefined && { message }) };
  }
  const newest = complete.at(-1)?.status?.finished;
  if (newest !== undefined) return { reason: isOverdue(situation, Date.parse(newest)) ? 'Overdue' : 'OnSchedule' };
  return { reason: resource.status?.primary === undefined ? 'Pending' : 'FirstBackupRunning' };
}

/** The deletion of a PVC is final, and its data exists for as long as its Pod. */
function goingAway({ name, archiveVolume }: Situation): string {
  const { repository } = objectNames(name);
  const first = archiveVolume === undefined ? '' : `to keep them, run ${keeping([archiveVolume])}; then `;
  return `PVC ${repository} is being deleted, and all backups are lost once the Pod ${repository} stops; ${first}delete that Pod, so that the operator recreates the Pod, the PVC and a backup`;
}

/** True if a due backup is missing although the next one is due too. */
function isOverdue({ resource, now }: Situation, newest: number): boolean {
  const { schedule = '' } = resource.spec.backup ?? {};
  const last = lastDue(schedule, { since: newest, now });
  return last !== undefined && lastDue(schedule, { since: newest, now: last - 1 }) !== undefined;
}

function verifiedOf({ complete, resource }: Situation): Reason<'Verified'> | undefined {
  const judged = complete.findLast(({ status }) => status?.verified?.result !== undefined);
  const message = judged?.status?.verified?.message;
  if (judged && !isGood(judged)) {
    const why = message === undefined ? '' : `: ${message}`;
    return { reason: 'RestoreFailed', message: `Backup ${judged.metadata.name} cannot be restored${why}` };
  }
  if (judged) return { reason: 'RestoreSucceeded' };
  return resource.spec.backup?.verify === 'Never' ? undefined : { reason: 'Pending' };
}

function recheckOf({ now }: Situation, schedule: string): number {
  const next = nextDue(schedule, now);
  return Math.min(longest, Math.max(atOnce, (next ?? now + longest) - now));
}
