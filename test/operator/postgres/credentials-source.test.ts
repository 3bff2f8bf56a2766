import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CredentialsQuestion } from '../../../operator/controllers/database/credentials.js';
import { credentialsSource } from '../../../operator/postgres/credentials-source.js';

const asked = (question: CredentialsQuestion) => credentialsSource(question, { signal: new AbortController().signal });

describe('who draws passwords and keys', () => {
  test('draws a password of 32 letters and digits for each name, and never the same', async () => {
    const { passwords, certified } = await asked({ passwords: ['superuser', 'app'] });
    const again = await asked({ passwords: ['app'] });
    const all = [...Object.values(passwords), ...Object.values(again.passwords)];
    expect(Object.keys(passwords)).toEqual(['superuser', 'app']);
    for (const password of all) expect(password).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(new Set(all).size).toBe(3);
    expect(certified).toBeUndefined();
  });

  test('signs a certificate for all hosts, as server and client, for ten years, with an authority of its own', async () => {
    const hosts = ['orders-rw.shop.svc', '*.orders-members.shop.svc'];
    const { certified } = await asked({ passwords: [], certificate: { commonName: 'orders', hosts } });
    if (!certified) throw new Error('nothing was certified');
    const server = new X509Certificate(certified.server.certificate);
    const authority = new X509Certificate(certified.authority.certificate);
    expect(server.checkIssued(authority) && server.verify(authority.publicKey)).toBe(true);
    expect(server.checkHost('orders-2.orders-members.shop.svc')).toBeDefined();
    expect(server.checkHost('orders-2.others.shop.svc')).toBeUndefined();
    expect(server.toLegacyObject().ext_key_usage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    for (const { validTo } of [server, authority]) {
      expect((Date.parse(validTo) - Date.now()) / 86_400_000).toBeGreaterThan(3648);
    }
  });
});
