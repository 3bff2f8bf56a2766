import type { Server } from 'node:http';
import type { Config } from '../config/config.js';
import { responderOf } from '../controllers/certificates/challenges/responder.js';
import { allowedAddresses, publicLookupFor } from '../egress/allowed-addresses.js';
import { acmePorts } from '../engines/acme/acme-ports.js';
import { dnsRecordsSource } from '../engines/dns/records-source.js';
import type { Clock } from '../runtime/ports/clock.js';
import type { Provided } from '../runtime/ports/external-port.js';

/** The sources of ACME issuers, and the server that answers HTTP-01 challenges. */
export function openAcme(
  config: Config,
  clock: Clock,
): {
  readonly provided: readonly Provided[];
  readonly server: Server | undefined;
  readonly close: () => Promise<void>;
} {
  const addresses = allowedAddresses(config.allowedAddresses);
  const lookup = addresses.lookupFor;
  const { provided, responder } = acmePorts({ clock, lookup, challengeLookup: (host) => publicLookupFor(host) });
  const server = responderOf(config) && responder.server();
  return { provided: [...provided, dnsRecordsSource({ clock, addresses })], server, close: addresses.close };
}
