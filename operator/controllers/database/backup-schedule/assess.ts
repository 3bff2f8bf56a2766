import type { DatabaseResource } from '../../../../imports/index.js';
import { type Assessment, conditionOf, type Outcome, reportOnly } from '../../../runtime/index.js';
import { nextDue } from '../../../schedule/schedule.js';
import { type Departure, deadlineOf, departureOf } from '../deletion/departure.js';
import { backupOf, rememberedWith, type Shown, snapshotOf } from './backup-status.js';
import type { conditions } from './conditions.js';
import { backedUpOf } from './findings/backed-up.js';
import type { ConditionMark } from './findings/condition-mark.js';
import { deletableOf } from './findings/deletable.js';
import { verifiedOf } from './findings/verified.js';
import { type Situation, situationOf } from './situation.js';
import type { BackupScheduleView } from './view.js';

type Found = Assessment<DatabaseResource, typeof conditions, 'backup' | 'snapshot'>;

/** Milliseconds: requeues at once, because the next step follows from the status that this reconcile writes. */
const atOnce = 1;
/** Maximum milliseconds until the next reconcile, which bounds the effect of a changed clock. */
const longest = 3_600_000;

/** Reports the age and verification of the backups. During a deletion, reports whether the data is safe. */
export function assess(facts: BackupScheduleView & Pick<Outcome, 'blocker'>): Found {
  const situation = situationOf(facts);
  const { resource } = situation;
  if (!resource.spec.backup) return { conditions: reportOnly({}) };
  const backup = backupOf(situation);
  if (resource.metadata.deletionTimestamp) return leaving(situation, rememberedWith(backup, resource), facts.blocker);
  return {
    conditions: { BackedUp: backedUpOf(situation), Verified: verifiedOf(situation), Deletable: warningOf(situation) },
    status: backup,
    requeueAfter: recheckOf(situation, resource.spec.backup.schedule),
  };
}

/** A namespace deletion stops the Pods first, so a user can still retain the volumes until they have stopped. */
function warningOf(situation: Situation): ConditionMark<'Deletable'> | undefined {
  const departure = situation.isNamespaceEnding ? departureOf(situation) : undefined;
  return departure === 'NamespaceTerminating' ? deletableOf(situation, departure) : undefined;
}

function leaving(situation: Situation, backup: Shown, blocker: string | undefined): Found {
  const { resource, now } = situation;
  const said = conditionOf<typeof conditions>(resource, 'Deletable')?.reason;
  const isRefused = blocker?.includes('its namespace is being deleted') ?? false;
  const isNamespaceEnding = situation.isNamespaceEnding || isRefused || ends.has(said ?? '');
  const departure = departureOf({ ...situation, isNamespaceEnding });
  const isSaid = said === departure;
  const untilDeadline = deadlineOf(resource) - now;
  const isOpen = opens.has(departure);
  return {
    conditions: reportOnly({ Deletable: deletableOf(situation, departure) }),
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

function recheckOf({ now }: Situation, schedule: string): number {
  const next = nextDue(schedule, now);
  return Math.min(longest, Math.max(atOnce, (next ?? now + longest) - now));
}
