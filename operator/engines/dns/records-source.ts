import { dnsRecords } from '../../dns/dns-records.js';
import type { AllowedAddresses } from '../../egress/allowed-addresses.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type Provided, provided, type SecretData } from '../../runtime/ports/external-port.js';
import { query, updateZone, validated } from './client.js';
import { nameInZone } from './names.js';
import { type TsigKey, tsigKey } from './tsig-key.js';

/** What the source of DNS records needs. */
export interface DnsRecordsOptions {
  readonly clock: Clock;
  /** The servers to which it may connect. */
  readonly addresses: Pick<AllowedAddresses, 'lookupFor'>;
}

/** Queries and changes DNS records. Each question and request has its own connection, and nothing is cached. */
export function dnsRecordsSource(options: DnsRecordsOptions): Provided {
  return provided(
    dnsRecords,
    async ({ server, port, zone, name, type }, { signal, secret }) => {
      validated('terminal', () => nameInZone(name, zone));
      const to = { server, ...(port !== undefined && { port }), key: secret && keyIn(secret) };
      return query(to, { name, type }, { ...options, signal });
    },
    {
      perform: async ({ server, port, ...update }, { signal, mayLeave, secret }) => {
        if (!secret) throw new CallError('unauthorized', 'secret: Required value: an update must name a Secret');
        const to = { server, ...(port !== undefined && { port }), key: keyIn(secret) };
        await updateZone(to, update, { ...options, signal, mayLeave });
      },
    },
  );
}

/** A corrected Secret is used without an edit of the resource, so a wrong one is not `terminal`. */
function keyIn(secret: SecretData): TsigKey {
  return validated('unauthorized', () => tsigKey(secret));
}
