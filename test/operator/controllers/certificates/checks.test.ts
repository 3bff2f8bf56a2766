import { describe, expect, it, test } from 'vitest';
import type { CertificateResource } from '../../../../imports/index.js';
import { newPrivateKey } from '../../../../operator/certificates/keys.js';
import {
  fingerprintOf,
  parsed,
  publicKeyOf,
  serialNumberOf,
  type Validity,
} from '../../../../operator/certificates/reading.js';
import { type CertificateContent, selfSigned, signedBy } from '../../../../operator/certificates/signing.js';
import { validFor } from '../../../../operator/certificates/times.js';
import { causeOf } from '../../../../operator/controllers/certificates/certificate/plan/causes.js';
import { restored, type StableSituation } from '../../../../operator/controllers/certificates/certificate/situation.js';
import type { AvailableIssuer } from '../../../../operator/controllers/certificates/issuer-reference/issuer-state.js';
import { renewalTimeOf } from '../../../../operator/controllers/certificates/renewal/renewal-time.js';
import { requestIn } from '../../../../operator/controllers/certificates/request/certificate-request.js';
import { rejectionOf } from '../../../../operator/controllers/certificates/request/rejection.js';
import { givenCertificate } from './given-certificates.js';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const now = Date.parse('2030-01-01T00:00:00Z');

const authority = async (duration = 1000 * day) => {
  const key = await newPrivateKey({ algorithm: 'ECDSA', size: 256 });
  const validity = validFor(duration, now);
  const content = { commonName: 'CA', usages: ['digital signature'], isCA: true, validity } as const;
  return { certificate: await selfSigned(content, key), key };
};
const [ca, otherCa, shortCa] = [await authority(), await authority(), await authority(90 * day)];
const [key, otherKey] = [
  await newPrivateKey({ algorithm: 'ECDSA', size: 256 }),
  await newPrivateKey({ algorithm: 'ECDSA', size: 256 }),
];

const content: CertificateContent = {
  names: { dnsNames: ['shop.example.com'], ipAddresses: [], uris: [], emailAddresses: [] },
  usages: ['digital signature', 'key encipherment', 'server auth'],
  isCA: false,
  validity: validFor(90 * day, now),
};
const issue = (change: Partial<CertificateContent> = {}, by = ca, of = key) =>
  signedBy(by, { ...content, ...change }, publicKeyOf(of) ?? '');
const good = await issue();
const ofOtherKey = await issue({}, ca, otherKey);
const otherName = { dnsNames: ['evil.example.com'], ipAddresses: [], uris: [], emailAddresses: [] };
const answers: readonly { readonly rejection: string | undefined; readonly answer: string }[] = [
  { rejection: undefined, answer: good },
  { rejection: 'it is not a certificate in PEM format', answer: 'junk' },
  { rejection: 'it is for another public key', answer: ofOtherKey },
  { rejection: 'it has other DNS names', answer: await issue({ names: otherName }) },
  { rejection: 'it has other usages', answer: await issue({ usages: ['server auth'] }) },
  { rejection: 'another CA signed it', answer: await issue({}, otherCa) },
  { rejection: 'it has expired', answer: await issue({ validity: { from: now - 2 * minute, to: now - minute } }) },
  {
    rejection: 'its validity has not started',
    answer: await issue({ validity: { from: now + minute, to: now + hour } }),
  },
];
const ofShortCa = await issue({}, shortCa);

const issuer = (of = ca): AvailableIssuer => {
  const signer = parsed(of.certificate) ?? expect.fail();
  return {
    is: 'available',
    signer,
    fingerprint: fingerprintOf(signer),
    chain: '',
    trusted: of.certificate,
    secret: 'ca',
  };
};
/** A Certificate with the annotation that asks for a renewal. */
const requested = (value: string, status?: CertificateResource['status']) => {
  const resource = live();
  const metadata = { ...resource.metadata, annotations: { 'reconstruct.dev/renew': value } };
  return { ...resource, metadata, ...(status && { status }) } as CertificateResource;
};
const serial = serialNumberOf(parsed(good) ?? expect.fail());
const live = (spec: Parameters<typeof givenCertificate>[0] = {}) => {
  const { metadata, ...rest } = givenCertificate(spec);
  return { ...rest, metadata: { ...metadata, uid: 'u1' } } as unknown as CertificateResource;
};
const situation = (
  change: Partial<StableSituation> & { readonly certificate?: never; readonly text?: string } = {},
): StableSituation => {
  const { text = good, ...more } = change;
  const secret = 'secret' in change ? change.secret : { certificate: text, key, trusted: ca.certificate };
  const issued = { resource: live(), issuer: issuer(), ...more, secret };
  return { ...issued, certificate: parsed(secret?.certificate ?? '') };
};

