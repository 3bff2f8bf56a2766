import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractZone } from '../dns/contract-zone.js';
import { Named, namedKeys, namedProgram } from '../dns/named.js';
import { AcmeOperator } from './acme-operator.js';
import { Pebble, type PebbleProps, pebbleAbsence, profiles } from './pebble-server.js';

const absent = await pebbleAbsence();
if (absent !== undefined) console.warn(`the controllers are not tried with a real ACME server: ${absent}`);
const bind = namedProgram(process.env['PATH'] ?? '');
if (bind === undefined) console.warn("DNS-01 is not tried with a real DNS server: Debian's bind9 is not installed");

const names = ['a.example.com', 'b.example.com'];
const secret = (name: string, data: Readonly<Record<string, string>>) => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'shop' } },
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
});

async function given(props: PebbleProps = {}, ...secrets: readonly ReturnType<typeof secret>[]) {
  const pebble = await Pebble.start(props);
  const operator = await AcmeOperator.start(pebble, ...secrets);
  const end = async () => {
    await operator[Symbol.asyncDispose]();
    await pebble[Symbol.asyncDispose]();
  };
  return { operator, pebble, [Symbol.asyncDispose]: end };
}

const certificateIn = (chain: string) => new X509Certificate(chain);

describe.skipIf(absent)('line 6: a Certificate of a real ACME server', () => {
  it('is issued by HTTP-01 for two names with one order, although the server refuses nonces', async () => {
    await using world = await given({ refusedNonces: 20 });
    await world.operator.order({ email: 'admin@example.com' }, names);
    const chain = await world.operator.issued();
    expect(certificateIn(chain).subjectAltName).toBe('DNS:a.example.com, DNS:b.example.com');
    expect(world.operator.acts).toEqual(['reconstruct/acme-account', 'create', 'respond', 'respond', 'finalize']);
  });

  it('is issued with an external account and a profile', async () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64url');
    await using world = await given({ externalAccounts: { mine: key } }, secret('external', { secret: key }));
    const externalAccount = { keyId: 'mine', secretRef: { name: 'external' } };
    await world.operator.order({ externalAccount, profile: 'shortlived' }, names);
    const { validFrom, validTo } = certificateIn(await world.operator.issued());
    expect(Math.round((Date.parse(validTo) - Date.parse(validFrom)) / 1000) + 1).toBe(profiles.shortlived);
  });

  it.skipIf(bind === undefined)(
    'is issued for a wildcard by DNS-01 through a real BIND, which has no record left',
    async () => {
      const named = await Named.start(bind ?? '');
      try {
        const [tsig] = namedKeys;
        await using world = await given({ dnsServer: `127.0.0.1:${named.port}` }, secret('tsig', tsig));
        const rfc2136 = { server: '127.0.0.1', port: named.port, zone: contractZone, tsigSecretRef: { name: 'tsig' } };
        const domain = `shop.${contractZone}`;
        await world.operator.order({ solvers: [{ dns01: { rfc2136 } }] }, [`*.${domain}`, domain]);
        expect(certificateIn(await world.operator.issued()).subjectAltName).toBe(`DNS:*.${domain}, DNS:${domain}`);
        await expect.poll(() => world.operator.records()).toEqual([]);
        expect(world.operator.acts.filter((act) => act === 'create')).toHaveLength(1);
        expect(await named.texts(`_acme-challenge.${domain}`)).toEqual([]);
      } finally {
        await named.dispose();
      }
    },
  );
});

describe.skipIf(absent)('an ACME server that lost its accounts', () => {
  it('has another account within seconds, and issues the next certificate', async () => {
    await using world = await given();
    await world.operator.order({}, names);
    await world.operator.issued();
    await world.pebble.restart();
    await world.operator.order({}, [...names, 'c.example.com']);
    const chain = await world.operator.issued(2);
    expect(certificateIn(chain).subjectAltName).toBe('DNS:a.example.com, DNS:b.example.com, DNS:c.example.com');
    expect(world.operator.acts.filter((act) => act === 'reconstruct/acme-account')).toHaveLength(2);
  });
});

describe.skipIf(absent)('line 10: an operator that is killed', () => {
  // An order fails if nothing answers its challenge while the server validates it.
  it.each([
    ['reconstruct/acme-account', 0],
    ['respond', 2_000],
    ['finalize', 0],
  ])('after %s goes on with the same account and order', async (last, answering) => {
    await using world = await given();
    const { operator } = world;
    const killed = new Promise<void>((resolve, reject) => {
      operator.onAct = (act) => {
        if (act !== last) return;
        operator.onAct = () => {};
        operator.kill(answering).then(resolve, reject);
      };
    });
    await operator.order({}, names);
    await killed;
    await operator.startProcess();
    expect(certificateIn(await operator.issued()).subjectAltName).toBe('DNS:a.example.com, DNS:b.example.com');
    expect(operator.acts.filter((act) => act === 'create')).toHaveLength(1);
    expect(operator.acts.filter((act) => act === 'reconstruct/acme-account')).toHaveLength(1);
  });
});
