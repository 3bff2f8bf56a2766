import { describe, expect, it } from 'vitest';
import { serverAdvice } from '../../../../operator/controllers/certificates/issuer/account/server-advice.js';

const setBundle = 'set spec.acme.caBundle to the certificate of the CA of this server';
const reach = 'correct spec.acme.server, or check that the server can be reached';

describe('an ACME server that could not be asked', () => {
  it.each([
    ['unable to verify the first certificate', `unable to verify the first certificate; ${setBundle}`],
    ['self-signed certificate in certificate chain', `self-signed certificate in certificate chain; ${setBundle}`],
    ['unable to get local issuer certificate', `unable to get local issuer certificate; ${setBundle}`],
    ['connect ECONNREFUSED 192.0.2.1:443', `connect ECONNREFUSED 192.0.2.1:443; ${reach}`],
    ['the server answered 404', `the server answered 404; ${reach}`],
    [
      'address "192.0.2.1" must be allowed by the operator: add 192.0.2.1 to --allowed-addresses',
      'address "192.0.2.1" must be allowed by the operator: add 192.0.2.1 to --allowed-addresses',
    ],
  ])('for %s', (why, told) => {
    expect(serverAdvice(why)).toBe(told);
  });
});
