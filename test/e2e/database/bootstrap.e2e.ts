import { beforeAll, describe, expect, test } from 'vitest';
import { conditionOf } from '../../../operator/runtime/index.js';
import { until } from '../../chaos/wait.js';
import { figure, seconds } from '../algorithm/figure.js';
import { listed } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { EndpointSlice, type LivePod } from '../cluster/kinds.js';
import { kubectl } from '../cluster/kubectl.js';
import { claimsGoLast, seenDuring } from './given/observed-moments.js';
import { isWell, TriedDatabase } from './given/tried-database.js';
import { nothing, told, Witnesses } from './given/witnesses.js';

const namespace = givenNamespace('begun');

describe('a Database', () => {
  const orders = new TriedDatabase(namespace, 'orders');
  const witnesses = new Witnesses(orders);
  let pods: readonly LivePod[];
  let primary: LivePod;

  beforeAll(async () => {
    const applied = Date.now();
    await orders.begin();
    figure(1, `three instances are ready ${seconds(applied, Date.now())} after they were asked for`);
    pods = await orders.pods();
    primary = await orders.primary();
  });

  const replicas = () => pods.filter(({ metadata }) => metadata.name !== primary.metadata.name);

  test('line 1: its primary is ready before any replica starts', () => {
    const made = replicas().map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? ''));
    expect(made).toHaveLength(2);
    expect(Math.min(...made)).toBeGreaterThanOrEqual(readyAt(primary));
  });

  test('line 1: two replicas stream, and each instance is in a zone of its own', async () => {
    expect(await orders.sql("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'")).toBe('2');
    const { status } = await orders.live();
    expect(new Set(status?.instances?.map(({ zone }) => zone)).size).toBe(3);
    expect(status).toMatchObject({ ready: '3/3', primary: primary.metadata.name, version: '15.20', timeline: 1 });
  });

  test('line 1: the Services reach the primary, the replicas and all instances', async () => {
    expect(await behind('orders-rw')).toEqual(addressesOf([primary]));
    expect(await behind('orders-ro')).toEqual(addressesOf(replicas()));
    expect(await behind('orders-r')).toEqual(addressesOf(pods));
  });

  test('line 3: scaling from three to two removes one replica and then its volume; the primary stays', async () => {
    const before = await names();
    let broken: readonly string[] = [];
    const endured = await witnesses.endure('scaled down', async () => {
      broken = await seenDuring(orders, claimsGoLast, async () => {
        await scale(2);
        const isGone = async () => (await names()).length === 2;
        await until(isGone, { what: 'a claim is gone', within: 120_000 });
      });
    });
    const after = await names();
    figure(3, `from three to two: ${told(endured)}`);
    expect(broken).toEqual([]);
    expect(endured).toMatchObject(nothing);
    expect(before.filter((name) => after.includes(name))).toEqual(after);
    expect((await orders.primary()).metadata.uid).toBe(primary.metadata.uid);
    expect(await orders.pods()).toHaveLength(2);
  });

  test('line 3: one more is cloned, and has every row', async () => {
    const before = await names();
    const endured = await witnesses.endure('scaled up', async () => {
      await scale(3);
      await orders.until('there are three', ({ status }) => status?.ready === '3/3', 120);
    });
    figure(3, `from two to three: ${told(endured)}`);
    expect(endured).toMatchObject(nothing);
    const [added = ''] = (await names()).filter((name) => !before.includes(name));
    const count = 'SELECT count(*) FROM numbers';
    const rows = await orders.sql(count);
    const isSame = async () => (await orders.sql(count, added)) === rows;
    await until(isSame, { what: `${added} has ${rows} rows`, within: 10_000 });
  });

  test('line 1: the init SQL has run once', async () => {
    expect(await orders.sql('SELECT count(*) FROM beginnings')).toBe('1');
  });

  async function scale(replicas: number): Promise<void> {
    await kubectl(['--namespace', namespace, 'scale', 'database/orders', `--replicas=${replicas}`]);
    orders.spec = { ...orders.spec, replicas };
    await orders.until('that is seen', (database) => !isWell(database) || database.status?.replicas === replicas);
  }

  async function names(): Promise<readonly string[]> {
    return (await orders.claims()).map(({ metadata }) => metadata.name).toSorted();
  }

  /** Addresses of a Service that take connections. */
  async function behind(service: string): Promise<readonly string[]> {
    const slices = await listed(EndpointSlice, { namespace, labelSelector: `kubernetes.io/service-name=${service}` });
    const ready = slices.flatMap(({ endpoints = [] }) => endpoints).filter(({ conditions }) => conditions?.ready);
    return ready.flatMap(({ addresses }) => addresses).toSorted();
  }
});

function addressesOf(pods: readonly LivePod[]): readonly string[] {
  return pods.map(({ status }) => status?.podIP ?? '').toSorted();
}

/** Milliseconds since 1970. */
function readyAt(pod: LivePod): number {
  return Date.parse(conditionOf(pod, 'Ready')?.lastTransitionTime ?? '');
}
