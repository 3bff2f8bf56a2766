import type { DatabaseResource } from '../../../imports/index.js';
import type { BackedUp, Restored } from '../../../src/index.js';
import { RejectedError } from '../../runtime/index.js';
import type { DatabaseReads } from './declared.js';

/** What a Database begins with; undefined where it begins empty, and once it has begun and that is not there any more. */
export function restoredFor(
  { metadata, spec, status }: DatabaseResource,
  { sources, backup }: Pick<DatabaseReads, 'sources' | 'backup'>,
): Restored | undefined {
  const { restore } = spec.bootstrap;
  if (!restore) return undefined;
  const { namespace = '' } = metadata;
  const found = restore.from.database === undefined ? ofBackup(backup) : { from: restore.from.database };
  const backedUp = 'from' in found ? sources.find((one) => one.metadata.name === found.from)?.spec.backup : undefined;
  if ('from' in found && backedUp) {
    const source: BackedUp = { name: found.from, namespace, backup: backedUp };
    return { source, restoration: { ...found, targetTime: restore.targetTime } };
  }
  if (status?.timeline !== undefined) return undefined;
  const why = 'from' in found ? `there is no Database ${found.from} with backups in this namespace` : found.why;
  throw new RejectedError('NothingToRestore', `${why}: name what is there in bootstrap.restore.from`);
}

function ofBackup(backup: DatabaseReads['backup']): { from: string; backup: string } | { why: string } {
  if (!backup) return { why: 'there is no such DatabaseBackup in this namespace' };
  const { label } = backup.status;
  if (label === undefined) return { why: `DatabaseBackup ${backup.metadata.name} is not finished` };
  return { from: backup.spec.database, backup: label };
}
