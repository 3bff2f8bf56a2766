import { closedBy, type Situation, wantsVerification } from '../situation.js';
import { isInArchive } from '../view.js';
import { attemptAt, type Step } from './step.js';

export { mostAttempts, type Step } from './step.js';

/** Order of priority. A backup that is being deleted has no other step, and a backup is verified only once it completes. */
const rules = [deletion, creation, verification, closing];

/** The next step: the first that is due. */
export function stepOf(situation: Situation): Step {
  for (const rule of rules) {
    const step = rule(situation);
    if (step) return step;
  }
  return { does: 'rest' };
}

/** Also removes the backup from the archive, unless the archive is retained for later restores. */
function deletion(situation: Situation): Step | undefined {
  const { backup, database, isReachable } = situation;
  if (!backup.metadata.deletionTimestamp) return undefined;
  const isKept = isReachable && database?.metadata.deletionTimestamp === undefined;
  return isInArchive(backup) && isKept ? attemptAt('expire', situation) : { does: 'rest' };
}

function creation(situation: Situation): Step | undefined {
  const { backup, database, before, runs } = situation;
  if (backup.status?.label !== undefined) return undefined;
  if (backup.status?.state === 'Failed') return { does: 'rest' };
  if (!database) return { does: 'wait', why: 'DatabaseNotFound' };
  if (!database.spec.backup) return { does: 'wait', why: 'NoBackupTarget' };
  if (database.metadata.deletionTimestamp && backup.spec.origin !== 'Snapshot')
    return { does: 'wait', why: 'Cancelled' };
  if (before) return { does: 'wait', why: 'Pending' };
  const isStarted = runs.some(({ task }) => task === 'make');
  if (!isStarted && database.status?.primary === undefined) return { does: 'wait', why: 'DatabaseNotReady' };
  return attemptAt('make', situation);
}

function verification(situation: Situation): Step | undefined {
  const { backup, isReachable, isOutdated } = situation;
  const isVerified = backup.status?.verified?.result !== undefined;
  const isDue = isReachable && !isOutdated && wantsVerification(situation) && !isVerified;
  return isDue ? attemptAt('verify', situation) : undefined;
}

/** Archives the end of the log of a stopped instance. */
function closing(situation: Situation): Step | undefined {
  return closedBy(situation) === undefined ? undefined : attemptAt('close', situation);
}
