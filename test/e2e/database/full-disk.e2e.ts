import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../chaos/wait.js';
import { figure } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { kubectl } from '../cluster/kubectl.js';
import { type Rule, seenDuring } from './given/observed-moments.js';
import { SmallVolumes } from './given/small-volumes.js';
import { said, small, TriedDatabase } from './given/tried-database.js';
import { nothing, told, Witnesses } from './given/witnesses.js';

const namespace = givenNamespace('full');
/** Milliseconds after which a failover would have happened. The lease lasts for 20 s. */
const enough = 45_000;

describe('a Database whose disk is full', () => {
  const volumes = new SmallVolumes(namespace);
  const storage = { size: '1Gi', storageClassName: volumes.className };
  const orders = new TriedDatabase(namespace, 'orders', { ...small, storage });
  const witnesses = new Witnesses(orders);

  beforeAll(async () => {
    await volumes.begin(300);
    await orders.begin();
  });

  afterAll(async () => {
    await kubectl(['--namespace', namespace, 'delete', 'database/orders', '--wait=false']);
    const isGone = async () => (await orders.pods()).length === 0;
    await until(isGone, { what: 'its Pods are gone', within: 90_000 });
    await volumes.end();
  });

  test('line 11: no failover follows, the status reports it, and the primary continues once there is space', async () => {
    let seen: readonly string[] = [];
    const endured = await witnesses.endure('full', async (primary, writer) => {
      const { name } = primary.metadata;
      const nobodyElse: Rule = ({ pods }) =>
        pods.map(({ metadata }) => metadata).find((one) => one.labels?.['role'] === 'master' && one.name !== name)
          ?.name;
      seen = await seenDuring(orders, nobodyElse, async () => {
        await orders.inPod(name, 'bash', '-c', fill);
        await orders.until('it says so', (database) => said(database, 'Available').startsWith('PrimaryVolumeFull'));
        figure(11, `full: ${said(await orders.live(), 'Available')}`);
        expect(said(await orders.live(), 'Provisioned')).toMatch(/^VolumeNearlyFull: .*orders-/);
        await pause(enough);
        expect(said(await orders.live(), 'Available')).toMatch(/^PrimaryVolumeFull/);
        await volumes.grow(primary.spec.nodeName ?? '', 600);
        await writer.untilRows(50);
      });
      expect((await orders.primary()).metadata.name).toBe(name);
    });
    figure(11, `full: ${told(endured)}`);
    expect(seen).toEqual([]);
    expect(endured).toMatchObject(nothing);
  });
});

/** Takes all the room there is, and has the log go on to new files until there is none for the next. */
const fill = `
  dd if=/dev/zero of=/var/lib/postgresql/ballast bs=1M 2>/dev/null
  for file in $(seq 60); do
    psql --no-psqlrc --username=postgres --dbname=app --command='INSERT INTO beginnings DEFAULT VALUES' \\
      --command='SELECT pg_switch_wal()' >/dev/null 2>&1 || exit 0
  done
  echo 'PostgreSQL did not stop' >&2
  exit 1`;
