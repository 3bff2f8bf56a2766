import { dnsNames } from '../../dns/dns-names.js';
import { dnsRecords } from '../../dns/dns-records.js';
import type { AllowedAddresses } from '../../egress/allowed-addresses.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type Provided, provided, type SecretData } from '../../runtime/ports/external-port.js';
import { DnsSession, query, updateZone, validated } from './client.js';
import { nameInZone } from './names.js';
import { addressOf } from './tcp-exchange.js';
import { type TsigKey, tsigKey } from './tsig-key.js';
import { UpdateBatches, zoneKey } from './update-batches.js';
import { ZoneAnswers } from './zones/zone-answers.js';

/** RRsets of one question. */
const most = 500;

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
      serverOf: addressOf,
    },
  );
}

/** Queries and changes records of many names. Requests of all resources share messages, and questions the zone's serial number. */
export function dnsNamesSource(options: DnsRecordsOptions): Provided {
  const batches = new UpdateBatches(options);
  const zones = new ZoneAnswers(options.clock);
  return provided(
    dnsNames,
    async ({ server, port, zone, rrsets }, { signal, secret }) => {
      if (rrsets.length > most)
        throw new CallError('terminal', `rrsets: Too many: ${rrsets.length}: must have at most ${most} items`);
      for (const { name } of rrsets) validated('terminal', () => nameInZone(name, zone));
      const to = { server, ...(port !== undefined && { port }), key: secret && keyIn(secret) };
      signal.throwIfAborted();
      let session: DnsSession | undefined;
      const opened = async () => {
        session ??= await DnsSession.open(to, { ...options, signal });
        return session;
      };
      try {
        const answers = await zones.answersTo(zoneKey({ to, zone }), rrsets, {
          serial: async () => (await opened()).serial(zone),
          records: async (unknown) => {
            const open = await opened();
            return Promise.all(unknown.map((rrset) => open.query(rrset)));
          },
        });
        return { rrsets: answers };
      } finally {
        session?.close();
      }
    },
    {
      perform: async ({ server, port, zone, updates }, { signal, mayLeave, secret }) => {
        if (!secret) throw new CallError('unauthorized', 'secret: Required value: an update must name a Secret');
        const to = { server, ...(port !== undefined && { port }), key: keyIn(secret) };
        try {
          await batches.send({ to, zone }, updates, { signal, mayLeave });
        } finally {
          const { key: _, ...place } = to;
          zones.changed(zoneKey({ to: place, zone }));
        }
      },
      // Calls that wait for one another would never share a message.
      concurrency: 2_000,
      callsPerSecond: 10_000,
      serverOf: addressOf,
    },
  );
}

/** A corrected Secret is used without an edit of the resource, so a wrong one is not `terminal`. */
function keyIn(secret: SecretData): TsigKey {
  return validated('unauthorized', () => tsigKey(secret));
}
