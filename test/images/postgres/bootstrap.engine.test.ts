import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Container } from './container.js';
import { begin, crash, GivenDatabase, query, start } from './given-database.js';
import { absence, Kubelet } from './kubelet.js';

const absent = absence();
if (absent !== undefined) console.warn(`how an instance begins is not tried out: ${absent}`);

const data = '/var/lib/postgresql/pgdata';
const there = (path: string) => `test -e ${path} && echo there || echo gone`;
const beside = 'import importlib.machinery as m, sys; sys.path.insert(0, "/usr/local/bin")';
const has = `${there(data)}; ${there(`${data}.failed`)}; ${there('/var/lib/postgresql/.making')}`;

describe.skipIf(absent)('an instance', () => {
  let kubelet: Kubelet;
  let orders: GivenDatabase;
  let instance: Container;

  beforeAll(async () => {
    kubelet = await Kubelet.start();
    orders = await GivenDatabase.of('orders', { deletionPolicy: 'Delete' });
    instance = (await kubelet.pod(orders.pod, orders.objects())).named('postgres');
  });
  afterAll(async () => {
    if (instance) await crash(instance);
    await kubelet?.[Symbol.asyncDispose]();
  });

  /** Runs functions of one of the image's programs. */
  const called = (program: string, call: string) => [
    ...['python3', '-c'],
    `${beside}; m.SourceFileLoader("it", "/usr/local/bin/${program}").load_module().${call}`,
  ];
  const next = async () => Number(await query(instance, 'SELECT pg_snapshot_xmax(pg_current_snapshot())'));
  const left = async () => (await instance.must('sh', '-c', has)).trim().split('\n');

  test('line 1: makes its data anew at the next start, until it is whole', async () => {
    await begin(instance, orders);
    await crash(instance);
    await instance.must('mkdir', `${data}.failed`);
    expect(await left()).toEqual(['there', 'there', 'there']);
    await instance.must(...called('instance', 'clear()'));
    expect(await left()).toEqual(['gone', 'gone', 'there']);

    await begin(instance, orders);
    await instance.must('furnish', 'host=/run/postgresql user=postgres dbname=postgres');
    await instance.must(...called('instance', 'clear()'));
    expect(await left()).toEqual(['there', 'gone', 'gone']);
    expect(await query(instance, 'SELECT count(*) FROM pg_database', 'app')).toBe('4');
  });

  test('line 7: commits nothing now and then, where there is an archive to tell it', async () => {
    await instance.serve('env', 'RECONSTRUCT_PULSE=0.1', ...called('patroni', 'pulse()'));
    const before = await next();
    await instance.must('sleep', '1');
    expect(await next()).toBe(before);

    await crash(instance);
    await start(instance, orders.but({ backup: { target: { volume: {} } } as never }));
    const then = await next();
    await vi.waitFor(async () => expect(await next()).toBeGreaterThan(then + 2), 120_000);
  });
});
