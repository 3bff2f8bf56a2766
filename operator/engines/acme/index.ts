import { type ResponderOptions, responderOf } from '../../controllers/certificates/ports/responder.js';
import { type AllowedAddresses, publicLookupFor } from '../../egress/allowed-addresses.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { acmePorts } from './acme-ports.js';

interface AcmeEnvironment {
  readonly config: ResponderOptions;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly addresses: Pick<AllowedAddresses, 'lookupFor'>;
}

/** The sources of ACME issuers, and the server that answers HTTP-01 challenges. */
export const acme = {
  name: 'acme',
  open({ config, clock, addresses }: AcmeEnvironment) {
    const challengeLookup = (host: string) => publicLookupFor(host);
    const { provided, responder } = acmePorts({ clock, lookup: addresses.lookupFor, challengeLookup });
    const at = responderOf(config);
    return { provided, servers: at ? [{ server: responder.server(), port: at.port }] : [] };
  },
};
