import type { Port } from '../runtime/ports/external-port.js';

/** A type of records that can be changed and queried. */
export type RecordType = 'A' | 'CNAME' | 'TXT' | 'AAAA' | 'SRV';

/** Where a server listens. */
export interface DnsServer {
  /** An IP address or a host name. */
  readonly server: string;
  /** @default 53 */
  readonly port?: number;
}

/** The records of one name and type at one authoritative server. */
export interface RecordsQuestion extends DnsServer {
  /** The zone that the server must have. */
  readonly zone: string;
  /** In the zone, with or without a final dot. */
  readonly name: string;
  readonly type: RecordType;
}

/** The records of one name and type, as the server has them now. */
export interface RecordsAnswer {
  /** Canonical, in alphabetical order. Empty if there are none. */
  readonly values: readonly string[];
  /** Seconds. @default - there are no values */
  readonly ttl?: number;
  /** The name to which a CNAME leads. It hides all other records of the name. @default - the name has no CNAME */
  readonly alias?: string;
}

/**
 * What must hold at the server when it applies an update. Otherwise it changes nothing and answers with an error.
 * @see https://www.rfc-editor.org/rfc/rfc2136#section-2.4
 */
export type Prerequisite =
  /** `nxdomain`: the name has no records (else `YXDOMAIN`). `yxdomain`: it has at least one (else `NXDOMAIN`). */
  | { readonly require: 'nxdomain' | 'yxdomain'; readonly name: string }
  /** The name has no records of the type (else `YXRRSET`). */
  | { readonly require: 'nxrrset'; readonly name: string; readonly type: RecordType }
  /** The name has records of the type, and exactly `values` if they are set (else `NXRRSET`). */
  | {
      readonly require: 'yxrrset';
      readonly name: string;
      readonly type: RecordType;
      readonly values?: readonly string[];
    };

/** A change of one RRset: all records of one name and type. */
export type RecordChange =
  /**
   * `set` replaces the RRset by `values`, and deletes it if there are none. `add` leaves other values as they are. The
   * server ignores a CNAME beside other records, and other records beside a CNAME, without an error.
   */
  | {
      readonly action: 'set' | 'add';
      readonly name: string;
      readonly type: RecordType;
      /** Seconds, 0 to 2147483647. It becomes that of all values, also of those that the RRset has already. */
      readonly ttl: number;
      readonly values: readonly string[];
    }
  /** Deletes `values` and leaves other values as they are. A value that is not there is no error. */
  | {
      readonly action: 'remove';
      readonly name: string;
      readonly type: RecordType;
      readonly values: readonly string[];
    };

/** What an update changes. The server applies all of it or nothing. */
export interface ZoneUpdate {
  /** The zone that the server has. Names are absolute, with or without a final dot. */
  readonly zone: string;
  /** @default [] */
  readonly requires?: readonly Prerequisite[];
  /** In the order in which the server applies them. */
  readonly changes: readonly RecordChange[];
}

/**
 * Changes of one zone at its primary server, which applies all or none of them. A call must name a Secret with the TSIG
 * key: `name`, `secret` in base64, and optionally `algorithm`. A poll may name it, for servers that answer only with it.
 *
 * @example { server: '192.0.2.53', zone: 'example.com', changes: [{ action: 'add', name: '_acme-challenge.example.com',
 *   type: 'TXT', ttl: 60, values: ['token'] }] }
 */
export interface RecordsRequest extends DnsServer, ZoneUpdate {}

/** Records of DNS zones, at the servers that have the zones. */
export const dnsRecords: Port<RecordsQuestion, RecordsAnswer, RecordsRequest> = {
  name: 'reconstruct/dns',
  formerName: 'dns',
  secrets: 'any',
  visibleWithin: 0,
};
