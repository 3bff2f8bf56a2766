import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import type { MembersQuestion } from '../../../../operator/controllers/database/ports/members.js';
import { members } from '../../../../operator/controllers/database/ports/members.js';
import { memberReport } from '../../../../operator/engines/postgres/member-report.js';
import { openPostgres } from '../../../../operator/engines/postgres/open-postgres.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';

/** As Patroni 3.0.2 answers on a primary with two replicas, one of which it waits for. */
const primary = {
  ...{ state: 'running', postmaster_start_time: '2026-11-21 22:00:00.000000+00:00', role: 'master' },
  ...{ server_version: 150020, xlog: { location: 83886176 }, timeline: 3 },
  replication: [
    {
      usename: 'replicator',
      application_name: 'orders-2',
      client_addr: '10.1.0.2',
      state: 'streaming',
      sync_state: 'sync',
    },
    {
      usename: 'replicator',
      application_name: 'orders-3',
      client_addr: '10.1.0.3',
      state: 'streaming',
      sync_state: 'async',
    },
    {
      usename: 'replicator',
      application_name: 'pg_basebackup',
      client_addr: '10.1.0.4',
      state: 'backup',
      sync_state: 'async',
    },
  ],
  ...{ dcs_last_seen: 1700000000, database_system_identifier: '7', patroni: { version: '3.0.2', scope: 'orders' } },
};
const replica = {
  ...{ state: 'running', role: 'replica', server_version: 150018, timeline: 3 },
  xlog: { received_location: 83886080, replayed_location: 83886000, replayed_timestamp: null, paused: false },
};

describe('what Patroni answers', () => {
  test.each([
    {
      when: 'it leads',
      answer: primary,
      is: {
        ...{ role: 'primary', state: 'running', timeline: 3, position: 83886176, version: '15.20' },
        streaming: { 'orders-2': { synchronous: true }, 'orders-3': { synchronous: false } },
      },
    },
    {
      when: 'its volume fills and its log waits',
      answer: { ...replica, volume: { size: 1000, free: 111 }, unarchived_since: 60 },
      is: {
        ...{ role: 'replica', state: 'running', timeline: 3, position: 83886080, version: '15.18' },
        ...{ usedPercent: 85, unarchivedSince: 60_000 },
      },
    },
    {
      when: 'its data is being made',
      answer: { state: 'starting', role: 'uninitialized', making: true },
      is: { role: 'replica', state: 'starting', making: {} },
    },
    {
      when: 'its data is being made of an archive',
      answer: {
        ...{ state: 'starting', role: 'replica', making: true, unread: null },
        xlog: { replayed_timestamp: '2026-11-22 13:00:01.5+01:00', replayed_location: 1 },
      },
      is: {
        ...{ role: 'replica', state: 'starting', position: 1 },
        making: { until: Date.parse('2026-11-22T12:00:01.5Z') },
      },
    },
    {
      when: 'its data is to be made of an archive that cannot be read',
      answer: {
        ...{ state: 'starting', role: 'replica', making: true, unread: 'x'.repeat(2000) },
        xlog: { replayed_timestamp: 'never' },
      },
      is: { role: 'replica', state: 'starting', making: { unread: 'x'.repeat(1000) } },
    },
    {
      when: 'its volume is nearly full, and nothing waits',
      answer: { ...replica, volume: { size: 1000, free: 29 }, unarchived_since: null },
      is: {
        ...{ role: 'replica', state: 'running', timeline: 3, position: 83886080, version: '15.18' },
        usedPercent: 97,
      },
    },
    {
      when: 'it follows',
      answer: replica,
      is: { role: 'replica', state: 'running', timeline: 3, position: 83886080, version: '15.18' },
    },
    {
      when: 'it receives nothing, and has replayed more by itself',
      answer: { ...replica, xlog: { received_location: 83886080, replayed_location: 83887000 } },
      is: { role: 'replica', state: 'running', timeline: 3, position: 83887000, version: '15.18' },
    },
    {
      when: 'its parameters take a restart',
      answer: { ...replica, pending_restart: true },
      is: {
        ...{ role: 'replica', state: 'running', timeline: 3 },
        ...{ position: 83886080, version: '15.18', pendingRestart: true },
      },
    },
    {
      when: 'it says which parameters it has taken up',
      answer: { state: 'running', role: 'replica', parameters: '0f3a1b2c4d5e6f70' },
      is: { role: 'replica', state: 'running', parameters: '0f3a1b2c4d5e6f70' },
    },
    {
      when: 'it has taken none up, or says something else',
      answer: { state: 'running', role: 'replica', parameters: null },
      is: { role: 'replica', state: 'running' },
    },
    {
      when: 'PostgreSQL refuses parameters',
      answer: {
        ...{ state: 'running', role: 'replica' },
        refused: {
          timezone: 'x'.repeat(400),
          none: 7,
          ...Object.fromEntries([...'hgfedcba'].map((name) => [name, ''])),
        },
      },
      is: {
        ...{ role: 'replica', state: 'running' },
        refused: Object.fromEntries([...'abcdefgh'].map((name) => [name, ''])),
      },
    },
    {
      when: 'PostgreSQL refuses none',
      answer: { state: 'running', role: 'replica', refused: {}, credentials: null },
      is: { role: 'replica', state: 'running' },
    },
    {
      when: 'it says which passwords it uses',
      answer: {
        ...{ state: 'running', role: 'replica' },
        credentials: { certificate: 'abc', applied: { app: '1', internal: 2 }, problem: 'x'.repeat(400), more: 1 },
      },
      is: {
        ...{ role: 'replica', state: 'running' },
        credentials: { certificate: 'abc', applied: { app: '1' }, problem: 'x'.repeat(300) },
      },
    },
    {
      when: 'it says nothing of use about passwords',
      answer: { state: 'running', role: 'replica', credentials: { certificate: 7, applied: 'x' } },
      is: { role: 'replica', state: 'running' },
    },
    {
      when: 'it is being cloned',
      answer: { state: 'creating replica', role: 'replica' },
      is: { role: 'replica', state: 'creating replica' },
    },
    {
      when: 'it leads and sends to nobody',
      answer: { state: 'running', role: 'primary' },
      is: { role: 'primary', state: 'running', streaming: {} },
    },
    {
      when: 'numbers are none',
      answer: { state: 'running', role: 'replica', timeline: 'x', xlog: 7 },
      is: { role: 'replica', state: 'running' },
    },
    {
      when: 'numbers are more than any status takes',
      answer: {
        ...{ state: 'running', role: 'replica', timeline: 2 ** 31, xlog: { received_location: 2 ** 53 } },
        ...{ server_version: 1_000_000, unarchived_since: 253_402_300_800, volume: { size: 100, free: 101 } },
        ...{ making: true },
      },
      is: { role: 'replica', state: 'running', making: {} },
    },
    {
      when: 'numbers are the most that a status takes',
      answer: {
        ...{ state: 'running', role: 'replica', timeline: 2 ** 31 - 1, xlog: { received_location: 2 ** 53 - 1 } },
        ...{ server_version: 999_999, unarchived_since: 253_402_300_799, volume: { size: 100, free: 100 } },
      },
      is: {
        ...{ role: 'replica', state: 'running', timeline: 2 ** 31 - 1, position: 2 ** 53 - 1, version: '99.9999' },
        ...{ unarchivedSince: Date.parse('9999-12-31T23:59:59Z'), usedPercent: 0 },
      },
    },
    {
      when: 'it names a time that nobody can write down',
      answer: {
        ...{ state: 'starting', role: 'replica', making: true },
        xlog: { replayed_timestamp: '+010000-01-01T00:00:00Z' },
      },
      is: { role: 'replica', state: 'starting', making: {} },
    },
  ])('is read when $when', ({ answer, is }) => {
    expect(memberReport(JSON.stringify(answer))).toEqual(is);
  });

  test.each(['', '[]', '{}', '{"state":7}'])('is refused where it is none: %s', (body) => {
    expect(() => memberReport(body)).toThrow();
  });
});

