import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CredentialsQuestion } from '../../../../operator/controllers/database/ports/credentials.js';
import { credentialsSource } from '../../../../operator/engines/postgres/credentials-source.js';

const subject = { commonName: 'orders', hosts: ['orders-rw.shop.svc', '*.orders-members.shop.svc'] };
const days = (count: number) => Date.now() + count * 86_400_000;
const asked = (question: Partial<CredentialsQuestion>, now = Date.now()) => {
  const source = credentialsSource({ now: () => now });
  return source({ passwords: [], certificate: subject, ...question }, { signal: new AbortController().signal });
};

describe('who draws passwords and keys', () => {
  test('draws a password of 32 letters and digits for each name, and never the same', async () => {
    const { passwords } = await asked({ passwords: ['superuser', 'app'] });
    const again = await asked({ passwords: ['app'] });
    const all = [...Object.values(passwords), ...Object.values(again.passwords)];
    expect(Object.keys(passwords)).toEqual(['superuser', 'app']);
    for (const password of all) expect(password).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(new Set(all).size).toBe(3);
  });

  test('signs a certificate for all hosts, as server and client, with an authority of its own', async () => {
    const { certified } = await asked({});
    if (!certified) throw new Error('nothing was certified');
    const server = new X509Certificate(certified.server.certificate);
    const authority = new X509Certificate(certified.authority.certificate);
    expect(server.checkIssued(authority) && server.verify(authority.publicKey)).toBe(true);
    expect(server.checkHost('orders-2.orders-members.shop.svc')).toBeDefined();
    expect(server.checkHost('orders-2.others.shop.svc')).toBeUndefined();
    expect(server.toLegacyObject().ext_key_usage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  });

  test('signs the first certificate with the authority that is there', async () => {
    const { certified: before } = await asked({});
    if (!before) throw new Error('nothing was certified');
    const { certified } = await asked({ certificate: { ...subject, authority: before.authority } });
    expect(certified).toMatchObject({ authority: before.authority, trusted: before.authority.certificate });
    const authority = new X509Certificate(before.authority.certificate);
    expect(new X509Certificate(certified?.server.certificate ?? '').verify(authority.publicKey)).toBe(true);
    expect(certified?.server).not.toEqual(before.server);
  });

  test('renews what it is shown, in time and not before', async () => {
    const { certified: known } = await asked({});
    if (!known) throw new Error('nothing was certified');
    const certificate = { ...subject, known };
    expect((await asked({ certificate }, days(30))).certified).toBeUndefined();
    const { certified } = await asked({ certificate }, days(70));
    expect(certified?.authority).toEqual(known.authority);
    expect(certified?.server).not.toEqual(known.server);
  });
});
