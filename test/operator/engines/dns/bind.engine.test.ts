import { execFile } from 'node:child_process';
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type { NamesAnswer, NamesQuestion, NamesRequest, NamesUpdate } from '../../../../operator/dns/dns-names.js';
import type {
  RecordChange,
  RecordsAnswer,
  RecordsQuestion,
  RecordsRequest,
} from '../../../../operator/dns/dns-records.js';
import { dnsNamesSource, dnsRecordsSource } from '../../../../operator/engines/dns/records-source.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import type { Perform, Provided, SecretData, Source } from '../../../../operator/runtime/ports/external-port.js';
import { contractZone } from './contract-zone.js';
import { dnsNamesContract, foreignName, ownedName } from './dns-names.contract.js';
import { dnsRecordsContract } from './dns-records.contract.js';
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

const addresses = { lookupFor: () => lookup as LookupFunction };

/** The real source with the data of a Secret, which the runtime passes otherwise. */
function withSecret(
  secret: SecretData,
  clock = systemClock,
  real: Provided = dnsRecordsSource({ clock, addresses }),
): Provided {
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

/** One process, whose requests share messages. */
const names = withSecret(key, systemClock, dnsNamesSource({ clock: systemClock, addresses }));
const sendNames = (updates: readonly NamesUpdate[], by = names, zone = contractZone) => {
  const perform = by.performer?.perform as Perform<NamesRequest>;
  return perform({ server: '127.0.0.1', port, zone, updates }, { signal, mayLeave: () => {} });
};
const addressesOf = async (...labels: readonly string[]) => {
  const source = names.source as unknown as Source<NamesQuestion, NamesAnswer>;
  const rrsets = labels.map((label) => ({ name: `${label}.${contractZone}`, type: 'A' }) as const);
  const answer = await source({ ...at, rrsets }, { signal });
  return answer.rrsets.map(({ values }) => values.join());
};
const labels = (prefix: string, count = 500) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** The RRsets that the contract makes. */
const emptied = (['A', 'AAAA', 'CNAME', 'TXT', 'SRV'] as const).flatMap((type) =>
  ['_acme-challenge', 'a', 'w', '_http._tcp', 'n1', 'n2', 'n3', 'a-n1', 'a-n2', 'a-n3'].map((name) => {
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

  describe('with many names', () => {
    dnsNamesContract(async () => {
      if (program) await send(emptied);
      return { server: '127.0.0.1', port, provided: names };
    });

    test('takes 500 names of 500 resources, and refuses the foreign one among them to its resource alone', async () => {
      await sendNames([foreignName('shared-250')]);
      const requests = labels('shared').map((label) => sendNames([ownedName(label, ['192.0.2.1'])]));
      const results = await Promise.allSettled(requests);
      const refused = results.flatMap((one, index) =>
        one.status === 'rejected' ? [`${index}: ${one.reason.kind}: ${one.reason.message}`] : [],
      );
      expect(refused).toEqual([
        `250: retryable: shared-250.${contractZone}: 127.0.0.1:${port} answered YXRRSET: a name that must have no records of a type has some`,
      ]);
      expect(await addressesOf('shared-0', 'shared-250', 'shared-499')).toEqual([
        '192.0.2.1',
        '192.0.2.99',
        '192.0.2.1',
      ]);
    });

    test.each([
      {
        when: 'the secret is wrong',
        kind: 'unauthorized',
        says: `answered BADSIG: the secret of the key ${key.name} must be that of the server`,
        secret: { ...key, secret: Buffer.alloc(32).toString('base64') },
      },
      {
        when: 'the clock is 400 s behind',
        kind: 'unauthorized',
        says: 'answered BADTIME: the clock of the server is too far ahead; synchronize the clocks',
        clock: { ...systemClock, now: () => systemClock.now() - 400_000 },
      },
      {
        when: 'the policy allows none of the names',
        kind: 'terminal',
        says: 'answered REFUSED: the policy of the server must allow the request with the key limited',
        secret: limitedKey,
        isOfNames: true,
      },
      {
        when: 'the server does not have the zone',
        kind: 'terminal',
        says: 'answered NOTAUTH: the server must be authoritative for the zone',
        zone: 'com',
      },
    ])('changes nothing, and reports the cause, where $when', async (given) => {
      const { kind, says, secret = key, clock = systemClock, zone, isOfNames } = given;
      const by = withSecret(secret, clock, dnsNamesSource({ clock, addresses }));
      const failed = sendNames([ownedName('wrong-1', ['192.0.2.1']), ownedName('wrong-2', ['192.0.2.1'])], by, zone);
      const named = isOfNames ? `wrong-1.${contractZone}, wrong-2.${contractZone}: ` : '';
      await expect(failed).rejects.toMatchObject({ kind, message: `${named}127.0.0.1:${port} ${says}` });
      expect(await addressesOf('wrong-1', 'wrong-2')).toEqual(['', '']);
    });

    test('is right in the end where it is killed between two messages', async () => {
      const first = sendNames(labels('kill').map((label) => ownedName(label, ['192.0.2.1'])));
      await first;
      await named?.kill();
      const lost = sendNames(labels('kill', 501).map((label) => ownedName(label, ['192.0.2.2'], true)));
      await expect(lost).rejects.toMatchObject({ kind: 'unreachable', mayHaveEffect: false });
      await named?.restart();
      expect(await addressesOf('kill-0', 'kill-499')).toEqual(['192.0.2.1', '192.0.2.1']);
      await sendNames(labels('kill').map((label) => ownedName(label, ['192.0.2.2'], true)));
      expect(await addressesOf('kill-0', 'kill-499')).toEqual(['192.0.2.2', '192.0.2.2']);
    });

    test('has each name as it was or as it shall be where it is killed in the middle', async () => {
      await sendNames(labels('mid').map((label) => ownedName(label, ['192.0.2.1'])));
      const all = labels('mid').map((label) => sendNames([ownedName(label, ['192.0.2.2'], true)]));
      const results = Promise.allSettled(all);
      // While the server has the message, or shortly before or after.
      await new Promise((resolve) => setTimeout(resolve, 100));
      await named?.kill();
      const accepted = (await results).map(({ status }) => status === 'fulfilled');
      await named?.restart();
      const now = await addressesOf(...labels('mid'));
      expect(now.filter((value) => value !== '192.0.2.1' && value !== '192.0.2.2')).toEqual([]);
      expect(accepted.flatMap((is, index) => (is && now[index] !== '192.0.2.2' ? [index] : []))).toEqual([]);
      await sendNames(labels('mid').map((label) => ownedName(label, ['192.0.2.2'], true)));
      expect(new Set(await addressesOf(...labels('mid')))).toEqual(new Set(['192.0.2.2']));
    });
  });
});
