import { createPrivateKey } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { keyStoreOf, trustStoreOf } from '../../../../operator/certificates/pkcs12.js';
import { isStored } from '../../../../operator/controllers/certificates/certificate/view.js';
import type { LiveConfigMap, LiveSecret, ObjectKind } from '../../../../operator/runtime/index.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import {
  CertificateWorld,
  ConfigMap,
  certificateKind,
  givenCertificate,
  givenIssuer,
  givenTrustBundle,
  issuerKind,
  Secret,
  trustBundleKind,
} from './given-certificates.js';

const minute = 60_000;
let world: CertificateWorld;
afterEach(() => world.close());

const keystores = { pkcs12: { passwordSecretRef: { name: 'store-password' } } };
const passwordSecret = (password?: string) =>
  ({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'store-password', namespace: 'shop' } },
    data: password === undefined ? {} : { password: Buffer.from(password).toString('base64') },
  }) as const;
const internal = [issuerKind, givenIssuer({ commonName: 'internal CA' })] as const;
const stored = [certificateKind, givenCertificate({ keystores })] as const;
const start = (...more: readonly (readonly [ObjectKind, Manifest])[]) =>
  CertificateWorld.start(internal, stored, ...more);
const given = async (password?: string) => {
  await world.operator.given(Secret, passwordSecret(password) as never);
  await world.rest();
};
const data = async (name = 'shop-tls') =>
  ((await world.operator.memory.read(Secret, { namespace: 'shop', name })) as LiveSecret | undefined)?.data ?? {};
