import { describe, expect, it } from 'vitest';
import type {
  LoginsAnswer,
  LoginsQuestion,
  LoginsRequest,
} from '../../../../operator/controllers/secret-rotation/ports/logins.js';
import { allowedAddresses } from '../../../../operator/egress/allowed-addresses.js';
import { loginsFrom } from '../../../../operator/engines/postgres/logins-source.js';
import type { Perform, Source } from '../../../../operator/runtime/ports/external-port.js';

const addresses = allowedAddresses(['db.example.com']);
const pair = {
  ...{ port: 5432, database: 'shop', owner: 'shop', mark: 'mark', namespace: 'shop', admin: 'admin' },
  ...{ authority: 'admin', logins: ['orders_a', 'orders_b'] },
};

describe('line 12: a PostgreSQL that a user names', () => {
  it.each([
    { host: 'other.example.com', isStated: true, message: 'add other.example.com to --allowed-addresses' },
    { host: '127.0.0.1', isStated: true, message: 'must not be loopback' },
    { host: '169.254.169.254', isStated: true, message: 'must not be link-local' },
    // The next step, which fails here for another reason.
    { host: 'db.example.com', isStated: true, message: 'Secret admin does not exist' },
    { host: 'orders-rw.shop.svc', isStated: false, message: 'Secret admin does not exist' },
  ])('$host is checked before anything is read or sent: $message', async ({ host, isStated, message }) => {
    const read: string[] = [];
    const cluster = {
      read: async ({ kind }: { readonly kind: string }, { name }: { readonly name: string }) =>
        void read.push(`${kind} ${name}`),
    };
    const { source, performer } = loginsFrom(cluster as unknown as Parameters<typeof loginsFrom>[0], addresses);
    const options = { signal: AbortSignal.timeout(120_000), mayLeave: () => {} };
    const question: LoginsQuestion = { ...pair, host, isStated };
    await expect((source as Source<LoginsQuestion, LoginsAnswer>)(question, options)).rejects.toThrow(message);
    const perform = performer?.perform as Perform<LoginsRequest>;
    await expect(perform({ act: 'refuse', login: 'orders_a', ...question }, options)).rejects.toThrow(message);
    const once = ['Secret admin', 'Namespace shop'];
    expect(read).toEqual(message.startsWith('Secret') ? [...once, ...once] : []);
  });
});

it('line 10: a login never gets the password that is kept for the other one', async () => {
  const data = { username: 'YWRtaW4=', password: 'YWRtaW4=' };
  const cluster = { read: async () => ({ data }) } as unknown as Parameters<typeof loginsFrom>[0];
  const perform = loginsFrom(cluster, addresses).performer?.perform as Perform<LoginsRequest>;
  const request = { ...pair, host: 'localhost', port: 1, isStated: false, act: 'allow', slot: 'next' } as const;
  const secret = { 'next.username': 'orders_a', 'next.password': 'a-password' };
  const options = { secret, signal: AbortSignal.timeout(120_000), mayLeave: () => {} };
  const changed = 'The kept credential has changed meanwhile';
  await expect(perform({ ...request, login: 'orders_b', hash: 'b' }, options)).rejects.toThrow(changed);
});
