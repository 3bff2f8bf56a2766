import type { DatabaseBackupStatus } from '../../../imports/index.js';
import { defined } from '../../runtime/index.js';
import { archiveOf } from './archive.js';
import { mostAttempts, type Step } from './plan/index.js';
import type { Situation } from './situation.js';
import type { WorkerResult, WorkerRun } from './worker.js';

/** The recorded part of the status, without runtime fields and without fields that depend on other backups. */
export type BackupRecord = Omit<
  DatabaseBackupStatus,
  'observedGeneration' | 'conditions' | 'retryCount' | 'lastReconciled' | 'expires'
>;

/** The recorded status of a backup, with the result of a worker that has finished since. */
export function recordOf(situation: Situation, step: Step): BackupRecord {
  const { observedGeneration: _, conditions: __, expires: ___, ...kept } = situation.backup.status ?? {};
  const known = kept as BackupRecord;
  const ended = step.does === 'work' ? endedOf(situation.runs, step) : undefined;
  if (!ended?.result) return withArchive(known, situation);
  const { at, backup, database } = situation;
  const about = { at, origin: backup.spec.origin, version: database?.status?.version };
  return withArchive(withResult(known, { ...ended, result: ended.result }, about), situation);
}

/** Records the location of the archive for the time after the Database is deleted, with its current Secret. */
function withArchive(known: BackupRecord, { database, isReachable }: Situation): BackupRecord {
  const archive = database && archiveOf(database);
  return known.label !== undefined && isReachable && archive ? { ...known, archive } : known;
}

function endedOf(
  runs: readonly WorkerRun[],
  { task, attempt }: { task: string; attempt: number },
): WorkerRun | undefined {
  return runs.find((run) => run.task === task && run.attempt === attempt && run.result !== undefined);
}

function withResult(
  known: BackupRecord,
  { task, attempt, result }: WorkerRun & { readonly result: WorkerResult },
  { at, origin, version }: { readonly at: string; readonly origin: string; readonly version: string | undefined },
): BackupRecord {
  const isLast = origin === 'Snapshot';
  if (task === 'make' && result.label !== undefined)
    return withoutAttempts({ ...known, ...createdBy(result), ...defined({ version }) }, isLast);
  if (task === 'verify' && result.good !== undefined) {
    const message = result.message ?? result.problem;
    const found = { result: result.good ? ('RestoreSucceeded' as const) : ('RestoreFailed' as const), at };
    return withoutAttempts({ ...known, verified: { ...found, ...(message && { message }) } }, isLast || !result.good);
  }
  if (task === 'expire' && result.expired) return withoutAttempts({ ...known, state: 'Expired' }, isLast);
  if (task === 'close' && result.closed) return withoutAttempts({ ...known, closed: at }, isLast);
  const problem = (result.problem ?? 'the worker reported no result').slice(0, 1024);
  const isGivenUp = task === 'make' && attempt >= mostAttempts && !isLast;
  return { ...known, attempts: attempt, tried: at, problem, ...(isGivenUp && { state: 'Failed' as const }) };
}

function createdBy(result: WorkerResult): BackupRecord {
  const { label, instance, started, finished, start, stop, timeline, sizeBytes, storedBytes } = result;
  const { firstRecoverable } = result;
  return defined({
    ...{ label, instance, started, finished, sizeBytes, storedBytes, firstRecoverable },
    position: defined({ start, stop, timeline }),
  }) as BackupRecord;
}

/**
 * Resets the attempts for the next task. The last problem stays in the status as history, unless it could be mistaken
 * for a current problem: a Database reports the problem of its final backup.
 */
function withoutAttempts({ attempts: _, ...known }: BackupRecord, forgets: boolean): BackupRecord {
  const { tried: __, problem: ___, ...rest } = known;
  return forgets ? rest : known;
}
