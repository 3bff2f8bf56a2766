import { describe, expect, test } from 'vitest';
import type { DatabaseSpecInput } from '../../../imports/index.js';
import { until } from '../../chaos/wait.js';
import { figure, seconds } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { kubectl } from '../cluster/kubectl.js';
import { type Rule, seenDuring } from './given/observed-moments.js';
import { inArchive } from './given/tried-backup.js';
import { isWell, said, small, TriedDatabase } from './given/tried-database.js';

const namespace = givenNamespace('deleted');
const alone: DatabaseSpecInput = { ...small, replicas: 1, synchronous: { mode: 'None' } };
const saved: DatabaseSpecInput = {
  ...alone,
  deletionPolicy: 'Snapshot',
  backup: { schedule: '0 3 1 1 *', verify: 'Never', target: { volume: { size: '1Gi' } } },
};
/** Seconds that a last backup is tried. */
const deadline = 60;
const skip = 'reconstruct.dev/skip-final-snapshot=true';

describe('a Database that is deleted', () => {
  test.concurrent('line 8: with Retain its volume stays, and a Database of its name takes it up', async () => {
    const kept = new TriedDatabase(namespace, 'kept', { ...alone, deletionPolicy: 'Retain' });
    await kept.begin();
    await kept.sql("INSERT INTO numbers VALUES ('kept', 1)");
    const [claim] = await kept.claims();
    await deleteNow(kept);
    expect(await kept.pods()).toEqual([]);
    await kept.apply({ deletionPolicy: 'Delete' });
    await kept.until('it is ready', isWell, 180);
    expect((await kept.claims()).map(({ metadata }) => metadata.uid)).toEqual([claim?.metadata.uid]);
    expect(await kept.sql("SELECT count(*) FROM numbers WHERE writer = 'kept'")).toBe('1');
  });

  test.concurrent('line 8: with Abandon, a Database whose final backup fails is deleted at the deadline', async () => {
    const abandoned = new TriedDatabase(namespace, 'abandoned', withDeadline('Abandon'));
    await begunWithoutArchive(abandoned);
    const deleted = Date.now();
    const seen = await seenDuring(abandoned, untouched(deleted + (deadline - 2) * 1000), async () => {
      await kubectl(['--namespace', namespace, 'delete', 'database/abandoned', '--wait=false']);
      await abandoned.until('it says what is wrong', (database) => said(database, 'Deletable').includes('is retried'));
      figure(8, `a target that is broken: ${said(await abandoned.live(), 'Deletable')}`);
      await untilGone(abandoned, deadline + 60);
    });
    figure(8, `given up ${seconds(deleted, Date.now())} after the deletion, with ${deadline} s to try`);
    expect(seen).toEqual([]);
    expect(await abandoned.claims()).toEqual([]);
  });

  test.concurrent('line 8: with Block, it remains until a user skips the final backup', async () => {
    const blocked = new TriedDatabase(namespace, 'blocked', withDeadline('Block'));
    await begunWithoutArchive(blocked);
    const seen = await seenDuring(blocked, untouched(), async () => {
      await kubectl(['--namespace', namespace, 'delete', 'database/blocked', '--wait=false']);
      const isLate = (database: Parameters<typeof said>[0]) => said(database, 'Deletable').startsWith('SnapshotFailed');
      await blocked.until('it says that time is up', isLate, deadline + 60);
    });
    expect(seen).toEqual([]);
    const released = Date.now();
    await kubectl(['--namespace', namespace, 'annotate', 'database/blocked', skip]);
    await untilGone(blocked, 60);
    figure(8, `released by the annotation in ${seconds(released, Date.now())}`);
  });

  test.concurrent('line 8: its namespace remains too, reports it, and is deleted once the final backup is skipped', async () => {
    const ending = `${namespace}-ending`;
    await kubectl(['create', 'namespace', ending]);
    const orders = new TriedDatabase(ending, 'orders', saved);
    await orders.begin();
    await kubectl(['delete', 'namespace', ending, '--wait=false']);
    // Before its Pods have ended and its claims go.
    await orders.until('it says how its volumes are kept', (database) =>
      said(database, 'Deletable').includes('patch pv'),
    );
    figure(8, `in a namespace that is deleted: ${said(await orders.live(), 'Deletable')}`);
    await kubectl(['--namespace', ending, 'annotate', 'database/orders', skip]);
    await kubectl(['wait', '--for=delete', `namespace/${ending}`, '--timeout=180s']);
  });
});

function withDeadline(onFailure: 'Abandon' | 'Block'): DatabaseSpecInput {
  return { ...saved, finalSnapshot: { deadline: `${deadline}s`, onFailure } };
}

/** Makes one, and then takes away the right to write where its backups go. */
async function begunWithoutArchive(database: TriedDatabase): Promise<void> {
  await database.begin();
  await database.until('it is backed up', (live) => said(live, 'BackedUp').startsWith('OnSchedule'), 180);
  await inArchive(database, 'chmod 0500 /var/lib/pgbackrest/backup/* /var/lib/pgbackrest/archive/*');
}

/** No object of it is deleted. @param until milliseconds since 1970 */
function untouched(until = Number.POSITIVE_INFINITY): Rule {
  return ({ pods, claims }) => {
    const isThere = [...pods, ...claims].filter(({ metadata }) => !metadata.deletionTimestamp).length === 2;
    return isThere || Date.now() > until ? undefined : 'something goes that is not saved';
  };
}

async function deleteNow({ namespace, name }: TriedDatabase): Promise<void> {
  await kubectl(['--namespace', namespace, 'delete', `database/${name}`, '--timeout=90s']);
}

async function untilGone(database: TriedDatabase, within: number): Promise<void> {
  const isGone = async () => (await database.found()) === undefined;
  await until(isGone, { what: `${database.name} is gone`, within: within * 1000, every: 300 });
}
