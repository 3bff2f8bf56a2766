import { beforeAll, describe, expect, test } from 'vitest';
import { PersistentVolumeClaim } from '../../../operator/index.js';
import { until } from '../../chaos/wait.js';
import { figure, seconds } from '../algorithm/figure.js';
import { read } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { underKills } from '../cluster/kill-mode.js';
import { power, powerless, powerNote } from '../cluster/power.js';
import { isWell, said, small, TriedDatabase } from './given/tried-database.js';
import { nothing, told, Witnesses } from './given/witnesses.js';

const namespace = givenNamespace('safe');

describe('what a Database holds', () => {
  const orders = new TriedDatabase(namespace, 'orders', { ...small, replicas: 2, synchronous: { mode: 'None' } });
  const witnesses = new Witnesses(orders);
  beforeAll(() => orders.begin());

  test('line 11: its volumes grow while it is written to', async () => {
    const before = (await orders.pods()).map(({ metadata }) => metadata.uid);
    const sizes = async () => (await orders.claims()).map(({ status }) => status?.capacity?.['storage']);
    const endured = await witnesses.endure('grown', async () => {
      await orders.apply({ storage: { size: '2Gi' } });
      const isGrown = async () => (await sizes()).every((size) => size === '2Gi');
      await until(isGrown, { what: 'both volumes have 2Gi', within: 90_000, every: 500 });
    });
    figure(11, `grown: ${told(endured)}`);
    expect(endured).toMatchObject(nothing);
    expect((await orders.pods()).map(({ metadata }) => metadata.uid)).toEqual(before);
  });

  test.skipIf(powerless)(
    `line 9: an instance that may hold what others lack is not taken away, and that is said with its place and theirs${powerNote}`,
    async () => {
      const old = await orders.primary();
      const node = old.spec.nodeName ?? '';
      const [volume] = (await orders.claims()).filter(({ metadata }) => metadata.name === old.metadata.name);
      await power('kill', node);
      try {
        await orders.primary(old.metadata.name);
        await orders.apply({ replicas: 1 });
        await orders.until('it refuses', (database) => said(database, 'Unsafe').startsWith('UnreplicatedWrites'), 120);
        const message = said(await orders.live(), 'Unsafe');
        figure(9, message);
        const at = 'timeline \\d+, [0-9A-F]+/[0-9A-F]+';
        const others = (await orders.pods()).map(({ metadata }) => metadata.name);
        const [other] = others.filter((name) => name !== old.metadata.name);
        // Between a node that is lost and its Pods that are told to go are seconds, in which no operator may lead.
        const known = underKills ? `(?:last known: ${at}|position unknown)` : `last known: ${at}`;
        const place = `${old.metadata.name} \\(${known}\\)`;
        expect(message).toMatch(
          new RegExp(`^UnreplicatedWrites: ${place} is kept, because ${other} \\(${at}\\) may lack its writes$`),
        );
        const live = await read(PersistentVolumeClaim, { namespace, name: old.metadata.name });
        expect(live?.metadata).toMatchObject({ uid: volume?.metadata.uid });
        expect(live?.metadata.deletionTimestamp).toBeUndefined();
      } finally {
        await power('start', node);
      }
      const back = Date.now();
      await orders.until(
        'it is known to be safe, and one is left',
        (database) => isWell(database) && database.status?.replicas === 1,
        240,
      );
      figure(9, `taken away ${seconds(back, Date.now())} after its node was back`);
      expect((await orders.primary()).metadata.name).not.toBe(old.metadata.name);
    },
  );

  test('line 11: a replica that cannot follow any more is cloned again, and its old volume is kept', async () => {
    await orders.apply({ replicas: 2, synchronous: { mode: 'Quorum' } });
    await orders.until('there are two', (database) => isWell(database) && database.status?.ready === '2/2', 180);
    const primary = await orders.primary();
    const [replica] = (await orders.pods()).filter(({ metadata }) => metadata.name !== primary.metadata.name);
    const name = replica?.metadata.name ?? '';
    const claim = await read(PersistentVolumeClaim, { namespace, name });
    const began = Date.now();
    await orders.inPod(name, 'bash', '-ec', diverge);
    await orders.until(
      'another one is cloned',
      ({ status }) => status?.instances?.every((one) => one.name !== name) ?? false,
      420,
    );
    await orders.until('it is well', isWell, 180);
    figure(
      11,
      `cloned again ${seconds(began, Date.now())} after it had diverged: ${said(await orders.live(), 'Provisioned')}`,
    );
    const kept = await read(PersistentVolumeClaim, { namespace, name });
    expect(kept?.metadata).toMatchObject({
      uid: claim?.metadata.uid,
      labels: { 'reconstruct.dev/quarantined': 'true' },
    });
    expect(kept?.metadata.deletionTimestamp).toBeUndefined();
  }, 700_000);
});

/** Makes a replica write rows that no other instance has, and removes the files that it would rewind with. */
const diverge = `
  data=/var/lib/postgresql/pgdata
  pg_ctl promote --wait --pgdata=$data
  psql --no-psqlrc --username=postgres --dbname=app --command="SET synchronous_commit = local" \\
    --command="INSERT INTO numbers VALUES ('diverged', 1)" --command="SELECT pg_switch_wal()" --command=CHECKPOINT
  pg_ctl stop --mode=immediate --pgdata=$data
  rm -f $data/pg_wal/0*`;
