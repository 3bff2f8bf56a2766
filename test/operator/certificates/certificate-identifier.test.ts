import { describe, expect, it } from 'vitest';
import { certificateIdentifier } from '../../../operator/certificates/certificate-identifier.js';
import { newPrivateKey } from '../../../operator/certificates/keys.js';
import { selfSigned } from '../../../operator/certificates/signing.js';

/** @see https://www.rfc-editor.org/rfc/rfc9773#appendix-A */
const ofTheStandard = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`;

describe('the identifier of a certificate', () => {
  it('is that of the example in the standard, whose serial number has a leading zero', async () => {
    expect(await certificateIdentifier(ofTheStandard)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
  });

  it('has the key identifier and the serial number of other certificates', async () => {
    const validity = { from: Date.now(), to: Date.now() + 86_400_000 };
    const key = await newPrivateKey({ algorithm: 'ECDSA', size: 256 });
    const pem = await selfSigned({ commonName: 'ca', usages: [], isCA: true, validity }, key);
    expect(await certificateIdentifier(pem)).toMatch(/^[\w-]{27}\.[\w-]{20,22}$/);
  });
});