describe('instances that are asked', () => {
  const host = 'orders-1.orders-members.shop.svc';
  let authority: CertificateAuthority;
  let server: Server;
  let port: number;
  let asked: string[];
  let answer: (path: string) => { status: number; body: string };
  const postgres = openPostgres({ clock: systemClock });
  const source = postgres.provided.find(({ port: { name } }) => name === members.name)?.source;
  const ask = (changes: Partial<MembersQuestion> = {}, signal = new AbortController().signal) => {
    const question = {
      authority: authority.own.certificate,
      port,
      members: [{ name: 'orders-1', address: '127.0.0.1', host }],
    };
    return source?.({ ...question, ...changes } as never, { signal });
  };

  beforeAll(async () => {
    authority = await CertificateAuthority.create();
    const { certificate: cert, key } = await authority.issue({
      commonName: 'orders',
      hosts: ['*.orders-members.shop.svc'],
    });
    server = createServer({ cert, key }, (request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const { status, body } = answer(request.url ?? '');
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => {
    asked = [];
    answer = () => ({ status: 200, body: JSON.stringify(replica) });
  });
  afterAll(async () => {
    await postgres.close();
    server.close();
  });

  test('say how they are, by one request each, and by their own names', async () => {
    expect(await ask()).toMatchObject({ reports: { 'orders-1': { role: 'replica', timeline: 3 } }, silent: {} });
    expect(asked).toEqual(['GET /patroni']);
  });

  test('say that they do not run with the status of an error', async () => {
    answer = () => ({ status: 503, body: JSON.stringify({ state: 'stopped', role: 'replica' }) });
    expect(await ask()).toMatchObject({ reports: { 'orders-1': { state: 'stopped' } } });
  });

  test('are known though another one does not answer, of which it is said why', async () => {
    const silent = { name: 'orders-2', address: '127.0.0.2', host };
    const one = { name: 'orders-1', address: '127.0.0.1', host };
    const told = await ask({ members: [one, silent] });
    expect(told).toMatchObject({
      reports: { 'orders-1': {} },
      silent: { 'orders-2': expect.stringContaining('ECONNREFUSED') },
    });
  });

  test('are not believed without a certificate of the authority, or of another name', async () => {
    const other = await CertificateAuthority.create();
    await expect(ask({ authority: other.own.certificate })).rejects.toThrow('orders-1: ');
    const wrong = { name: 'orders-1', address: '127.0.0.1', host: 'orders-1.others-members.shop.svc' };
    await expect(ask({ members: [wrong] })).rejects.toThrow(/altnames|Host/i);
    expect(asked).toEqual([]);
  });

  test('are not read beyond what an answer has', async () => {
    answer = () => ({ status: 200, body: JSON.stringify({ ...replica, more: 'x'.repeat(70_000) }) });
    await expect(ask()).rejects.toThrow('exceeds 65536 bytes');
  });

  test('are not waited for when nobody waits for the answer', async () => {
    const ending = new AbortController();
    ending.abort(new Error('enough'));
    await expect(ask({}, ending.signal)).rejects.toThrow();
  });
});
