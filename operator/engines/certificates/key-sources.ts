import { newPrivateKey } from '../../certificates/keys.js';
import { selfSigned } from '../../certificates/signing.js';
import { validFor } from '../../certificates/times.js';
import type { AuthorityQuestion, KeyPair } from '../../controllers/certificates/ports/authority.js';
import type { PrivateKeyAnswer, PrivateKeyQuestion } from '../../controllers/certificates/ports/private-key.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { Source } from '../../runtime/ports/external-port.js';

/** Generates certificate authorities. It stores nothing. */
export function authoritySource(clock: Pick<Clock, 'now'>): Source<AuthorityQuestion, KeyPair> {
  return async ({ commonName, privateKey, duration }) => {
    const key = await newPrivateKey(privateKey);
    const validity = validFor(duration, clock.now());
    const certificate = await selfSigned({ commonName, usages: ['digital signature'], isCA: true, validity }, key);
    return { certificate, key };
  };
}

/** Generates private keys. It stores nothing. */
export const privateKeySource: Source<PrivateKeyQuestion, PrivateKeyAnswer> = async (kind) => ({
  key: await newPrivateKey(kind),
});
