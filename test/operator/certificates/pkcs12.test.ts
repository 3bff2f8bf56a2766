import { spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPrivateKey } from '../../../operator/certificates/keys.js';
import { keyStoreOf, trustStoreOf } from '../../../operator/certificates/pkcs12.js';
import { certificatesIn, type KeyKind, publicKeyOf } from '../../../operator/certificates/reading.js';
import { selfSigned, signedBy } from '../../../operator/certificates/signing.js';
import { validFor } from '../../../operator/certificates/times.js';

const hour = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'pkcs12-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Has each character that Java reads in a password. */
const password = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
const content = (commonName: string, isCA: boolean) =>
  ({ commonName, usages: ['digital signature'], isCA, validity: validFor(hour, Date.now()) }) as const;
const authority = async (name: string) => {
  const key = await newPrivateKey({ algorithm: 'ECDSA', size: 256 });
  return { certificate: await selfSigned(content(name, true), key), key };
};
const issued = async (kind: KeyKind) => {
  const ca = await authority('internal CA');
  const key = await newPrivateKey(kind);
  const leaf = await signedBy(ca, content('shop', false), publicKeyOf(key) ?? '');
  return { certificate: `${leaf}${ca.certificate}`, key, ca: ca.certificate };
};
const file = (name: string, store: string) => {
  const path = join(folder, name);
  writeFileSync(path, Buffer.from(store, 'base64'));
  return path;
};
const ran = (command: string, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
};
const canRun = (command: string, argument: string, what: string) => {
  const isInstalled = spawnSync(command, [argument]).status === 0;
  if (!isInstalled) console.warn(`The tests of key stores with ${what} are skipped: ${command} is not installed`);
  return isInstalled;
};

const kinds: readonly KeyKind[] = [
  { algorithm: 'ECDSA', size: 256 },
  { algorithm: 'ECDSA', size: 521 },
  { algorithm: 'RSA', size: 2048 },
  { algorithm: 'Ed25519' },
];

describe.skipIf(!canRun('openssl', 'version', 'OpenSSL'))('OpenSSL', () => {
  const openssl = (path: string, given = password, ...more: readonly string[]) =>
    ran('openssl', ['pkcs12', '-in', path, '-passin', `pass:${given}`, '-nodes', '-info', ...more]);

  it.each(kinds)('reads a key store with a key of $algorithm $size', async (kind) => {
    const { certificate, key } = await issued(kind);
    const { status, output } = openssl(file('key.p12', keyStoreOf({ certificate, key, password })));
    expect([status, certificatesIn(output)]).toEqual([0, certificatesIn(certificate)]);
    const [found = ''] = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/.exec(output) ?? [];
    expect(createPrivateKey(found).equals(createPrivateKey(key))).toBe(true);
    expect(output).toContain('friendlyName: certificate');
    expect(output.match(/PBES2, PBKDF2, AES-256-CBC, Iteration 2048, PRF hmacWithSHA256/g)).toHaveLength(2);
    expect(output).toContain('MAC: sha256, Iteration 2048');
  });

  it('reads a trust store, and refuses another password', async () => {
    const { ca } = await issued({ algorithm: 'Ed25519' });
    const path = file('trust.p12', trustStoreOf({ trusted: ca, password }));
    expect(certificatesIn(openssl(path).output)).toEqual([ca]);
    expect(openssl(path, 'another').output).toContain('Mac verify error: invalid password?');
  });
});

describe.skipIf(!canRun('keytool', '-help', 'Java'))('Java', () => {
  const list = (path: string) =>
    ran('keytool', ['-list', '-v', '-storetype', 'PKCS12', '-keystore', path, '-storepass', password]);

  it('reads a key store', async () => {
    const { certificate, key } = await issued({ algorithm: 'ECDSA', size: 256 });
    const { status, output } = list(file('key.p12', keyStoreOf({ certificate, key, password })));
    expect(status).toBe(0);
    expect(output).toContain('Your keystore contains 1 entry');
    expect(output).toContain('Alias name: certificate\n');
    expect(output).toMatch(/Entry type: PrivateKeyEntry\nCertificate chain length: 2\n/);
  });

  it('trusts each certificate of a trust store', async () => {
    const all = [await authority('old'), await authority('old')].map(({ certificate }) => certificate);
    const { output } = list(file('trust.p12', trustStoreOf({ trusted: all.join(''), password })));
    expect(output.match(/Entry type: trustedCertEntry/g)).toHaveLength(2);
    for (const pem of all) {
      const alias = new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();
      expect(output).toContain(`Alias name: ${alias}\n`);
    }
  });
});

describe('a store', () => {
  let one: Awaited<ReturnType<typeof issued>>;
  let other: typeof one;
  beforeAll(async () => {
    [one, other] = [await issued({ algorithm: 'ECDSA', size: 256 }), await issued({ algorithm: 'ECDSA', size: 256 })];
  });
  const given = () => ({ certificate: one.certificate, key: one.key, password: 'secret' });
  const keyStore = (change: object) => keyStoreOf({ ...given(), ...change });
  const trustStore = (change: object) => trustStoreOf({ trusted: one.ca, password: 'secret', secret: 'a', ...change });
  const bytes = (store: string) => Buffer.from(store, 'base64');
  /** The salts and initialization vectors of a store: octets of 16 bytes. */
  const salts = (store: string) =>
    [
      ...bytes(store)
        .toString('hex')
        .matchAll(/0410([0-9a-f]{32})/g),
    ].map(([, salt]) => salt);

  it('has the same bytes as long as its content is the same, also if it is made again', () => {
    // Another text is not remembered.
    const again = { certificate: `${one.certificate}\n`, key: `${one.key}\n` };
    expect([keyStore(again), trustStore({ trusted: `${one.ca}\n` })]).toEqual([keyStore({}), trustStore({})]);
  });

  it.each<{ what: string; changed: () => string; from: () => string }>([
    { what: 'the password', from: () => keyStore({}), changed: () => keyStore({ password: 'Secret' }) },
    {
      what: 'the chain',
      from: () => keyStore({}),
      changed: () => keyStore({ certificate: certificatesIn(one.certificate)[0] }),
    },
    { what: 'the key', from: () => keyStore({}), changed: () => keyStore({ key: other.key }) },
    { what: 'the CA', from: () => trustStore({}), changed: () => trustStore({ trusted: other.ca }) },
    { what: 'the password', from: () => trustStore({}), changed: () => trustStore({ password: 'Secret' }) },
    { what: 'the secret', from: () => trustStore({}), changed: () => trustStore({ secret: 'b' }) },
  ])('shares no salt with that before $what changed', ({ from, changed }) => {
    const [before, after] = [salts(from()), salts(changed())];
    expect(before.length).toBeGreaterThanOrEqual(3);
    expect(new Set([...before, ...after]).size).toBe(before.length + after.length);
  });

  it('has neither the key nor the password in clear', () => {
    const key = createPrivateKey(one.key).export({ format: 'der', type: 'pkcs8' });
    expect([bytes(keyStore({})).includes(key), bytes(keyStore({})).includes('secret')]).toEqual([false, false]);
  });

  it('has each certificate once', () => {
    expect(trustStore({ trusted: `${one.ca}${one.ca}` })).toBe(trustStore({}));
  });
});
