import type { Port } from '../../../runtime/index.js';

/** Asks a leader as a client does. */
export interface RedisQuestion {
  /** `status.podIP` of the Pod of the leader. */
  readonly address: string;
  readonly port: number;
  /** Undefined for a connection without TLS. */
  readonly tls?: {
    /** CA certificates that the server's certificate must chain to, PEM. @default - those of Node.js */
    readonly authority?: string;
    /** The name that the certificate must have. */
    readonly serverName: string;
  };
  /** Whether the Secret of the question has a `password`, and may have a `username`. */
  readonly hasPassword: boolean;
}

/** What a client sees. */
export type RedisAnswer =
  | {
      readonly state: 'serving';
      readonly role: 'leader' | 'replica';
      /** The number in the key `reconstruct:leader:term`. Absent without the key. */
      readonly term?: number;
    }
  /** It answers no client, with the words of the server or of the connection. */
  | { readonly state: 'failed'; readonly why: string };

/** The Redis of a leader, by AUTH, PING, ROLE and GET of the term. The Secret has `password`, and `username` if it has one. */
export const leaderRedis: Port<RedisQuestion, RedisAnswer> = {
  name: 'reconstruct/redis',
  secrets: 'any',
};