describe('line 3: the cause of an issuance', () => {
  const bare = { certificate: good, key, trusted: '' };
  it.each<{ cause: string | undefined; when: string; situation: StableSituation; at?: number }>([
    { cause: undefined, when: 'all is well', situation: situation() },
    { cause: 'SecretMissing', when: 'there is no Secret', situation: situation({ secret: undefined }) },
    { cause: 'KeyMissing', when: 'the key is empty', situation: situation({ secret: { ...bare, key: '' } }) },
    { cause: 'KeyMissing', when: 'the key is junk', situation: situation({ secret: { ...bare, key: 'junk' } }) },
    {
      cause: 'KeyMismatch',
      when: 'there is no certificate',
      situation: situation({ secret: { ...bare, certificate: '' } }),
    },
    { cause: 'KeyMismatch', when: 'the key is another', situation: situation({ secret: { ...bare, key: otherKey } }) },
    { cause: 'IssuerChanged', when: 'another CA signs now', situation: situation({ issuer: issuer(otherCa) }) },
    {
      cause: 'SpecChanged',
      when: 'a name is added',
      situation: situation({ resource: live({ dnsNames: ['shop.example.com', 'a'] }) }),
    },
    {
      cause: undefined,
      when: 'a name is written in capitals',
      situation: situation({ resource: live({ dnsNames: ['Shop.Example.com'] }) }),
    },
    {
      cause: 'SpecChanged',
      when: 'an address is added',
      situation: situation({ resource: live({ ipAddresses: ['::1'] }) }),
    },
    {
      cause: 'SpecChanged',
      when: 'a usage is added',
      situation: situation({
        resource: live({ usages: ['digital signature', 'key encipherment', 'server auth', 'client auth'] }),
      }),
    },
    { cause: 'SpecChanged', when: 'it must be a CA', situation: situation({ resource: live({ isCA: true }) }) },
    {
      cause: 'SpecChanged',
      when: 'it gets a common name',
      situation: situation({ resource: live({ commonName: 'shop' }) }),
    },
    {
      cause: 'SpecChanged',
      when: 'the key must be larger',
      situation: situation({ resource: live({ privateKey: { size: 384 } }) }),
    },
    {
      cause: 'SpecChanged',
      when: 'the validity is shortened',
      situation: situation({ resource: live({ duration: '89d' }) }),
    },
    {
      cause: undefined,
      when: 'the validity is prolonged',
      situation: situation({ resource: live({ duration: '91d' }) }),
    },
    {
      cause: undefined,
      when: 'it is a moment before the renewal',
      situation: situation({ resource: live({ renewBefore: '30d' }) }),
      at: 60 * day - 1,
    },
    {
      cause: 'Expiring',
      when: 'it is time to renew',
      situation: situation({ resource: live({ renewBefore: '30d' }) }),
      at: 60 * day,
    },
    {
      cause: 'IssuerChanged',
      when: 'it is time to renew, and another CA signs',
      situation: situation({ resource: live({ renewBefore: '30d' }), issuer: issuer(otherCa) }),
      at: 60 * day,
    },
    {
      cause: undefined,
      when: 'the issuer is not there',
      situation: situation({ issuer: { is: 'IssuerNotFound', message: '' } }),
    },
    { cause: 'Requested', when: 'a renewal is requested', situation: situation({ resource: requested('1') }) },
    {
      cause: 'Requested',
      when: 'another renewal was requested before',
      situation: situation({ resource: requested('2', { requested: '1' }) }),
    },
    {
      cause: 'Requested',
      when: 'the request is recorded, and its certificate is not issued',
      situation: situation({ resource: requested('1', { issuing: { replaces: serial, requested: '1' } }) }),
    },
    {
      cause: undefined,
      when: 'the certificate of the request is issued, and the status does not have it yet',
      situation: situation({ resource: requested('1', { issuing: { replaces: 'a0', requested: '1' } }) }),
    },
    {
      cause: 'Requested',
      when: 'a later request came while a certificate was issued',
      situation: situation({ resource: requested('2', { issuing: { replaces: 'a0', requested: '1' } }) }),
    },
    {
      cause: undefined,
      when: 'the certificate of the request is issued',
      situation: situation({ resource: requested('1', { requested: '1' }) }),
    },
    {
      cause: 'SpecChanged',
      when: 'a renewal is requested, and a name is added',
      situation: situation({
        resource: { ...requested('1'), spec: live({ dnsNames: ['shop.example.com', 'a'] }).spec },
      }),
    },
  ])('is $cause when $when', ({ cause, situation: seen, at = 0 }) => {
    expect(causeOf(seen, now + at)?.reason).toBe(cause);
  });

  it('is none for a certificate that expires with its CA', () => {
    const seen = situation({ text: ofShortCa, issuer: issuer(shortCa) });
    expect(causeOf(seen, now + 89 * day)).toBeUndefined();
  });
});