/** The stores that belong to the rest of a Secret. */
const storesOf = async (password: string) => {
  const texts = (await world.secret()) ?? {};
  const { 'tls.crt': certificate = '', 'tls.key': key = '', 'ca.crt': trusted = '' } = texts;
  const others = { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': trusted };
  const encoded = Object.entries(others).map(([name, text]) => [name, Buffer.from(text).toString('base64')]);
  return {
    ...Object.fromEntries(encoded),
    'keystore.p12': keyStoreOf({ certificate, key, password }),
    'truststore.p12': trustStoreOf({ trusted, password, secret: key }),
  };
};
const writes = () => world.operator.writes.filter((write) => write.endsWith('Secret shop/shop-tls'));

/** Another process of the operator writes nothing and asks nothing. */
async function expectRest(): Promise<void> {
  world = await world.restarted();
  world.operator.memory.forgetWrites();
  await world.after(60 * minute);
  expect([world.operator.writes, world.questions]).toEqual([[], []]);
}

describe('the key stores of a Certificate', () => {
  it('are written with the certificate in one write, and cost nothing at rest', async () => {
    world = await start([Secret, passwordSecret('first') as never]);
    expect(await data()).toEqual(await storesOf('first'));
    expect(writes()).toEqual(['create Secret shop/shop-tls']);
    await expectRest();
  });

  it('change with the password, and the certificate stays', async () => {
    world = await start([Secret, passwordSecret('first') as never]);
    const before = await data();
    world.questions.length = 0;
    world.operator.memory.forgetWrites();
    await given('second');
    expect(await data()).toEqual(await storesOf('second'));
    expect((await data())['tls.crt']).toBe(before['tls.crt']);
    expect([world.questions, writes().length]).toEqual([[], 1]);
  });

  it.each(['keystore.p12', 'truststore.p12'])('come back after %s was edited', async (key) => {
    world = await start([Secret, passwordSecret('first') as never]);
    const edit = { op: 'add', path: `/data/${key}`, value: 'anVuaw==' } as const;
    await world.operator.memory.patch(Secret, { namespace: 'shop', name: 'shop-tls' }, [edit], { manager: 'me' });
    await world.rest();
    expect(await data()).toEqual(await storesOf('first'));
  });

  it('are removed with the field', async () => {
    world = await start([Secret, passwordSecret('first') as never]);
    await world.operator.given(certificateKind, givenCertificate());
    await world.rest();
    expect(Object.keys(await data()).toSorted()).toEqual(['ca.crt', 'tls.crt', 'tls.key']);
  });

  it('restart the consumers once, after they are in the Secret', async () => {
    world = await start([Secret, passwordSecret('first') as never]);
    await world.deployment('shop');
    await world.operator.given(certificateKind, givenCertificate({ keystores, consumers: [{ deployment: 'shop' }] }));
    await world.after(minute);
    const before = await world.annotations('shop');
    world.operator.memory.forgetWrites();
    await given('second');
    await world.after(minute);
    expect(await world.annotations('shop')).not.toEqual(before);
    expect(world.operator.writes.filter((write) => /Secret shop\/shop-tls$|Deployment/.test(write))).toEqual([
      'apply Secret shop/shop-tls',
      'patch Deployment shop/shop',
    ]);
  });
});

describe('the other formats of a Certificate', () => {
  const additionalOutputFormats = [{ type: 'CombinedPEM' }, { type: 'DER' }] as const;
  const keys = ['ca.crt', 'key.der', 'tls-combined.pem', 'tls.crt', 'tls.key'];
  const formatted = (spec: object = {}) => givenCertificate({ additionalOutputFormats, ...spec });
  const startFormatted = () => CertificateWorld.start(internal, [certificateKind, formatted()]);
  /** The formats that belong to the rest of the Secret. */
  const formatsOf = async () => {
    const { 'tls.crt': certificate, 'tls.key': key = '' } = (await world.secret()) ?? {};
    return {
      'tls-combined.pem': Buffer.from(`${key}\n${certificate}`).toString('base64'),
      'key.der': createPrivateKey(key).export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    };
  };

  it('are written with the certificate in one write, and cost nothing at rest', async () => {
    world = await startFormatted();
    expect(Object.keys(await data()).toSorted()).toEqual(keys);
    expect(await data()).toMatchObject(await formatsOf());
    expect(writes()).toEqual(['create Secret shop/shop-tls']);
    await expectRest();
  });

  it('change with a renewal, in one write', async () => {
    world = await startFormatted();
    const before = await data();
    world.operator.memory.forgetWrites();
    await world.after(62 * 24 * 60 * minute);
    expect((await data())['tls.crt']).not.toBe(before['tls.crt']);
    expect(await data()).toMatchObject(await formatsOf());
    expect(writes()).toEqual(['apply Secret shop/shop-tls']);
  });

  it.each(['tls-combined.pem', 'key.der'])('come back after %s was edited', async (key) => {
    world = await startFormatted();
    const edit = { op: 'add', path: `/data/${key}`, value: 'anVuaw==' } as const;
    await world.operator.memory.patch(Secret, { namespace: 'shop', name: 'shop-tls' }, [edit], { manager: 'me' });
    await world.rest();
    expect(await data()).toMatchObject(await formatsOf());
  });

  it('are added to an issued certificate, which stays, and removed one by one', async () => {
    world = await CertificateWorld.start(internal, [certificateKind, givenCertificate()]);
    const before = await data();
    world.questions.length = 0;
    const become = async (spec: object) => {
      await world.operator.given(certificateKind, formatted(spec));
      await world.rest();
      return data();
    };
    expect(await become({})).toEqual({ ...before, ...(await formatsOf()) });
    const { 'tls-combined.pem': combined } = await formatsOf();
    const one = { additionalOutputFormats: [{ type: 'CombinedPEM' }] };
    expect(await become(one)).toEqual({ ...before, 'tls-combined.pem': combined });
    expect(await become({ additionalOutputFormats: undefined })).toEqual(before);
    expect(world.questions).toEqual([]);
  });

  it('stay while the key is unusable and nothing can be issued', async () => {
    world = await startFormatted();
    const before = await data();
    await world.operator.given(certificateKind, formatted({ issuer: { name: 'missing' } }));
    await world.rest();
    const edit = { op: 'add', path: '/data/tls.key', value: 'anVuaw==' } as const;
    await world.operator.memory.patch(Secret, { namespace: 'shop', name: 'shop-tls' }, [edit], { manager: 'me' });
    await world.rest();
    expect(await data()).toEqual({ ...before, 'tls.key': 'anVuaw==' });
  });

  it('restart the consumers once, after they are in the Secret', async () => {
    const consumers = [{ deployment: 'shop' }];
    world = await CertificateWorld.start(internal, [certificateKind, givenCertificate({ consumers })]);
    await world.deployment('shop');
    await world.after(minute);
    world.operator.memory.forgetWrites();
    await world.operator.given(certificateKind, formatted({ consumers }));
    await world.after(minute);
    expect(world.operator.writes.filter((write) => /Secret shop\/shop-tls$|Deployment/.test(write))).toEqual([
      'patch Secret shop/shop-tls', // of its managed fields
      'apply Secret shop/shop-tls',
      'patch Deployment shop/shop',
    ]);
  });

  it('stay beside key stores whose password cannot be used', async () => {
    world = await CertificateWorld.start(internal, [certificateKind, givenCertificate()]);
    await world.operator.given(certificateKind, formatted({ keystores }));
    await world.rest();
    expect(await world.condition(certificateKind, 'shop', 'UpToDate')).toContain('PasswordNotFound');
    expect(Object.keys(await data()).toSorted()).toEqual(keys);
  });
});

describe('a password that cannot be used', () => {
  const missing = 'create it, or correct spec.keystores.pkcs12.passwordSecretRef';
  const rule =
    'must be printable ASCII characters without a line break, because Java reads no other password; correct it';
  it.each<{ what: string; password?: string; problem: string }>([
    {
      what: 'without a key',
      problem: `PasswordNotFound: Secret store-password has no password in key password; add it, or correct spec.keystores.pkcs12.passwordSecretRef`,
    },
    {
      what: 'that is empty',
      password: '',
      problem: `PasswordNotFound: Secret store-password has no password in key password; add it, or correct spec.keystores.pkcs12.passwordSecretRef`,
    },
    {
      what: 'with a line break',
      password: 'hunter2\n',
      problem: `InvalidPassword: The password in key password of Secret store-password ${rule}`,
    },
    {
      what: 'with another character',
      password: 'hünter2',
      problem: `InvalidPassword: The password in key password of Secret store-password ${rule}`,
    },
  ])('$what leaves the Secret as it is, also when a renewal is due', async ({ password, problem }) => {
    world = await start([Secret, passwordSecret('first') as never]);
    const before = await data();
    world.questions.length = 0;
    await given(password);
    await world.after(80 * 24 * 60 * minute);
    expect(await world.condition(certificateKind, 'shop', 'UpToDate')).toBe(`False ${problem}`);
    expect([await data(), world.questions.filter(({ port }) => port === 'reconstruct/certificate-signing')]).toEqual([
      before,
      [],
    ]);
    await given('second');
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
    expect(await data()).toEqual(await storesOf('second'));
  });

  it('is waited for before the first certificate is issued', async () => {
    world = await start();
    expect(await world.condition(certificateKind, 'shop', 'UpToDate')).toBe(
      `False PasswordNotFound: Secret store-password does not exist; ${missing}`,
    );
    expect(await world.secret()).toBeUndefined();
    await given('first');
    expect(await data()).toEqual(await storesOf('first'));
  });

  it('is in no status, event or question', async () => {
    world = await start([Secret, passwordSecret('hunter2-first') as never]);
    await given('hunter2-second\n');
    expect(JSON.stringify([await world.certificate(), world.questions, world.operator.writes])).not.toContain(
      'hunter2',
    );
  });
});

describe('the trust store of a TrustBundle', () => {
  it('has the certificates of the bundle, and costs nothing at rest', async () => {
    const sources = [{ issuer: { name: 'internal', namespace: 'shop' } }];
    const target = { configMap: 'company', pkcs12: {} };
    world = await CertificateWorld.start(internal, [
      trustBundleKind,
      givenTrustBundle({ sources, namespaces: {}, target }),
    ]);
    const place = { namespace: 'shop', name: 'company' };
    const live = (await world.operator.memory.read(ConfigMap, place)) as LiveConfigMap;
    const trusted = live.data?.['ca.crt'] ?? '';
    expect(live.binaryData).toEqual({ 'truststore.p12': trustStoreOf({ trusted, password: 'changeit' }) });
    world = await world.restarted();
    world.operator.memory.forgetWrites();
    await world.after(60 * minute);
    expect(world.operator.writes).toEqual([]);
  });
});

describe('a Secret whose consumers are restarted', () => {
  it.each<[is: boolean, when: string, password: string]>([
    [true, 'has the stores with the present password', 'first'],
    [false, 'still has the stores with the password before', 'second'],
  ])('is complete: %s, if it %s', async (is, _, password) => {
    world = await start([Secret, passwordSecret('first') as never]);
    const { 'tls.crt': certificate = '', 'tls.key': key = '', 'ca.crt': trusted = '' } = (await world.secret()) ?? {};
    const live = await world.operator.memory.read(Secret, { namespace: 'shop', name: 'shop-tls' });
    const view = {
      resource: await world.certificate(),
      owned: { of: () => [live] },
      reads: { password: passwordSecret(password) },
    } as unknown as Parameters<typeof isStored>[0];
    expect(isStored(view, { certificate, key, trusted })).toBe(is);
  });
});
