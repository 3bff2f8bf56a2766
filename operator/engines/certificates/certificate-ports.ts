import { authority } from '../../controllers/certificates/ports/authority.js';
import { privateKey } from '../../controllers/certificates/ports/private-key.js';
import { revocation } from '../../controllers/certificates/ports/revocation.js';
import { signing } from '../../controllers/certificates/ports/signing.js';
import { signingRequest } from '../../controllers/certificates/ports/signing-request.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { authoritySource, privateKeySource } from './key-sources.js';
import { signingRequestSource } from './signing-request-source.js';
import { revocationSource, signingSource } from './signing-source.js';

/** The sources that issuers and Certificates poll. */
export function certificatePorts(clock: Pick<Clock, 'now'>): readonly Provided[] {
  return [
    provided(authority, authoritySource(clock)),
    provided(privateKey, privateKeySource),
    provided(signing, signingSource(clock)),
    provided(revocation, revocationSource),
    provided(signingRequest, signingRequestSource),
  ];
}