describe('line 2: a certificate is renewed', () => {
  const validity = { from: now, to: now + 90 * day };
  it.each<{ after: number; spec: Parameters<typeof givenCertificate>[0] }>([
    { after: 60 * day, spec: { renewBefore: '30d' } },
    { after: 90 * day - hour, spec: { renewBefore: '1h' } },
    { after: 0.5 * 90 * day, spec: { renewAt: '50%' } },
  ])('after $after ms with $spec', ({ after, spec }) => {
    expect(renewalTimeOf(validity, { spec: live(spec).spec, uid: 'any', isOrdered: false }) - now).toBe(after);
  });

  it('at a time that is spread over 5 % of its validity by default', () => {
    const times = Array.from(
      { length: 1000 },
      (_, index) => renewalTimeOf(validity, { spec: live().spec, uid: `uid-${index}`, isOrdered: false }) - now,
    );
    const [first, last] = [60 * day - 4.5 * day, 60 * day];
    expect([Math.min(...times) >= first, Math.max(...times) <= last]).toEqual([true, true]);
    const hours = times.map((time) => Math.floor(time / hour));
    const most = Math.max(...hours.map((one) => hours.filter((other) => other === one).length));
    expect(most).toBeLessThan(30);
    expect(renewalTimeOf(validity, { spec: live().spec, uid: 'uid-1', isOrdered: false })).toBe(
      renewalTimeOf(validity, { spec: live().spec, uid: 'uid-1', isOrdered: false }),
    );
  });

  it('in time, if its issuer made it valid for a shorter time than renewBefore', () => {
    const short = { from: now, to: now + 10 * day };
    const time = renewalTimeOf(short, { spec: live({ renewBefore: '30d' }).spec, uid: 'uid', isOrdered: false });
    expect(time).toBeGreaterThan(now + 6 * day);
  });

  it.each<readonly [expected: string, when: string, start: number, end: number, of: Validity]>([
    ['in the window', 'it ends before renewBefore', 40 * day, 44 * day, validity],
    ['at renewBefore', 'the window is later', 70 * day, 80 * day, validity],
    ['at renewBefore', 'the window starts before it and ends much later', 59 * day, 10 ** 6 * day, validity],
    ['after 6 h', 'the window is in the past', -2 * day, -day, validity],
    ['after 6 h', 'the window is over before six hours of use', 0, hour, validity],
    ['after 100 s', 'a third of its validity is less than six hours', -2 * day, -day, { from: now, to: now + 300_000 }],
  ])('%s of a server if %s', (expected, _when, start, end, of) => {
    const window = { start: now + start, end: now + end };
    const spec = of === validity ? live({ renewBefore: '30d' }).spec : live({ duration: '5m', renewBefore: '1m' }).spec;
    const time = renewalTimeOf(of, { spec, uid: 'uid', window, isOrdered: true });
    const times = new Map([
      ['at renewBefore', 60 * day],
      ['after 6 h', 6 * hour],
      ['after 100 s', 100_000],
    ]);
    const after = times.get(expected);
    if (after !== undefined) expect(time - now).toBe(after);
    else expect([time > window.start, time < window.end]).toEqual([true, true]);
  });

  it('at times that are spread over the window of a server, the same for each call', () => {
    const window = { start: now + 40 * day, end: now + 44 * day };
    const timeOf = (index: number) =>
      renewalTimeOf(validity, { spec: live().spec, uid: `uid-${index}`, window, isOrdered: true });
    const days = Array.from({ length: 400 }, (_, index) => Math.floor((timeOf(index) - window.start) / day));
    for (const which of [0, 1, 2, 3]) expect(days.filter((one) => one === which).length).toBeGreaterThan(60);
    expect(timeOf(1)).toBe(timeOf(1));
  });
});

describe('line 3: the answer of an issuer', () => {
  const request = requestIn(live().spec);
  const question = { publicKey: publicKeyOf(key) ?? '' };
  const expected = { question, request, issuer: issuer(), now };
  test.each(answers)('is rejected because $rejection', ({ rejection, answer }) => {
    expect(rejectionOf(answer, expected)).toBe(rejection);
  });
});

describe('line 4: a Secret that was edited', () => {
  it.each<{ certificate: string; when: string; saved: string | undefined; edited: string }>([
    { certificate: good, when: 'the certificate is junk', saved: good, edited: 'junk' },
    { certificate: good, when: 'the certificate is of another key', saved: good, edited: ofOtherKey },
    { certificate: 'junk', when: 'no certificate was saved', saved: undefined, edited: 'junk' },
    { certificate: 'junk', when: 'the saved one is of another key', saved: ofOtherKey, edited: 'junk' },
  ])('gets its certificate back when $when', ({ certificate, saved, edited }) => {
    const resource = { ...live(), status: saved === undefined ? {} : { certificate: saved } } as CertificateResource;
    const secret = { certificate: edited, key, trusted: '' };
    expect(restored({ secret, resource })?.certificate).toBe(certificate);
  });
});
