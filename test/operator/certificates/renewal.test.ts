import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { beforeAll, describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../../operator/certificates/authority.js';
import { type Certified, certify, renewed } from '../../../operator/certificates/renewal.js';

const day = 86_400_000;
const subject = { commonName: 'orders', hosts: ['orders-rw.shop.svc', 'localhost'] };
const inDays = (days: number) => Date.now() + days * day;
const times = ({ certificate }: { readonly certificate: string }) => {
  const { validFrom, validTo } = new X509Certificate(certificate);
  return (Date.parse(validTo) - Date.parse(validFrom)) / day;
};
const isSignedBy = (one: { readonly certificate: string }, by: { readonly certificate: string }) =>
  new X509Certificate(one.certificate).verify(new X509Certificate(by.certificate).publicKey);
const countIn = (bundle: string) => bundle.split('BEGIN CERTIFICATE').length - 1;

let first: Certified;
beforeAll(async () => {
  first = await certify(subject);
});

test('a certificate holds for 90 days, and its authority for ten years', () => {
  expect([times(first.server), times(first.authority)]).toEqual([91, 3651]); // dated back by a day
  expect(isSignedBy(first.server, first.authority)).toBe(true);
  expect(first.trusted).toBe(first.authority.certificate);
});

test.each([
  { due: false, days: 0 },
  { due: false, days: 59 },
  { due: true, days: 61 },
  { due: true, days: 200 },
])('after $days days a certificate is due: $due', async ({ due, days }) => {
  const now = await renewed(first, subject, inDays(days));
  expect(now === undefined).toBe(!due);
  if (!now) return;
  expect(now).toMatchObject({ authority: first.authority, trusted: first.trusted });
  expect(now.server.certificate).not.toBe(first.server.certificate);
  expect(isSignedBy(now.server, first.authority)).toBe(true);
});

describe('an authority', () => {
  const due = 3650 * 0.7;

  test('is believed beside the one before it, which signed what is in use, and signs later', async () => {
    const now = await renewed(first, subject, inDays(due));
    if (!now) throw new Error('nothing was renewed');
    expect(now.server).toBe(first.server);
    expect(now.authority.certificate).not.toBe(first.authority.certificate);
    expect(countIn(now.trusted)).toBe(2);
    expect(now.trusted.startsWith(now.authority.certificate.trim())).toBe(true);

    const soon = { ...now, server: await new CertificateAuthority(first.authority, 1).issue(subject) };
    expect(await renewed(soon, subject, inDays(0.9))).toBeUndefined();
    const later = await renewed(soon, subject, inDays(1.1));
    if (!later) throw new Error('the server was not renewed');
    expect([isSignedBy(later.server, now.authority), later.trusted]).toEqual([true, now.trusted]);
    expect(await greets(later, now.trusted)).toBe(true);
    expect(await greets(first, now.trusted)).toBe(true);
    expect(await greets(later, first.trusted)).toBe(false);
  });

  test('is no more believed when it has ended', async () => {
    const old = await CertificateAuthority.create(30, 'cdk8s-reconstruct old');
    const trusted = `${first.authority.certificate.trim()}\n${old.own.certificate.trim()}\n`;
    expect(await renewed({ ...first, trusted }, subject, inDays(29))).toBeUndefined();
    const now = await renewed({ ...first, trusted }, subject, inDays(31));
    expect(now?.trusted).toBe(first.authority.certificate);
  });

  test('is made anew where its key is lost', async () => {
    const lost = { ...first, authority: { certificate: first.trusted, key: '' } };
    const now = await renewed(lost, subject, inDays(0));
    expect([now?.server, countIn(now?.trusted ?? '')]).toEqual([first.server, 2]);
  });

  test('that was written but not reported is reported by the next process', async () => {
    const now = await renewed(first, subject, inDays(due));
    const half = { ...first, authority: now?.authority ?? first.authority };
    expect(await renewed(half, subject, inDays(1))).toEqual(now);
  });
});

test('a certificate of another issuer is never renewed', async () => {
  const other = await CertificateAuthority.create(10, 'somebody');
  const server = await other.issue(subject);
  const theirs = { ...first, server, trusted: other.own.certificate };
  expect(await renewed(theirs, subject, inDays(4000))).toBeUndefined();
  expect(await renewed({ ...first, server }, subject, inDays(4000))).toBeUndefined();
});

test.each([
  { is: 'no certificate', server: () => ({ certificate: 'none', key: first.server.key }) },
  { is: 'no key', server: () => ({ ...first.server, key: 'none' }) },
  { is: 'the key of another', server: () => ({ ...first.server, key: first.authority.key }) },
])(
  'line 18: a certificate that nobody can use, because it has $is, is made anew by the same authority',
  async ({ server }) => {
    const now = await renewed({ ...first, server: server() }, subject, inDays(1));
    expect(now).toMatchObject({ authority: first.authority, trusted: first.trusted });
    expect(await greets(now ?? first, first.trusted)).toBe(true);
    // Where the authority is somebody else's, so is the certificate.
    const other = await CertificateAuthority.create(10, 'somebody');
    const theirs = { authority: other.own, server: server(), trusted: other.own.certificate };
    expect(await renewed(theirs, subject, inDays(1))).toBeUndefined();
  },
);

/** Whether a client that believes these authorities speaks with a server of this certificate. */
async function greets({ server: { certificate: cert, key } }: Certified, ca: string): Promise<boolean> {
  const server = createServer({ cert, key }).listen(0, '127.0.0.1');
  server.on('tlsClientError', () => {});
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', servername: 'localhost', ca });
  const isBelieved = await once(client, 'secureConnect').then(
    () => true,
    () => false,
  );
  client.destroy();
  server.close();
  return isBelieved;
}
