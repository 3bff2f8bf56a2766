import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseSpecInput } from '../../../imports/index.js';
import { until } from '../../chaos/wait.js';
import { figure, seconds } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { kubectl } from '../cluster/kubectl.js';
import { acknowledgedIn, countOf } from './client/ledger.js';
import { claimsGoLast, type Rule, seenDuring } from './given/observed-moments.js';
import { backupsOf, inArchive, isGood, isMade, TriedBackup, untilArchived } from './given/tried-backup.js';
import { is, isWell, said, small, TriedDatabase } from './given/tried-database.js';
import { Witnesses } from './given/witnesses.js';

const namespace = givenNamespace('backed-up');
const kept = 2;
const backup = (schedule: string): DatabaseSpecInput['backup'] => ({
  ...{ schedule, verify: 'Daily', retention: { full: kept } },
  target: { volume: { size: '1Gi' } },
});
const alone: DatabaseSpecInput = { ...small, replicas: 1, synchronous: { mode: 'None' } };

describe('a Database with backups', () => {
  const orders = new TriedDatabase(namespace, 'orders', {
    ...{ ...small, replicas: 2, deletionPolicy: 'Snapshot' },
    backup: backup('* * * * *'),
  });
  beforeAll(() => orders.begin());

  test('line 6: a scheduled backup is taken from a replica and verified by a restore', async () => {
    const verified = await orders.until(
      'one is found good',
      ({ status }) => status?.backup?.lastVerified !== undefined,
      180,
    );
    const first = (await backupsOf(orders)).find(isGood);
    figure(
      6,
      `the first scheduled one is verified ${seconds(Date.parse(first?.metadata.creationTimestamp ?? ''), verified)} after it was asked for`,
    );
    expect(first?.spec.origin).toBe('Schedule');
    const manifest = await inArchive(
      orders,
      `grep backup-standby /var/lib/pgbackrest/backup/orders/${first?.status?.label}/backup.manifest`,
    );
    expect(manifest).toContain('option-backup-standby=true');
  });

  test('line 6: a manual backup completes and is verified', async () => {
    const byHand = new TriedBackup(orders, 'by-hand');
    const asked = Date.now();
    await byHand.make({ isVerified: true });
    const { status } = await byHand.until('it is good', isGood, 180);
    figure(
      6,
      `by hand: made and verified in ${seconds(asked, Date.now())}, ${status?.sizeBytes} bytes, ${status?.storedBytes} stored`,
    );
    expect(status?.position).toMatchObject({ timeline: 1, start: expect.any(String), stop: expect.any(String) });
  });

  test('line 7: a restore to a time has the rows written before it and not the rows written after it', async () => {
    await orders.sql("INSERT INTO numbers VALUES ('before', 1)");
    const moment = await orders.sql(
      `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    );
    await pause(1100);
    await orders.sql("INSERT INTO numbers VALUES ('after', 1)");
    await untilArchived(orders);
    const restore = { from: { database: 'orders' }, targetTime: moment };
    const restored = new TriedDatabase(namespace, 'restored', { ...alone, bootstrap: { restore } });
    const asked = Date.now();
    await restored.apply();
    await restored.until('it is ready', isWell, 240);
    figure(7, `restored in ${seconds(asked, Date.now())}`);
    expect(await restored.sql("SELECT writer FROM numbers WHERE writer IN ('before', 'after')")).toBe('before');
    expect(await restored.sql('SELECT count(*) FROM beginnings')).toBe('1');
  });

  const labels = async () => {
    const names = await inArchive(orders, 'ls /var/lib/pgbackrest/backup/orders');
    return names.split('\n').filter((name) => /^\d{8}-\d{6}F$/.test(name));
  };

  test('line 6: the archive keeps as many backups as the retention', async () => {
    const [oldest = ''] = await labels();
    const isGone = async () => !(await labels()).includes(oldest);
    await until(isGone, { what: `${oldest} has left the archive`, within: 240_000, every: 1000 });
    const left = await labels();
    figure(6, `in the archive: ${left.join(', ')}`);
    expect(left.length).toBeGreaterThanOrEqual(kept);
    expect(left.length).toBeLessThanOrEqual(kept + 1); // one may be on its way
    await orders.apply({ backup: backup('0 3 1 1 *') });
  });

  test('line 6: verification detects a corrupt backup, and the Database reports it', async () => {
    const spoilt = new TriedBackup(orders, 'spoilt');
    await spoilt.make();
    const { status } = await spoilt.until('it is made', isMade);
    const folder = `/var/lib/pgbackrest/backup/orders/${status?.label}/pg_data/base`;
    const spoil = 'dd if=/dev/urandom of="$file" bs=1 seek=64 count=64 conv=notrunc 2>/dev/null';
    await inArchive(orders, `for file in $(find ${folder} -type f -size +2k | head -n 20); do ${spoil}; done`);
    await spoilt.verify();
    const bad = await spoilt.until('it is found bad', (live) => live.status?.verified?.result === 'RestoreFailed');
    figure(6, `spoilt: ${bad.status?.verified?.message}`);
    await orders.until('the Database says so', (database) =>
      said(database, 'Verified').includes('spoilt cannot be restored'),
    );
    expect(is(await orders.live(), 'Available')).toBe(true);
  });

  test('line 6: a deleted backup is removed from the archive', async () => {
    const spoilt = (await backupsOf(orders)).find(({ metadata }) => metadata.name === 'spoilt');
    expect(await labels()).toContain(spoilt?.status?.label);
    await kubectl(['--namespace', namespace, 'delete', 'databasebackup/spoilt', '--timeout=90s']);
    expect(await labels()).not.toContain(spoilt?.status?.label);
  });

  test('line 8: a deletion waits for a verified final backup, then removes Pods and volumes; the archive stays with every row', async () => {
    const witnesses = new Witnesses(orders);
    const writer = await witnesses.write('last');
    await writer.untilRows(50);
    const isSaved = async () => (await backupsOf(orders)).some((one) => one.spec.origin === 'Snapshot' && isGood(one));
    const nothingGoesUnsaved: Rule = async ({ pods, claims }) => {
      const isGoing = [...pods, ...claims].some(({ metadata }) => metadata.deletionTimestamp) || pods.length < 2;
      return isGoing && !(await isSaved()) ? 'something goes before the last backup is good' : undefined;
    };
    const deleted = Date.now();
    const made = (await backupsOf(orders)).length;
    const seen = await seenDuring(
      orders,
      async (moment) => claimsGoLast(moment) ?? nothingGoesUnsaved(moment),
      async () => {
        await kubectl(['--namespace', namespace, 'delete', 'database/orders', '--wait=false']);
        const isGone = async () => (await orders.found()) === undefined;
        await until(isGone, { what: 'the Database is gone', within: 240_000 });
      },
    );
    figure(8, `saved and gone in ${seconds(deleted, Date.now())}`);
    await writer.stop();
    expect(seen).toEqual([]);
    expect(await isSaved()).toBe(true);
    expect((await backupsOf(orders)).length).toBeLessThanOrEqual(made + 1);
    expect(await orders.pods()).toEqual([]);
    expect(await orders.claims()).toEqual([]);
    expect(await kubectl(['--namespace', namespace, 'get', 'pvc/orders-repo', '--output=name'])).toContain(
      'orders-repo',
    );
    const { metadata } = (await backupsOf(orders)).find(({ spec }) => spec.origin === 'Snapshot') ?? {};
    const restore = { from: { backup: metadata?.name ?? '' } };
    const again = new TriedDatabase(namespace, 'again', { ...alone, bootstrap: { restore } });
    await again.apply();
    await again.until('it is ready', isWell, 240);
    const acknowledged = countOf(acknowledgedIn(writer.periods));
    const lost = await witnesses.lost(again);
    figure(8, `${acknowledged} rows acknowledged until it was gone, ${lost.length} stretches lost by the last backup`);
    expect(lost).toEqual([]);
  }, 900_000);

  test('line 7: a Database does not start on the archive of another Database', async () => {
    const another = new TriedDatabase(namespace, 'orders', { ...alone, backup: backup('0 3 1 1 *') });
    await another.apply();
    await another.until('it says why', (database) => said(database, 'Provisioned').includes('is already in use'), 180);
    figure(7, said(await another.live(), 'Provisioned'));
    expect(is(await another.live(), 'Available')).toBe(false);
    await kubectl(['--namespace', namespace, 'delete', 'database/orders', '--timeout=90s']);
  });
});
