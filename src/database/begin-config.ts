import type { DatabaseSpec } from '../../imports/index.js';
import { type Restoration, restoreArguments } from './pgbackrest-config.js';

/**
 * `begin.json`: what the first instance of a Database makes of its empty volume.
 * @param restoration what is restored. @default - nothing: the database begins empty
 */
export function beginConfig({ bootstrap, backup }: DatabaseSpec, restoration?: Restoration): string {
  const plan = {
    database: bootstrap.database,
    owner: bootstrap.owner,
    // Whether there is SQL to run, so that a ConfigMap that is not there is not taken for none.
    initSql: bootstrap.initSql !== undefined,
    // Whether there is one, which nobody may have used before.
    archive: backup !== undefined,
    restore: restoration ? restoreArguments(restoration) : null,
  };
  return `${JSON.stringify(plan, null, 2)}\n`;
}
