import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newPrivateKey } from '../../../../../operator/certificates/keys.js';
import { isSignedBy, namesOf, parsed, publicKeyOf } from '../../../../../operator/certificates/reading.js';
import { selfSigned, signedBy } from '../../../../../operator/certificates/signing.js';
import { authorityProblem } from '../../../../../operator/controllers/certificates/issuer/authority/authority-secret.js';
import {
  differenceOf,
  requestIn,
} from '../../../../../operator/controllers/certificates/request/certificate-request.js';
import { isPair } from '../../../../../operator/controllers/certificates/secrets/texts.js';
import { givenCertificate } from '../given-certificates.js';

const now = Date.now();
const validity = { from: now - 1000, to: now + 86_400_000 };
const key = await newPrivateKey({ algorithm: 'ECDSA', size: 256 });
const ca = { key, certificate: await selfSigned({ commonName: 'CA', usages: [], isCA: true, validity }, key) };
const junk = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

describe('a certificate has the names of its spec, so that it is not issued again and again, when', () => {
  const dns = 'shop.example.com';
  it.each<{ when: string; spec: Parameters<typeof givenCertificate>[0] }>([
    { when: 'the common name has a line separator', spec: { commonName: 'a\u2028b\u2029c\u0085d' } },
    { when: 'the common name has all that X.500 escapes', spec: { commonName: ' #a,b+c"d\\e<f>g;h=i ' } },
    { when: 'the common name is not ASCII', spec: { commonName: 'Bücher \u202e\u{1f600}' } },
    {
      when: 'names differ in case',
      spec: { dnsNames: ['Shop.Example.com', dns, 'xn--bcher-kva.example', '_a.b', '*.com'] },
    },
    {
      when: 'addresses have many forms',
      spec: { ipAddresses: ['::', 'FD00:0:0:0:0:0:0:1', 'fd00::1', '64:ff9b::a00:1', '10.0.0.1'] },
    },
    { when: 'a URI looks like a list', spec: { uris: ['spiffe:a,DNS:evil"\\', 'http://a/?b=c,%20d'] } },
    { when: 'an email address has quotes', spec: { emailAddresses: ['"a,b"@example.com', "o'hara+x@example.com"] } },
    { when: 'there is only a common name', spec: { dnsNames: undefined, commonName: 'only' } },
  ])('$when', async ({ spec }) => {
    const request = requestIn(givenCertificate(spec as never).spec as never);
    const { commonName, ...names } = request.names;
    const content = { commonName, names, usages: request.usages, isCA: request.isCA, validity };
    const certificate = parsed(await signedBy(ca, content, publicKeyOf(key) ?? '')) ?? expect.fail();
    expect(differenceOf(certificate, request)).toBeUndefined();
    expect(namesOf(certificate).commonName).toBe(commonName);
  });
});

describe('a Secret of a CA', () => {
  it.each<{ problem: RegExp | undefined; when: string; change: Partial<Record<'certificate' | 'trusted', string>> }>([
    { problem: undefined, when: 'all is well', change: { trusted: ca.certificate } },
    {
      problem: /^tls\.crt has a certificate that cannot be read/,
      when: 'its chain has junk',
      change: { certificate: `${ca.certificate}${junk}` },
    },
    {
      problem: /^ca\.crt has a certificate that cannot be read/,
      when: 'its root is junk',
      change: { trusted: `${ca.certificate}${junk}` },
    },
    {
      problem: /^ca\.crt must have at most 32768 characters/,
      when: 'its bundle is too long for a status',
      change: { trusted: ca.certificate.repeat(80) },
    },
  ])('has the problem $problem when $when', ({ problem, change }) => {
    const found = authorityProblem({ ...ca, trusted: '', ...change });
    if (problem) expect(found).toMatch(problem);
    else expect(found).toBeUndefined();
  });

  it('is refused if its key usage does not allow to sign certificates', () => {
    const own = made(['-addext', 'basicConstraints=critical,CA:true', '-addext', 'keyUsage=critical,digitalSignature']);
    expect(authorityProblem({ ...own, trusted: '' })).toMatch(
      /^tls\.crt must be the certificate of a CA .*key usage cert sign/,
    );
    const any = made(['-addext', 'basicConstraints=critical,CA:true']);
    expect(authorityProblem({ ...any, trusted: '' })).toBeUndefined();
  });
});

it('a certificate whose key Node.js does not know belongs to no key, and has signed nothing', () => {
  const { certificate } = made([]);
  const known = parsed(certificate) ?? expect.fail();
  // The identifier of the curve becomes that of no curve.
  const raw = Buffer.from(known.raw);
  const curve = Buffer.from('2a8648ce3d030107', 'hex');
  raw[raw.indexOf(curve) + curve.length - 1] = 0x7f;
  const pem = `-----BEGIN CERTIFICATE-----\n${raw.toString('base64')}\n-----END CERTIFICATE-----\n`;
  const unknown = parsed(pem) ?? expect.fail();
  expect(() => unknown.publicKey).toThrow();
  expect([isPair(pem, key), isSignedBy(known, unknown), isSignedBy(unknown, known)]).toEqual([false, false, false]);
});

/** A certificate of OpenSSL that signed itself. */
function made(more: readonly string[]): { readonly certificate: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  try {
    const [own, certificate] = [join(folder, 'key'), join(folder, 'crt')];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const config = join(folder, 'config');
    // The default adds extensions of its own.
    writeFileSync(config, '[req]\ndistinguished_name = dn\n[dn]\n');
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        ...curve,
        '-keyout',
        own,
        '-out',
        certificate,
        '-subj',
        '/CN=own',
        '-days',
        '9',
        '-config',
        config,
        ...more,
      ],
      { stdio: 'pipe' },
    );
    return { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(own, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
