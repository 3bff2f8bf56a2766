import type { DatabaseBackupResource, DatabaseBackupStatus } from '../../../imports/index.js';
import { byteSize, type Cell, lengthOf, relativeTime, type Shown, type Table } from '../../runtime/index.js';

/** What was backed up, how large it is and how long it took, whether it is verified, and where it is. */
export function statusTables({
  resource: { spec, status = {} },
  now,
}: Shown<DatabaseBackupResource>): readonly Table[] {
  const { label, archive, instance, version, position, attempts, tried, firstRecoverable } = status;
  const backup = {
    DATABASE: spec.database,
    TYPE: spec.type,
    ORIGIN: spec.origin,
    STATE: status.state,
    SIZE: sizeText(status.sizeBytes),
    STORED: sizeText(status.storedBytes),
    DURATION: durationText(status, now),
    FINISHED: relativeTime(status.finished, now),
    VERIFIED: verifiedText(status, now),
    EXPIRES: relativeTime(status.expires, now),
  };
  const place = {
    BACKUP: label,
    LOCATION: locationText(archive),
    INSTANCE: instance,
    VERSION: version,
    TIMELINE: position?.timeline,
    'RESTORABLE SINCE': relativeTime(firstRecoverable, now),
    ATTEMPTS: attempts,
    'LAST FAILURE': relativeTime(tried, now),
  };
  return [{ rows: [backup] }, { title: 'Archive', rows: [place] }];
}

function sizeText(bytes: number | undefined): Cell {
  return bytes === undefined ? undefined : byteSize(bytes);
}

/** Of a running backup, the time so far. */
function durationText({ state, started, finished }: DatabaseBackupStatus, now: number): Cell {
  const end = finished === undefined ? (state === 'Running' ? now : undefined) : Date.parse(finished);
  return started === undefined || end === undefined ? undefined : lengthOf(Math.max(0, end - Date.parse(started)));
}

function verifiedText({ verified }: DatabaseBackupStatus, now: number): Cell {
  const { result, at } = verified ?? {};
  return at === undefined ? result : `${result} (${relativeTime(at, now)})`;
}

function locationText(archive: DatabaseBackupStatus['archive']): Cell {
  const { volume, s3 } = archive ?? {};
  if (volume) return `PVC ${volume.claimName}`;
  return s3 && `s3://${s3.bucket}${s3.path} on ${s3.endpoint}`;
}
