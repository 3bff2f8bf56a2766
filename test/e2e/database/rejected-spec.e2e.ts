import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseSpecInput } from '../../../imports/index.js';
import { until } from '../../chaos/wait.js';
import { figure } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { isReady } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import type { Writer } from './client/writer.js';
import { isWell, said, small, TriedDatabase } from './given/tried-database.js';
import { Witnesses } from './given/witnesses.js';

const namespace = givenNamespace('refused');
const good: DatabaseSpecInput = { ...small, replicas: 1, synchronous: { mode: 'None' } };

describe('a bad spec of a Database', () => {
  const orders = new TriedDatabase(namespace, 'orders', good);
  const witnesses = new Witnesses(orders);
  let writer: Writer;
  beforeAll(async () => {
    await orders.begin();
    writer = await witnesses.write('all the while');
  });
  afterAll(async () => {
    await writer.stop();
    expect(await witnesses.lost()).toEqual([]);
  });

  test.each<{ what: string; change: object; says: RegExp }>([
    {
      what: 'no replicas',
      change: { replicas: 0 },
      says: /must be at least 1, so that an instance keeps the data; use 1 or more/,
    },
    {
      what: 'a quorum that cannot be met',
      change: { replicas: 2, synchronous: { mode: 'Quorum', replicas: 2 } },
      says: /must leave at least 2 beside the primary.*raise replicas/,
    },
    {
      what: 'a schedule that is none',
      change: { backup: { schedule: 'at night', target: { volume: {} } } },
      says: /must be a schedule of five fields/,
    },
  ])('line 12: $what is refused with what to do, and it serves on', async ({ change, says }) => {
    const before = await orders.live();
    const edited = new TriedDatabase(namespace, 'orders', { ...orders.spec, ...change });
    await expect(edited.apply()).rejects.toThrow(says);
    expect((await orders.live()).metadata).toMatchObject({ generation: before.metadata.generation });
    await writer.untilRows(50);
  });

  test('line 12: less storage than a volume has is not accepted, and it serves on', async () => {
    const [before] = await orders.pods();
    const { storage } = orders.spec;
    await orders.apply({ storage: { size: '512Mi' } });
    const says = /must be at least 1Gi, the size of the volume of PVC orders-1, because a volume cannot shrink/;
    await orders.until('it is not accepted', (database) => says.test(said(database, 'Accepted')));
    await writer.untilRows(50);
    await orders.apply({ storage });
    await orders.until('it is well again', isWell);
    expect((await orders.pods()).map(({ metadata }) => metadata.uid)).toEqual([before?.metadata.uid]);
  });

  test('a size that a quota refuses holds up nothing, and is taken back', async () => {
    const { namespace } = orders;
    const metadata = { namespace, name: 'storage' };
    await applied({ apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard: { 'requests.storage': '8Gi' } } });
    const { storage } = orders.spec;
    await orders.apply({ storage: { size: '100Gi' } });
    await orders.until('the quota refuses it', (database) => /exceeded quota/.test(said(database, 'Ready')));
    const before = await orders.live();
    await kubectl(['--namespace', namespace, 'delete', 'service', 'orders-ro']);
    await orders.apply({ resources: { requests: { cpu: '60m', memory: '128Mi' } } });
    const [old] = await orders.pods();
    const isReplaced = async () => {
      const pods = await orders.pods();
      return pods.length === 1 && pods.every((pod) => pod.metadata.uid !== old?.metadata.uid && isReady(pod));
    };
    await until(isReplaced, { what: 'the instance has the new resources', within: 120_000, every: 500 });
    await kubectl(['--namespace', namespace, 'get', 'service', 'orders-ro']);
    figure(6, said(before, 'Ready'));
    await orders.apply({ storage });
    await orders.until('it is well again', isWell, 120);
    await writer.untilRows(50);
  });

  test.each<{ what: string; parameters: Record<string, string>; says: RegExp }>([
    {
      what: 'a parameter that PostgreSQL does not know',
      parameters: { max_conections: '50' },
      says: /Unknown parameter: PostgreSQL 15 does not have it; correct its name/,
    },
    {
      what: 'a value that a parameter does not take',
      parameters: { max_connections: 'many' },
      says: /max_connections/,
    },
  ])('line 12: $what is not accepted, and it serves on', async ({ parameters, says }) => {
    const [before] = await orders.pods();
    await orders.apply({ parameters });
    await orders.until('it is not accepted', (database) => says.test(said(database, 'Accepted')));
    figure(12, said(await orders.live(), 'Accepted'));
    await writer.untilRows(50);
    expect((await orders.pods()).map(({ metadata }) => metadata.uid)).toEqual([before?.metadata.uid]);
    await orders.apply({ parameters: undefined });
    await orders.until('it is well again', isWell);
    expect((await orders.pods()).map(({ metadata }) => metadata.uid)).toEqual([before?.metadata.uid]);
  });
});
