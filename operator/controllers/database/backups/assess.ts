import type {
  DatabaseBackupResource,
  DatabaseResource,
  DatabaseStatusBackup,
  DatabaseStatusSnapshot,
} from '../../../../imports/index.js';
import { objectNames } from '../../../../src/index.js';
import { type Assessment, type Mark, type Outcome, timestampOf } from '../../../runtime/index.js';
import { lastDue, nextDue } from '../../schedule.js';
import { type Departure, deadlineOf, departureOf, isGood } from '../deletion/departure.js';
import type { conditions } from './conditions.js';
import { type BackupsFacts, type Situation, situationOf } from './situation.js';

type Vocabulary = typeof conditions;
type Reason<Type extends keyof Vocabulary> = Mark<Extract<keyof Vocabulary[Type], string>>;
type Conditions = NonNullable<DatabaseBackupResource['status']>['conditions'];
type Found = Assessment<DatabaseResource, Vocabulary, 'backup' | 'snapshot'>;

/** At once, but in another pass: what is to be done follows from what this one has written. */
const atOnce = 1;
/** Milliseconds after which a clock that was set, or a timer that was too long, matters no more. */
const longest = 3_600_000;

/** Says how old and how good the backups are; of a Database that is being deleted, whether its data is in safety. */
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

/** Kubernetes ends the Pods of a namespace before it deletes anything else: volumes can be kept as long as that takes. */
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

/** What is said of a Database whose namespace ends, which nothing takes back: who wants nothing there hears no more of it. */
const ends: ReadonlySet<string> = new Set([
  'ArchiveRetained',
  'VolumesDeleted',
  'NamespaceTerminating',
] satisfies Departure[]);

/** What time may end. */
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

/** What keeps it from being closed stands in a condition of the last backup. */
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

/** They are kept by whoever is quick: they go when the Pods have stopped. */
function rescue(volumes: readonly string[]): string {
  return `The namespace is being deleted, so no final backup can run, and the volumes are deleted with it; to keep them, run at once: ${keeping(volumes)}`;
}

function keeping(volumes: readonly string[]): string {
  return `kubectl patch pv ${volumes.toSorted().join(' ')} -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`;
}

/** The one that counts: a good one, or else the one that is tried now. */
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

/** Part of the status. Empty, not with an empty part: to the API server that is null once it had members, which it refuses. */
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

/** With their namespace backups go before their Database does, and the archive has them as before. */
function rememberedWith({ backup }: Shown, { status }: DatabaseResource): Shown {
  const known = { ...status?.backup, ...backup };
  return Object.keys(known).length > 0 ? { backup: known } : {};
}

/** It counts as made once its backup is there, and then for good. */
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

/** Nothing takes the deletion of a claim back, and what it has is there for as long as its Pod is. */
function goingAway({ name, archiveVolume }: Situation): string {
  const { repository } = objectNames(name);
  const first = archiveVolume === undefined ? '' : `to keep them, run ${keeping([archiveVolume])}; then `;
  return `PVC ${repository} is being deleted, and all backups are lost once the Pod ${repository} stops; ${first}delete that Pod, so that the operator recreates the Pod, the PVC and a backup`;
}

/** One that was due is not there though the next one is due too. */
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
