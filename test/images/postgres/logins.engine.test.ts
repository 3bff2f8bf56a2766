import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretRotationSpec, withDefaults } from '../../../crds/index.js';
import type { SecretRotationResource } from '../../../imports/index.js';
import type {
  LoginsAnswer,
  LoginsQuestion,
  LoginsRequest,
} from '../../../operator/controllers/secret-rotation/ports/logins.js';
import { loginsFrom } from '../../../operator/engines/postgres/logins-source.js';
import { type Query, withSession } from '../../../operator/engines/postgres/postgres-session.js';
import type { Perform, Source } from '../../../operator/runtime/ports/external-port.js';
import { anyHost, canRunPostgres, GivenPostgres } from './given-postgres.js';
import { RotatedInMemory } from './rotated-in-memory.js';
import { RotatingClients } from './rotating-clients.js';

const host = '127.0.0.1';
const rotations = 100;
const encoded = (text: string) => Buffer.from(text).toString('base64');

describe.skipIf(!canRunPostgres)('line 7: a login of a real PostgreSQL', () => {
  let server: GivenPostgres;
  const admin = () => {
    const { port, password, authority } = server;
    return { host, port, database: 'postgres', username: 'postgres', password, authority };
  };
  const asAdmin = <T>(use: (query: Query) => Promise<T>) => withSession(admin(), AbortSignal.timeout(30_000), use);
  const rotation = (name: string, source: object) =>
    ({
      apiVersion: 'reconstruct.dev/v1alpha1',
      kind: 'SecretRotation',
      metadata: { name, namespace: 'shop' },
      spec: withDefaults(secretRotationSpec, {
        ...{ secretName: `${name}-login`, every: '2h', overlap: '1h', consumers: [{ deployment: 'shop' }] },
        source: { postgres: { host, port: server.port, ...source } },
      } as never),
    }) as unknown as SecretRotationResource;

  beforeAll(async () => {
    server = await GivenPostgres.start();
    await asAdmin(async (query) => {
      await query('CREATE ROLE shop NOLOGIN');
      await query('CREATE DATABASE shop OWNER shop');
    });
  });
  afterAll(async () => {
    await server?.stop();
  });

  it(`rotates ${rotations} times under clients, and none of them notices`, async () => {
    const { port, authority } = server;
    const clients = new RotatingClients({ host, port, database: 'shop', authority });
    const source = { database: 'shop', owner: 'shop', adminSecretRef: { name: 'admin' } };
    const loginOf = ({ username = '', password = '' }: Readonly<Record<string, string>>) => ({ username, password });
    const rotated: RotatedInMemory = new RotatedInMemory(rotation('orders', source), {
      hash: () => clients.hash,
      roll: (hash) => {
        const login = loginOf(rotated.decoded('orders-login'));
        if (clients.hash === undefined) clients.start(4, login, hash);
        clients.roll(login, hash);
      },
    });
    const secret = { username: encoded('postgres'), password: encoded(server.password), 'ca.crt': encoded(authority) };
    rotated.secrets.set('admin', secret);

    const used = new Map<string, string>();
    let isTable = false;
    while (used.size <= rotations) {
      await rotated.reconcile();
      const { username = '', password } = rotated.decoded('orders-login');
      if (password === undefined) continue;
      if (!isTable) {
        const own = { ...admin(), database: 'shop', username, password };
        await withSession(own, AbortSignal.timeout(10_000), (query) => query('CREATE TABLE written (by text)'));
        isTable = true;
      }
      used.set(password, username);
    }
    rotated.resource = { ...rotated.resource, spec: { ...rotated.resource.spec, every: '3650d' } };
    await rotated.reconcile();
    while (rotated.reasons['Adopted'] !== 'Current' || rotated.reasons['Retired'] !== 'Refused')
      await rotated.reconcile();
    await clients.stop();

    const { tally } = clients;
    console.log(`${used.size - 1} rotations`, { ...tally, errors: tally.errors.slice(0, 3) });
    expect(tally).toMatchObject({ failedLogins: 0, failedStatements: 0, errors: [] });
    const rows = await withSession({ ...admin(), database: 'shop' }, AbortSignal.timeout(10_000), (query) =>
      query('SELECT by, count(*)::int AS rows FROM written GROUP BY by ORDER BY by'),
    );
    expect(rows.map(({ by }) => by)).toEqual(['orders_a', 'orders_b']);
    expect(rows.reduce((sum, { rows: some }) => sum + Number(some), 0)).toBe(tally.statements);

    const current = rotated.decoded('orders-login');
    const earlier = [...used].filter(([password]) => password !== current['password']).slice(-4);
    for (const [password, username] of earlier) {
      const access = { ...admin(), database: 'shop', username, password };
      const attempt = withSession(access, AbortSignal.timeout(10_000), (query) => query('SELECT 1'));
      await expect(attempt).rejects.toThrow();
    }
    const said = [server.log, ...rotated.said].join('\n');
    const told = [...used.keys(), server.password, 'SCRAM-SHA-256$'].filter((value) => said.includes(value));
    expect(told).toEqual([]);
  });

  describe('as the port sees it', () => {
    const kept = { 'next.username': 'carts_a', 'next.password': 'a password of 32 random characters' };
    const next = { login: 'carts_a', hash: 'hash' };
    const of = (admin: string, name = 'carts') => ({
      ...{
        host,
        isStated: true,
        port: server.port,
        database: 'shop',
        owner: 'shop',
        mark: `mark of ${name}`,
        namespace: 'shop',
      },
      ...{ admin, authority: admin, logins: [`${name}_a`, `${name}_b`] },
    });
    /** The port, with Secrets of administrators. */
    function port() {
      const authority = encoded(server.authority);
      const secretOf = (username: string, password: string) => ({
        data: { username: encoded(username), password: encoded(password), 'ca.crt': authority },
      });
      const secrets: Readonly<Record<string, object>> = {
        admin: secretOf('postgres', server.password),
        limited: secretOf('manager', 'the password of the manager'),
        wrong: secretOf('postgres', 'another password'),
        untrusted: { data: { username: encoded('postgres'), password: encoded(server.password) } },
      };
      const read = async (_: unknown, { name }: { readonly name: string }) => secrets[name];
      const { source, performer } = loginsFrom({ read } as unknown as Parameters<typeof loginsFrom>[0], anyHost);
      const options = () => ({ signal: AbortSignal.timeout(30_000), mayLeave: () => {}, secret: kept });
      const perform = performer?.perform as Perform<LoginsRequest>;
      return {
        ask: (question: LoginsQuestion) => (source as Source<LoginsQuestion, LoginsAnswer>)(question, options()),
        send: (request: LoginsRequest) => perform(request, options()),
      };
    }
    const allow = (admin: string, name?: string) =>
      ({ act: 'allow', slot: 'next', ...next, ...of(admin, name) }) as const;
    const refuse = (admin: string) => ({ act: 'refuse', login: 'carts_a', ...of(admin) }) as const;
    const access = () => ({ ...admin(), database: 'shop', username: 'carts_a', password: kept['next.password'] });

    it('a login works once it is allowed, with the rights of the owner, and no longer once it is refused', async () => {
      const { ask, send } = port();
      expect(await ask({ ...of('admin'), next })).toMatchObject({ roles: {}, accepts: { next: false } });
      await send(allow('admin'));
      await send(allow('admin'));
      const { roles, accepts, authority } = await ask({ ...of('admin'), next });
      expect(roles).toEqual({ carts_a: { isOurs: true, canLogin: true, inUse: false } });
      expect({ accepts, authority }).toEqual({ accepts: { next: true }, authority: server.authority });
      await withSession(access(), AbortSignal.timeout(10_000), async (query) => {
        await query('CREATE TABLE made (n int)');
        const [table] = await query("SELECT tableowner FROM pg_tables WHERE tablename = 'made'");
        expect(table).toEqual({ tableowner: 'shop' });
        // A session of the login is open.
        await expect(send(refuse('admin'))).rejects.toMatchObject({ message: 'sessions of role carts_a are open' });
        expect((await ask(of('admin'))).roles['carts_a']).toMatchObject({ canLogin: true, inUse: true });
      });
      await send(refuse('admin'));
      expect(await ask({ ...of('admin'), next })).toMatchObject({
        roles: { carts_a: { canLogin: false } },
        accepts: { next: false },
      });
    });

    it('a login whose password was changed is not accepted until it is allowed again', async () => {
      const { ask, send } = port();
      await send(allow('admin'));
      await asAdmin((query) => query("ALTER ROLE carts_a PASSWORD 'another one'"));
      expect((await ask({ ...of('admin'), next })).accepts).toEqual({ next: false });
      await send(allow('admin'));
      expect((await ask({ ...of('admin'), next })).accepts).toEqual({ next: true });
    });

    it('a role that something else has created is never changed', async () => {
      const { ask, send } = port();
      await asAdmin((query) => query("CREATE ROLE others_a LOGIN PASSWORD 'of others'"));
      const request = { ...allow('admin', 'others'), login: 'others_a' };
      await expect(send(request)).rejects.toMatchObject({ message: 'The kept credential has changed meanwhile' });
      const theirs = { act: 'refuse', login: 'others_a', ...of('admin', 'others') } as const;
      await expect(send(theirs)).rejects.toMatchObject({ kind: 'terminal' });
      await expect(send({ ...allow('admin'), mark: 'mark of another rotation' })).rejects.toMatchObject({
        kind: 'terminal',
        message: 'role carts_a exists, and this SecretRotation has not created it',
      });
      expect((await ask(of('admin', 'others'))).roles['others_a']).toMatchObject({ isOurs: false, canLogin: true });
    });

    it('an administrator without superuser rights is enough', async () => {
      const { ask, send } = port();
      await asAdmin(async (query) => {
        await query("CREATE ROLE manager LOGIN CREATEROLE PASSWORD 'the password of the manager'");
        await query('GRANT shop TO manager WITH ADMIN OPTION');
      });
      await send(allow('limited'));
      expect((await ask({ ...of('limited'), next })).accepts).toEqual({ next: true });
    });

    it.each([
      { admin: 'wrong', message: 'password authentication failed for user "postgres"' },
      { admin: 'lost', message: 'Secret lost does not exist: create it in namespace shop' },
      { admin: 'untrusted', message: 'unable to verify the first certificate' },
    ])('an administrator that is $admin has a clear error', async ({ admin: name, message }) => {
      const { ask, send } = port();
      await expect(ask(of(name))).rejects.toThrow(message);
      await expect(send(refuse(name))).rejects.toThrow(message);
    });
  });
});
