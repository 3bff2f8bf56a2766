import type { Port } from '../../../runtime/index.js';

/** The instances of a Database that run, and how they are recognised. */
export interface MembersQuestion {
  /** The authority that signed their certificates, PEM. */
  readonly authority: string;
  /** Of their REST API. */
  readonly port: number;
  readonly members: readonly {
    readonly name: string;
    /** Where its pod is. */
    readonly address: string;
    /** The host name that its certificate must have. */
    readonly host: string;
  }[];
}

/** What an instance says of itself. */
export interface MemberReport {
  readonly role: 'primary' | 'replica';
  /** How its PostgreSQL is: `running`, `starting`, `stopped`, `creating replica` … */
  readonly state: string;
  readonly timeline?: number;
  /** Bytes of the write-ahead log: written by a primary, received by a replica. */
  readonly position?: number;
  /** The version of PostgreSQL, as `15.20`. */
  readonly version?: string;
  /** Its parameters take a restart. */
  readonly pendingRestart?: boolean;
  /** Its data is still being made. */
  readonly making?: {
    /** The time of the last commit that was restored, in milliseconds since 1970. */
    readonly until?: number;
    /** Why it cannot read the archive. */
    readonly unread?: string;
  };
  /** A fingerprint of the parameters that its Patroni has taken up: of others it does not know what they take. */
  readonly parameters?: string;
  /** How full its volume is, in per cent: in steps of 5 until the last of them. */
  readonly usedPercent?: number;
  /** Since when its log does not reach the archive, in milliseconds since 1970; absent where all does within a minute. */
  readonly unarchivedSince?: number;
  /** Of a primary: whom it sends its log to, by name, and whether it waits for him. */
  readonly streaming?: Readonly<Record<string, { readonly synchronous: boolean }>>;
}

/** Per cent of a volume from which on it is time to raise `storage.size`. */
export const nearlyFull = 95;

/** Whether it says that its volume is nearly full. */
export function isNearlyFull(report: MemberReport | undefined): boolean {
  return report?.usedPercent !== undefined && report.usedPercent >= nearlyFull;
}

/** A timeline that somebody told; undefined of what is none that a status takes. */
export function toldTimeline(told: unknown): number | undefined {
  return wholeUpTo(2 ** 31 - 1, told);
}

/** A position that somebody told; undefined of what is none. */
export function toldPosition(told: unknown): number | undefined {
  return wholeUpTo(Number.MAX_SAFE_INTEGER, told);
}

/** A whole number that somebody told who may tell anything; undefined of what is none, or more than that. */
export function wholeUpTo(most: number, told: unknown): number | undefined {
  return typeof told === 'number' && Number.isInteger(told) && told >= 0 && told <= most ? told : undefined;
}

/** What they said. */
export interface MembersAnswer {
  readonly reports: Readonly<Record<string, MemberReport>>;
  /** Who was asked and did not answer, and why. */
  readonly silent: Readonly<Record<string, string>>;
}

/** Where instances are asked how they are. Rejects when none of them answers. */
export const members: Port<MembersQuestion, MembersAnswer> = { name: 'members' };
