import { X509Certificate } from 'node:crypto';
import { acmeRevocation } from '../../controllers/certificates/ports/acme.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { BoundedMap } from './bounded-map.js';
import { type ClientOptions, withClient } from './client.js';
import { ProblemError } from './problems.js';

/** Certificates that are remembered. */
const most = 4_096;

/** Revokes certificates, and remembers for which a server has confirmed it. */
export function revocationSource(options: ClientOptions): Provided {
  const revoked = new BoundedMap<true>(most);
  return provided(
    acmeRevocation,
    async ({ certificate }, { signal }) => {
      signal.throwIfAborted();
      return { state: revoked.get(fingerprintOf(certificate)) ? 'revoked' : 'unknown' };
    },
    {
      perform: async ({ certificate, reason = 0, ...account }, call) => {
        await withClient(account, call, options, async (client) => {
          try {
            await client.revokeCertificate(certificate, { reason });
          } catch (error) {
            if (!(error instanceof ProblemError) || !error.isOfType('alreadyRevoked')) throw error;
          }
        });
        revoked.set(fingerprintOf(certificate), true);
      },
    },
  );
}

function fingerprintOf(certificate: string): string {
  return new X509Certificate(certificate).fingerprint256;
}
