import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../../operator/index.js';
import { until } from '../../chaos/wait.js';
import { figure } from '../algorithm/figure.js';
import { read } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { kubectl } from '../cluster/kubectl.js';
import type { Writer } from './client/writer.js';
import { isWell, said, small, TriedDatabase } from './given/tried-database.js';
import { Witnesses } from './given/witnesses.js';

const namespace = givenNamespace('credentials');

describe('a Database whose credentials and parameters somebody spoils', () => {
  const orders = new TriedDatabase(namespace, 'orders', { ...small, replicas: 2 });
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

  const held = async (name: string, key: string) => {
    const secret = await read(Secret, { namespace, name });
    return Buffer.from(secret?.data?.[key] ?? '', 'base64').toString();
  };
  /** Logs in from another instance, as an application does. @returns whether PostgreSQL lets it in */
  const letsIn = async (user: string, password: string) => {
    const primary = (await orders.primary()).metadata.name;
    const other = (await orders.pods()).find(({ metadata }) => metadata.name !== primary)?.metadata.name ?? '';
    const login = `PGPASSWORD="$1" psql -qAtX -h orders-rw -U ${user} -d app -c 'SELECT 1'`;
    const shell = [
      'exec',
      '-i',
      other,
      '-c',
      'postgres',
      '--',
      'sh',
      '-c',
      `read -r password; set -- "$password"; ${login}`,
    ];
    return kubectl(['--namespace', namespace, ...shell], `${password}\n`).then(
      (answer) => answer.trim() === '1',
      () => false,
    );
  };
  const isApplying = () =>
    orders.until(
      'it says that passwords are being applied',
      (one) => /^ApplyingPasswords/.test(said(one, 'UpToDate')),
      60,
    );

  test.each([
    { secret: 'orders-app', user: 'app' },
    { secret: 'orders-superuser', user: 'postgres' },
  ])('line 18: $secret that is deleted comes back as one that lets $user in', async ({ secret, user }) => {
    const before = await held(secret, 'password');
    const began = Date.now();
    await kubectl(['--namespace', namespace, 'delete', 'secret', secret]);
    await isApplying();
    figure(18, said(await orders.live(), 'UpToDate'));
    await orders.until('it is well', isWell, 180);
    const now = await held(secret, 'password');
    expect(now).not.toBe(before);
    expect([await letsIn(user, now), await letsIn(user, before)]).toEqual([true, false]);
    figure(18, `${secret}: ${Math.round((Date.now() - began) / 1000)} s`);
  });

  test('line 18: a password that somebody edits is that of PostgreSQL, and of the URI', async () => {
    const patch = JSON.stringify({ stringData: { password: 'edited by hand' } });
    await kubectl(['--namespace', namespace, 'patch', 'secret', 'orders-app', '-p', patch]);
    await isApplying();
    await orders.until('it is well', isWell, 180);
    expect(await letsIn('app', 'edited by hand')).toBe(true);
    expect(await held('orders-app', 'uri')).toContain(':edited%20by%20hand@');
  });

  test('line 18: a replica that starts with new passwords streams again', async () => {
    const primary = (await orders.primary()).metadata.name;
    const replica = (await orders.pods()).find(({ metadata }) => metadata.name !== primary)?.metadata.name ?? '';
    const before = await held('orders-internal', 'replication-password');
    await kubectl(['--namespace', namespace, 'delete', 'secret', 'orders-internal']);
    await until(async () => !['', before].includes(await held('orders-internal', 'replication-password')), {
      ...{ what: 'there are new passwords', within: 30_000, every: 200 },
    });
    const began = Date.now();
    await kubectl(['--namespace', namespace, 'delete', 'pod', replica]);
    await orders.until('it says so', (one) => !isWell(one), 30);
    await orders.until('it is well', isWell, 240);
    figure(18, `the replica streams again after ${Math.round((Date.now() - began) / 1000)} s`);
    await writer.untilRows(50);
  });

  test('line 22: a parameter that PostgreSQL refuses is named, and stops no instance', async () => {
    const uids = async () => (await orders.pods()).map(({ metadata }) => metadata.uid).toSorted();
    const before = await uids();
    await orders.apply({ parameters: { timezone: 'Nowhere/X', work_mem: '5MB' } });
    const isNamed = (text: string) =>
      /^ParameterRefused: orders-1, orders-2 refused parameter timezone: invalid value/.test(text);
    await orders.until('it names the parameter', (one) => isNamed(said(one, 'UpToDate')));
    figure(22, said(await orders.live(), 'UpToDate'));
    expect(await orders.sql('SHOW timezone; SHOW work_mem')).toBe('Etc/UTC\n5MB');
    expect(await uids()).toEqual(before);
    const primary = (await orders.primary()).metadata.name;
    const replica = (await orders.pods()).find(({ metadata }) => metadata.name !== primary)?.metadata.name ?? '';
    await kubectl(['--namespace', namespace, 'delete', 'pod', replica]);
    const isStreaming = () => orders.sql("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'");
    await until(async () => (await isStreaming().catch(() => '')) === '1', {
      ...{ what: 'the replica starts with the earlier value', within: 120_000, every: 500 },
    });
    await orders.until('it still names it', (one) => isNamed(said(one, 'UpToDate')));
    await orders.apply({ parameters: undefined });
    await orders.until('it is well again', isWell, 120);
    await writer.untilRows(50);
  });
});
