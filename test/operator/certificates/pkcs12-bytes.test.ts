import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { keyStoreOf, trustStoreOf } from '../../../operator/certificates/pkcs12.js';

const key = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIBCSHAioye69Ujb0D4E72JRjC63VPixI1Ous5n3Cf2a+
-----END PRIVATE KEY-----
`;
const certificate = `-----BEGIN CERTIFICATE-----
MIIBITCB1KADAgECAgEBMAUGAytlcDAPMQ0wCwYDVQQDDARzaG9wMCAXDTI2MTEz
MDAwMDYwMloYDzIxMjYxMTA2MDAwNjAyWjAPMQ0wCwYDVQQDDARzaG9wMCowBQYD
K2VwAyEAaNGXXCNzqo7bORHDmXJwyJxjICzAf6ZWGj9P3zZQZsajUzBRMB0GA1Ud
DgQWBBRBhgYkbkWF22NrQZVhGJzJ28NK8zAfBgNVHSMEGDAWgBRBhgYkbkWF22Nr
QZVhGJzJ28NK8zAPBgNVHRMBAf8EBTADAQH/MAUGAytlcANBANIaYMBsxWyS2jiO
HivbOgpRvm20nGim2zZAyF91RHljvkqB1M1FyzGJqjzLHpNZF2swhRxSRopYbNGj
hRB8iQs=
-----END CERTIFICATE-----
`;

/** The digests are those of the first release with stores: other bytes would rewrite each Secret on an upgrade. */
it.each<{ when: string; written: () => string; digest: string }>([
  {
    when: 'a key store has one certificate',
    written: () => keyStoreOf({ certificate, key, password: 'secret' }),
    digest: '01fd4eb3adbcfed74dc9a83074bb07cf00203d2ff82d9de9f1ef6d48cbc335ae',
  },
  {
    when: 'a key store has a chain of more than 65,536 bytes',
    written: () => keyStoreOf({ certificate: certificate.repeat(250), key, password: 'secret' }),
    digest: '101b275c3eb6f57fbc61b302d8ab692f6be2cf41bc05245d1ac3c4b38cf00bfd',
  },
  {
    when: 'a trust store is no secret',
    written: () => trustStoreOf({ trusted: certificate, password: 'changeit' }),
    digest: '3ef885c7e01e34406f5895b30c6835bd2512b23791e4da9ffcc07092cd734bc5',
  },
  {
    when: 'a trust store is beside a key',
    written: () => trustStoreOf({ trusted: certificate, password: 'é', secret: key }),
    digest: '57bd938382a0af67f724a7ee7761d5d21b5e8bcec0803579c08f977fe9688c12',
  },
])('keeps the bytes of a store that an earlier release wrote, so that an upgrade writes nothing: $when', (row) => {
  expect(createHash('sha256').update(row.written(), 'base64').digest('hex')).toBe(row.digest);
});
