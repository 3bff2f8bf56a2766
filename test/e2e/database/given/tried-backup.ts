import { type DatabaseBackupResource, databaseBackupKind } from '../../../../imports/index.js';
import { until } from '../../../chaos/wait.js';
import { listed, read } from '../../cluster/api.js';
import { applied, kubectl } from '../../cluster/kubectl.js';
import type { TriedDatabase } from './tried-database.js';

/** The annotation that has a backup restored and read. */
const verify = 'reconstruct.dev/verify';

/** A backup of a Database, as a user asks for it. */
export class TriedBackup {
  constructor(
    readonly database: TriedDatabase,
    readonly name: string,
  ) {}

  /** Asks for it. */
  async make({ isVerified = false } = {}): Promise<void> {
    const { namespace, name: database } = this.database;
    await applied({
      apiVersion: 'reconstruct.dev/v1alpha1',
      kind: 'DatabaseBackup',
      metadata: { namespace, name: this.name, ...(isVerified && { annotations: { [verify]: 'true' } }) },
      spec: { database },
    });
  }

  /** Asks that it is restored and read. */
  async verify(): Promise<void> {
    const of = ['--namespace', this.database.namespace];
    await kubectl([...of, 'annotate', `databasebackup/${this.name}`, `${verify}=true`]);
  }

  /** Resolves when its status meets a condition. @param within seconds */
  async until(
    what: string,
    isSo: (backup: DatabaseBackupResource) => boolean,
    within = 120,
  ): Promise<DatabaseBackupResource> {
    let live: DatabaseBackupResource | undefined;
    const asked = async () => {
      live = await read(databaseBackupKind, { namespace: this.database.namespace, name: this.name });
      return live !== undefined && isSo(live);
    };
    await until(asked, { what: `backup ${this.name}: ${what}`, within: within * 1000, every: 300 });
    return live ?? this.until(what, isSo, within);
  }
}

/** All backups of a Database that there are. */
export async function backupsOf({ namespace, name }: TriedDatabase): Promise<readonly DatabaseBackupResource[]> {
  const all = await listed(databaseBackupKind, { namespace });
  return all.filter(({ spec }) => spec.database === name);
}

/** Whether it is in the archive. */
export function isMade({ status }: DatabaseBackupResource): boolean {
  return status?.label !== undefined && status.state !== 'Expired';
}

/** Whether it was restored, and every row was read. */
export function isGood({ status }: DatabaseBackupResource): boolean {
  return status?.verified?.result === 'RestoreSucceeded';
}

/** Runs a shell command in the Pod with the archive. @returns its output */
export async function inArchive({ namespace, name }: TriedDatabase, line: string): Promise<string> {
  return kubectl(['--namespace', namespace, 'exec', `${name}-repo`, '-c', 'pgbackrest', '--', 'sh', '-ec', line]);
}

/** Resolves when what was written so far is in the archive. */
export async function untilArchived(database: TriedDatabase): Promise<void> {
  const file = await database.sql('SELECT pg_walfile_name(pg_switch_wal())');
  const query = `SELECT coalesce(last_archived_wal, '') >= '${file}' FROM pg_stat_archiver`;
  const isArchived = async () => (await database.sql(query)) === 't';
  await until(isArchived, { what: `${file} is in the archive`, within: 60_000, every: 500 });
}
