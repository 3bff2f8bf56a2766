import type { Port } from '../../runtime/ports/external-port.js';
import type { Rrset } from './client.js';
import type { RecordType } from './records.js';
import type { DnsServer } from './tcp-exchange.js';
import type { ZoneUpdate } from './update.js';

/** The records of one name and type at one authoritative server. */
export interface RecordsQuestion extends DnsServer {
  /** The zone that the server must have. */
  readonly zone: string;
  /** In the zone, with or without a final dot. */
  readonly name: string;
  readonly type: RecordType;
}

/** The records as the server has them now. */
export type RecordsAnswer = Rrset;

/**
 * Changes of one zone at its primary server, which applies all or none of them. A call must name a Secret with the TSIG
 * key: `name`, `secret` in base64, and optionally `algorithm`. A poll may name it, for servers that answer only with it.
 *
 * @example { server: '192.0.2.53', zone: 'example.com', changes: [{ action: 'add', name: '_acme-challenge.example.com',
 *   type: 'TXT', ttl: 60, values: ['token'] }] }
 */
export interface RecordsRequest extends DnsServer, ZoneUpdate {}

/** Records of DNS zones, at the servers that have the zones. */
export const dnsRecords: Port<RecordsQuestion, RecordsAnswer, RecordsRequest> = { name: 'dns', secrets: 'any' };
