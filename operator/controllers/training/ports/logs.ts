import type { TrainingJobSpecHealthLogRules } from '../../../../imports/index.js';
import type { Port } from '../../../runtime/index.js';

/** A rule over the logs of the workers. */
export type LogRule = TrainingJobSpecHealthLogRules;

/** A Pod whose log is followed. */
export interface FollowedPod {
  readonly name: string;
  readonly uid: string;
  /** When its program started, or its generation began, in RFC 3339. What it wrote before does not count. */
  readonly since: string;
}

/** What the logs of a job are followed for. */
export interface LogQuestion {
  readonly namespace: string;
  readonly job: string;
  /** Number of the generation, which the answer repeats. */
  readonly generation: number;
  /** The container of each Pod. */
  readonly container: string;
  readonly pods: readonly FollowedPod[];
  readonly rules: readonly LogRule[];
}

/** A rule that was broken. */
export interface LogFinding {
  /**
   * `LogHanging`: no line has matched in time. `LogSlow`: values are beyond the threshold. `LogFault`: a line has matched a
   * rule with `faultOnMatch`.
   */
  readonly kind: 'LogHanging' | 'LogSlow' | 'LogFault';
  /** The Pod that broke it. Absent if it is not known which one did. */
  readonly pod?: { readonly name: string; readonly uid: string };
  /** When it was broken, in milliseconds since 1970. */
  readonly at: number;
  /** A sentence without a changing part. */
  readonly message: string;
}

/** What the rules over the logs of a job have found. */
export interface LogAnswer {
  /** The generation of the question. */
  readonly generation: number;
  /** The earliest first. */
  readonly findings: readonly LogFinding[];
  /** Logs that cannot be read, and patterns that take too long, as sentences. */
  readonly failures: readonly string[];
}

/** The logs of workers, followed through the API server. */
export const logs: Port<LogQuestion, LogAnswer> = {
  name: 'reconstruct/training-logs',
  rbacRules: [{ apiGroups: [''], resources: ['pods/log'], verbs: ['get'] }],
};
