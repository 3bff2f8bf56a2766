import { afterEach, describe, expect, it } from 'vitest';
import { newPrivateKey } from '../../../../operator/certificates/keys.js';
import { fingerprintOf, parsed, publicKeyOf } from '../../../../operator/certificates/reading.js';
import { selfSigned, signedBy } from '../../../../operator/certificates/signing.js';
import { durationText, validFor } from '../../../../operator/certificates/times.js';
import { upToDateOf } from '../../../../operator/controllers/certificates/certificate/findings/up-to-date.js';
import { AcmeWorld, givenAcmeIssuer } from './given-acme.js';
import { type CertificateWorld, certificateKind, givenCertificate, issuerKind } from './given-certificates.js';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const now = Date.parse('2030-01-01T00:00:00Z');
type Spec = Parameters<typeof givenCertificate>[0];

const key = await newPrivateKey({ algorithm: 'ECDSA', size: 256 });
const authority = async (duration: number) => ({
  certificate: await selfSigned({ commonName: 'CA', usages: [], isCA: true, validity: validFor(duration, now) }, key),
  key,
});
const long = await authority(1000 * day);
const leaf = async (life: number, by = long) => {
  const content = {
    names: { dnsNames: ['shop.example.com'], ipAddresses: [], uris: [], emailAddresses: [] },
    usages: ['server auth'],
    isCA: false,
    validity: { from: now, to: now + life },
  } as const;
  return parsed(await signedBy(by, content, publicKeyOf(key) ?? '')) ?? expect.fail();
};

/** What `UpToDate` reports of a certificate that is valid for this long. */
async function reported(life: number, spec: Spec, by: 'acme' | 'shortCa' | 'longCa', cause?: 'Expiring' | 'Requested') {
  const ca = by === 'shortCa' ? await authority(life) : long;
  const signer = parsed(ca.certificate) ?? expect.fail();
  const available = { is: 'available', signer, fingerprint: fingerprintOf(signer) };
  const { metadata, ...rest } = givenCertificate(spec);
  const situation = {
    resource: { ...rest, metadata: { ...metadata, uid: 'u1' } },
    certificate: await leaf(life, ca),
    issuer: by === 'acme' ? { is: 'acme' } : available,
    polled: {},
    now,
  };
  const plan = { cause: cause && { reason: cause, message: 'it is due' } };
  const { reason, message = '' } = upToDateOf({ situation, plan, calls: { of: () => ({ state: 'none' }) } } as never);
  return `${reason}: ${message}`;
}

describe('a certificate that is valid for a shorter time than its spec asks for', () => {
  it.each<readonly [when: string, life: number, spec: Spec, by: Parameters<typeof reported>[2], told: RegExp]>([
    [
      'names both durations and an ignored renewBefore',
      10 * minute,
      { duration: '1h', renewBefore: '30m' },
      'acme',
      /^ShorterThanRequested: The ACME server decides about the validity: it is valid for 10m, and spec\.duration is 1h; it is renewed when a third of that is left, because spec\.renewBefore 30m is not shorter; lower spec\.duration and spec\.renewBefore, or set another spec\.acme\.profile of the issuer$/,
    ],
    [
      'keeps a shorter renewBefore',
      40 * minute,
      { duration: '1h', renewBefore: '30m' },
      'acme',
      /is 1h; lower spec\.duration, or/,
    ],
    ['does not count the second that servers subtract', hour - 1000, { duration: '1h' }, 'acme', /^UpToDate: $/],
    ['does not count the default as a request to a server', 6 * day, {}, 'acme', /^UpToDate: $/],
    [
      'counts a renewBefore beside the default',
      6 * day,
      { renewBefore: '7d' },
      'acme',
      /^Shorter.* 6d, and spec\.duration is 90d; .* 7d is not shorter/,
    ],
    ['counts a renewBefore of the whole validity', 6 * day, { renewBefore: '6d' }, 'acme', /^ShorterThanRequested/],
    [
      'names the end of its CA, also with the default',
      60 * day,
      {},
      'shortCa',
      /^ShorterThanRequested: The certificate ends with its CA, so it is valid for 60d, and spec\.duration is 90d; lower spec\.duration, or use a CA that is valid for longer$/,
    ],
    ['gets a longer duration at its next renewal', 60 * day, {}, 'longCa', /^UpToDate: $/],
  ])('%s', async (_when, life, spec, by, told) => {
    expect(await reported(life, spec, by)).toMatch(told);
  });

  it.each(['Expiring', 'Requested'] as const)('is reported while it is renewed because it is %s', async (cause) => {
    expect(await reported(10 * minute, { duration: '1h' }, 'acme', cause)).toMatch(/^ShorterThanRequested: /);
    expect(await reported(hour, { duration: '1h' }, 'acme', cause)).toMatch(/^Renewing: $/);
  });
});

it.each([
  [0, '0s'],
  [59_400, '59s'],
  [10 * minute, '10m'],
  [hour + 1000, '1h'],
  [90 * day - 1000, '89d 23h'],
  [90 * day, '90d'],
])('%i milliseconds are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

describe('a Certificate of an ACME server', () => {
  let world: CertificateWorld;
  afterEach(() => world.close());

  it('is valid and not up to date if the server gives half of the validity', async () => {
    const acme = await AcmeWorld.create();
    world = acme.world;
    const certificate = givenCertificate({ duration: '180d' });
    await world.starting([issuerKind, givenAcmeIssuer()], [certificateKind, certificate]);
    await world.rest(90_000);
    expect(await world.condition(certificateKind, 'shop', 'Valid')).toMatch(/^True Valid/);
    expect(await world.condition(certificateKind, 'shop', 'UpToDate')).toMatch(
      /^False ShorterThanRequested: .* 90d, and spec\.duration is 180d; /,
    );
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^False ShorterThanRequested/);
    expect(acme.acts).toEqual(['create', 'respond', 'finalize']);
  });
});
