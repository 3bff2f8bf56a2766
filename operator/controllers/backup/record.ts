import type { DatabaseBackupStatus } from '../../../imports/index.js';
import { archiveOf } from './archive.js';
import { mostTries, type NextAction } from './progress.js';
import type { Work, WorkerResult } from './result.js';
import type { Situation } from './situation.js';

/** What the status keeps of a backup, apart from what the runtime says and what follows from other backups. */
export type BackupRecord = Omit<
  DatabaseBackupStatus,
  'observedGeneration' | 'conditions' | 'retryCount' | 'lastReconciled' | 'expires'
>;

/** What is known of a backup by now: what the status kept, and what the worker found that has ended since. */
export function recordOf(situation: Situation, course: NextAction): BackupRecord {
  const { observedGeneration: _, conditions: __, expires: ___, ...kept } = situation.backup.status ?? {};
  const known = kept as BackupRecord;
  const ended = course.does === 'work' ? endedOf(situation.works, course) : undefined;
  if (!ended?.result) return placed(known, situation);
  const { at, backup, database } = situation;
  const about = { at, origin: backup.spec.origin, version: database?.status?.version };
  return placed(withResult(known, { ...ended, result: ended.result }, about), situation);
}

/** Where it is, is kept for the time when its Database is gone; until then by what keys that reaches it. */
function placed(known: BackupRecord, { database, isReachable }: Situation): BackupRecord {
  const archive = database && archiveOf(database);
  return known.label !== undefined && isReachable && archive ? { ...known, archive } : known;
}

function endedOf(works: readonly Work[], { task, attempt }: { task: string; attempt: number }): Work | undefined {
  return works.find((work) => work.task === task && work.attempt === attempt && work.result !== undefined);
}

function withResult(
  known: BackupRecord,
  { task, attempt, result }: Work & { readonly result: WorkerResult },
  { at, origin, version }: { readonly at: string; readonly origin: string; readonly version: string | undefined },
): BackupRecord {
  const isLast = origin === 'Snapshot';
  if (task === 'make' && result.label !== undefined)
    return settled({ ...known, ...madeOf(result), ...defined({ version }) }, isLast);
  if (task === 'verify' && result.good !== undefined) {
    const message = result.message ?? result.problem;
    const found = { result: result.good ? ('RestoreSucceeded' as const) : ('RestoreFailed' as const), at };
    return settled({ ...known, verified: { ...found, ...(message && { message }) } }, isLast || !result.good);
  }
  if (task === 'expire' && result.expired) return settled({ ...known, state: 'Expired' }, isLast);
  if (task === 'close' && result.closed) return settled({ ...known, closed: at }, isLast);
  const problem = (result.problem ?? 'the worker reported no result').slice(0, 1024);
  const isGivenUp = task === 'make' && attempt >= mostTries && !isLast;
  return { ...known, attempts: attempt, tried: at, problem, ...(isGivenUp && { state: 'Failed' as const }) };
}

function madeOf(result: WorkerResult): BackupRecord {
  const { label, instance, started, finished, start, stop, timeline, sizeBytes, storedBytes } = result;
  const { firstRecoverable } = result;
  return defined({
    ...{ label, instance, started, finished, sizeBytes, storedBytes, firstRecoverable },
    position: defined({ start, stop, timeline }),
  }) as BackupRecord;
}

/**
 * The tries of the next task are counted anew. Why the last one that failed did, stays for whoever looks later, unless
 * somebody takes it for what is wrong now: the Database of a last backup tells what keeps that.
 */
function settled({ attempts: _, ...known }: BackupRecord, forgets: boolean): BackupRecord {
  const { tried: __, problem: ___, ...rest } = known;
  return forgets ? rest : known;
}

/** What JSON can say: a member that is not known is left out. */
function defined<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}
