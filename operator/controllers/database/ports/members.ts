import type { PasswordMarks } from '../../../../src/index.js';
import type { Port } from '../../../runtime/index.js';

/** The running instances of a Database, and how to verify them. */
export interface MembersQuestion {
  /** The authority that signed their certificates, PEM. */
  readonly authority: string;
  /** Port of the Patroni REST API. */
  readonly port: number;
  readonly members: readonly {
    readonly name: string;
    /** IP address of its Pod. */
    readonly address: string;
    /** The host name that its certificate must have. */
    readonly host: string;
  }[];
}

/** The report of an instance about itself. */
export interface MemberReport {
  readonly role: 'primary' | 'replica';
  /** State of its PostgreSQL, such as `running`, `starting`, `stopped` or `creating replica`. */
  readonly state: string;
  readonly timeline?: number;
  /** Bytes of the write-ahead log: written by a primary, received by a replica. */
  readonly position?: number;
  /** The version of PostgreSQL, for example `15.20`. */
  readonly version?: string;
  /** Its parameters need a restart. */
  readonly pendingRestart?: boolean;
  /** Present while its data is being created or restored. */
  readonly making?: {
    /** The time of the last commit that was restored, in milliseconds since 1970. */
    readonly until?: number;
    /** Reason why it cannot read the archive. */
    readonly unread?: string;
  };
  /** Hash of the parameters that its Patroni has applied. For other parameters, `pendingRestart` is not yet known. */
  readonly parameters?: string;
  /** Reasons why its PostgreSQL does not use parameters of the spec, by parameter. */
  readonly refused?: Readonly<Record<string, string>>;
  /** The passwords that it uses. Absent while it does not know. */
  readonly credentials?: MemberCredentials;
  /** Used space of its volume, in percent: in steps of 5 up to 95, then in steps of 1. */
  readonly usedPercent?: number;
  /**
   * Time since which its log waits for the archive, in milliseconds since 1970. Absent if no file waits over a minute.
   */
  readonly unarchivedSince?: number;
  /** For a primary: the replicas to which it streams, by name, and whether it waits for their confirmation. */
  readonly streaming?: Readonly<Record<string, { readonly synchronous: boolean }>>;
}

/** The passwords that an instance uses, and a primary has set in PostgreSQL. */
export interface MemberCredentials extends PasswordMarks {
  /** Reason why it cannot apply a password. */
  readonly problem?: string;
}

/** Percentage of used space from which `storage.size` must be increased. */
export const nearlyFull = 95;

/** True if the instance reports a nearly full volume. */
export function isNearlyFull(report: MemberReport | undefined): boolean {
  return report?.usedPercent !== undefined && report.usedPercent >= nearlyFull;
}

/** Validates a reported timeline. Undefined if it is not valid in a status. */
export function toldTimeline(told: unknown): number | undefined {
  return wholeUpTo(2 ** 31 - 1, told);
}

/** Validates a reported position. Undefined if it is invalid. */
export function toldPosition(told: unknown): number | undefined {
  return wholeUpTo(Number.MAX_SAFE_INTEGER, told);
}

/** Validates an untrusted whole number. Undefined if it is invalid or greater than `most`. */
export function wholeUpTo(most: number, told: unknown): number | undefined {
  return typeof told === 'number' && Number.isInteger(told) && told >= 0 && told <= most ? told : undefined;
}

/** The reports of the instances. */
export interface MembersAnswer {
  readonly reports: Readonly<Record<string, MemberReport>>;
  /** Instances that did not respond, with the reason. */
  readonly silent: Readonly<Record<string, string>>;
}

/** Polls the state of the instances. Rejects when none responds. */
export const members: Port<MembersQuestion, MembersAnswer> = { name: 'reconstruct/members' };
