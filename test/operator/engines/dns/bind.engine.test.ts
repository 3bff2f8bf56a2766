import { execFile } from 'node:child_process';
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type {
  RecordChange,
  RecordsAnswer,
  RecordsQuestion,
  RecordsRequest,
} from '../../../../operator/dns/dns-records.js';
import { dnsRecordsSource } from '../../../../operator/engines/dns/records-source.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import type { Perform, Provided, SecretData, Source } from '../../../../operator/runtime/ports/external-port.js';
import { contractZone, dnsRecordsContract } from './dns-records.contract.js';
import { limitedKey, limitedName, Named, namedKeys, namedProgram } from './named.js';

const program = namedProgram(process.env['PATH'] ?? '');
if (!program) console.warn("skipped: the tests of DNS updates require Debian's bind9 and bind9-dnsutils");

/** Started here, because the contract describes its tests with the server's port. */
const named = program ? await Named.start(program) : undefined;
const port = named?.port ?? 0;
afterAll(() => named?.dispose());

const at = { server: '127.0.0.1', port, zone: contractZone };
const [key, ...otherKeys] = namedKeys;
const { signal } = new AbortController();

/** The real source with the data of a Secret, which the runtime passes otherwise. */
function withSecret(secret: SecretData, clock = systemClock): Provided {
  const real = dnsRecordsSource({ clock, addresses: { lookupFor: () => lookup as LookupFunction } });
  const source = real.source as Source<never, unknown>;
  const perform = real.performer?.perform as Perform<never>;
  return {
    ...real,
    source: (question, options) => source(question, { ...options, secret }),
    performer: { perform: (request, options) => perform(request, { ...options, secret }) },
  };
}

const send = (changes: readonly RecordChange[], secret: SecretData = key, clock = systemClock) => {
  const perform = withSecret(secret, clock).performer?.perform as Perform<RecordsRequest>;
  return perform({ ...at, changes }, { signal, mayLeave: () => {} });
};
const ask = (name: string, type: RecordsQuestion['type'], zone = contractZone) => {
  const source = withSecret(key).source as unknown as Source<RecordsQuestion, RecordsAnswer>;
  return source({ ...at, zone, name, type }, { signal });
};
const address = (name: string, value = '192.0.2.9') =>
  ({ action: 'set', name, type: 'A', ttl: 5, values: [value] }) as const;

/** The RRsets that the contract makes. */
const emptied = (['A', 'AAAA', 'CNAME', 'TXT', 'SRV'] as const).flatMap((type) =>
  ['_acme-challenge', 'a', 'w', '_http._tcp'].map((name) => {
    return { action: 'set', name: `${name}.${contractZone}`, type, ttl: 0, values: [] } as const;
  }),
);

describe.skipIf(!program)('BIND', () => {
  dnsRecordsContract(async () => {
    if (program) await send(emptied);
    return { server: '127.0.0.1', port, provided: withSecret(key) };
  });

  test.each(otherKeys)('accepts updates and queries with $algorithm', async (other) => {
    const name = `${other.algorithm}.${contractZone}`;
    await send([address(name)], other);
    expect(await ask(name, 'A')).toEqual({ values: ['192.0.2.9'], ttl: 5 });
  });

  test.each([
    {
      when: 'the secret is wrong',
      kind: 'unauthorized',
      says: `answered BADSIG: the secret of the key ${key.name} must be that of the server`,
      update: () => send([address(`x.${contractZone}`)], { ...key, secret: Buffer.alloc(32).toString('base64') }),
    },
    {
      when: 'the key is not known',
      kind: 'unauthorized',
      says: 'answered BADKEY: the server must have the key other with the same algorithm',
      update: () => send([address(`x.${contractZone}`)], { ...key, name: 'other' }),
    },
    {
      when: 'the key has another algorithm',
      kind: 'unauthorized',
      says: `answered BADKEY: the server must have the key ${key.name} with the same algorithm`,
      update: () => send([address(`x.${contractZone}`)], { ...key, algorithm: 'hmac-sha512' }),
    },
    {
      when: 'the clock is 400 s behind',
      kind: 'unauthorized',
      says: 'answered BADTIME: the clock of the server is too far ahead; synchronize the clocks',
      update: () =>
        send([address(`x.${contractZone}`)], key, { ...systemClock, now: () => systemClock.now() - 400_000 }),
    },
    {
      when: 'the policy does not allow the name',
      kind: 'terminal',
      says: 'answered REFUSED: the policy of the server must allow the request with the key limited',
      update: () => send([address(limitedName), address(`x.${contractZone}`)], limitedKey),
    },
  ])('changes nothing, and reports the cause, where $when', async ({ kind, says, update }) => {
    await expect(update()).rejects.toMatchObject({ kind, message: `127.0.0.1:${port} ${says}` });
    expect(await ask(`x.${contractZone}`, 'A')).toEqual({ values: [] });
    expect(await ask(limitedName, 'A')).toEqual({ values: [] });
  });

  test('refuses a query of a zone that it does not have', async () => {
    await expect(ask('a.example.org', 'A', 'example.org')).rejects.toMatchObject({ kind: 'terminal' });
  });

  test('shows dig the texts that were written', async () => {
    const name = `dig.${contractZone}`;
    await send([{ action: 'add', name, type: 'TXT', ttl: 5, values: ['plain "text" \\', 'x'.repeat(256)] }]);
    const dig = ['@127.0.0.1', '-p', String(port), '+short', '+tcp', name, 'TXT'];
    const { stdout } = await promisify(execFile)('dig', dig);
    expect(stdout.trim().split('\n').toSorted()).toEqual(['"plain \\"text\\" \\\\"', `"${'x'.repeat(255)}" "x"`]);
  });

  test('takes 500 names in one message', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `many-${index}.${contractZone}`);
    await send(names.map((name) => address(name)));
    expect(await ask(names.at(-1) ?? '', 'A')).toEqual({ values: ['192.0.2.9'], ttl: 5 });
    await send(names.map((name) => ({ ...address(name), values: [] })));
    expect(await ask(names.at(-1) ?? '', 'A')).toEqual({ values: [] });
  });

  test('is unreachable after SIGKILL, and has all that it answered for after its restart', async () => {
    const name = `killed.${contractZone}`;
    await send([address(name)]);
    await named?.kill();
    await expect(send([address(name, '192.0.2.10')])).rejects.toMatchObject({
      kind: 'unreachable',
      mayHaveEffect: false,
    });
    await named?.restart();
    expect(await ask(name, 'A')).toEqual({ values: ['192.0.2.9'], ttl: 5 });
    await send([address(name, '192.0.2.10')]);
    expect(await ask(name, 'A')).toEqual({ values: ['192.0.2.10'], ttl: 5 });
  });
});
