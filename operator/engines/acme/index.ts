import { type AllowedAddresses, publicLookupFor } from '../../egress/allowed-addresses.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { acmePorts } from './acme-ports.js';
import { type ResponderConfig, responderOf } from './http-responder.js';

interface AcmeEnvironment {
  readonly config: ResponderConfig;
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
