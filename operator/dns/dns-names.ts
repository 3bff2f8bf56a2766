import type { Port } from '../runtime/ports/external-port.js';
import type { DnsServer, Prerequisite, RecordChange, RecordsAnswer, RecordType } from './dns-records.js';

/** The records of one name and type. */
export interface RrsetName {
  /** In the zone, with or without a final dot. ASCII: an internationalized name in its `xn--` form. */
  readonly name: string;
  readonly type: RecordType;
}

/** RRsets of one zone at one authoritative server. */
export interface NamesQuestion extends DnsServer {
  /** The zone that the server must have. */
  readonly zone: string;
  /** At most 500. */
  readonly rrsets: readonly RrsetName[];
}

/** RRsets, as the server has them now. */
export interface NamesAnswer {
  /** In the order of the question. */
  readonly rrsets: readonly RecordsAnswer[];
}

/** Changes that the server applies whole or not at all, such as those of one name and of its owner. */
export interface NamesUpdate {
  /** What must hold. @default [] */
  readonly requires?: readonly Prerequisite[];
  /** In the order in which the server applies them. Names are absolute, with or without a final dot. */
  readonly changes: readonly RecordChange[];
}

/** Updates of one zone at its primary server. */
export interface NamesRequest extends DnsServer {
  /** The zone that the server has. */
  readonly zone: string;
  /**
   * Each is independent of the others: one that the server refuses does not prevent the others. Two that change one name
   * are applied in their order.
   */
  readonly updates: readonly NamesUpdate[];
}

/**
 * Records of many names of a zone. A question takes one connection. Requests of all resources for the same server, zone and
 * key that come within 50 ms share a message. If a prerequisite of one update does not hold, the others are sent again
 * without it at once.
 *
 * A call fails if the server refused an update of its request. The message names the updates by their first changed name,
 * with the server's code. It is `retryable` if a prerequisite did not hold: query the names again, and send what follows
 * from the answers. A call must name a Secret with the TSIG key, as calls of `dnsRecords` do. A poll may name it.
 *
 * @example { server: '192.0.2.53', zone: 'example.com', updates: [{
 *   requires: [{ require: 'yxrrset', name: 'a-www.example.com', type: 'TXT', values: ['heritage=…'] }],
 *   changes: [{ action: 'set', name: 'www.example.com', type: 'A', ttl: 30, values: ['192.0.2.1'] }] }] }
 * @see https://www.rfc-editor.org/rfc/rfc2136
 */
export const dnsNames: Port<NamesQuestion, NamesAnswer, NamesRequest> = {
  name: 'reconstruct/dns-names',
  secrets: 'any',
  visibleWithin: 0,
};
