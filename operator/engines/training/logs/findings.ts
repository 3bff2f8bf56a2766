import type { FollowedPod, LogFinding, LogRule } from '../../../controllers/training/ports/logs.js';
import type { RuleState } from './rule-state.js';

/** The log of a Pod, as far as it is known. Times are in milliseconds since 1970. */
export interface KnownLog {
  readonly pod: FollowedPod;
  /** By the order of the rules. */
  readonly states: readonly RuleState[];
  /** All lines until this time are known. Undefined while the log is not being read. */
  readonly readUntil?: number | undefined;
  /** From when the time until the first match counts. Undefined if its beginning is lost, so that nothing is known of it. */
  readonly startsAt?: number | undefined;
}

/** What the rules find in the logs of a job, the earliest first. */
export function findingsIn(rules: readonly LogRule[], logs: readonly KnownLog[]): readonly LogFinding[] {
  return rules
    .flatMap((rule, index) => [
      ...marksOf(rule, index, logs),
      ...lateStart(rule, index, logs),
      ...silences(rule, index, logs),
    ])
    .toSorted((a, b) => a.at - b.at);
}

/**
 * When a Pod would break a rule if its log stays silent, although all that is known of it may be older. The log must be
 * read anew then: a connection that is broken is silent too.
 */
export function deadlinesOf(rules: readonly LogRule[], { states, startsAt }: KnownLog): readonly number[] {
  return rules.flatMap((rule, index) => {
    const state = states[index];
    if (!state || state.isStopped) return [];
    const { expectedStartCutOffInSeconds: start, expectedRecurringFrequencyInSeconds: every } = rule;
    if (state.last) return every === undefined ? [] : [state.last.at + 1_000 * every];
    return start === undefined || startsAt === undefined ? [] : [startsAt + 1_000 * start];
  });
}

const identityOf = ({ name, uid }: FollowedPod) => ({ name, uid });

/** Lines that are faults, and values beyond the threshold. */
function marksOf(rule: LogRule, index: number, logs: readonly KnownLog[]): readonly LogFinding[] {
  return logs.flatMap(({ pod, states }): readonly LogFinding[] => {
    const { fault, slow } = states[index] ?? {};
    if (fault)
      return [
        { kind: 'LogFault', pod: identityOf(pod), at: fault.at, message: told(rule, 'a line matches', fault.text) },
      ];
    if (!slow) return [];
    const { metricEvaluationDataPoints: most = 1, operator, metricThreshold } = rule;
    const values = most === 1 ? 'a value is' : `${most} values in a row are`;
    const what = `${values} bad (${operator} ${metricThreshold})`;
    return [{ kind: 'LogSlow', pod: identityOf(pod), at: slow.at, message: told(rule, what, slow.text) }];
  });
}

/** No Pod has matched in time. Many programs write only in one of their processes, so one match is enough. */
function lateStart(rule: LogRule, index: number, logs: readonly KnownLog[]): readonly LogFinding[] {
  const { expectedStartCutOffInSeconds: seconds } = rule;
  if (seconds === undefined || logs.length === 0) return [];
  const ends = logs.map(({ states, startsAt, readUntil }) => {
    const state = states[index];
    if (!state || state.last || state.isStopped || startsAt === undefined || readUntil === undefined) return undefined;
    const end = startsAt + 1_000 * seconds;
    return readUntil >= end ? end : undefined;
  });
  const late = ends.filter((end) => end !== undefined);
  if (late.length < logs.length) return [];
  const message = told(rule, `no line has matched within ${seconds} s`);
  return [{ kind: 'LogHanging', ...ofOne(logs), at: Math.max(...late), message }];
}

/** If all that wrote matching lines are silent, it is not known which one the others wait for. */
function silences(rule: LogRule, index: number, logs: readonly KnownLog[]): readonly LogFinding[] {
  const { expectedRecurringFrequencyInSeconds: seconds } = rule;
  if (seconds === undefined) return [];
  const writers = logs.flatMap(({ pod, states, readUntil }) => {
    const { last, isStopped } = states[index] ?? {};
    if (!last || isStopped) return [];
    const end = last.at + 1_000 * seconds;
    return [{ pod, last, end, isSilent: readUntil !== undefined && readUntil >= end }];
  });
  const silent = writers.filter(({ isSilent }) => isSilent);
  const what = `no line has matched for ${seconds} s`;
  const [first] = silent.toSorted((a, b) => a.end - b.end);
  if (!first) return [];
  if (silent.length === writers.length)
    return [{ kind: 'LogHanging', ...ofOne(logs), at: first.end, message: told(rule, what, first.last.text) }];
  return silent.map(({ pod, end, last }) => ({
    ...{ kind: 'LogHanging' as const, pod: identityOf(pod), at: end },
    message: told(rule, what, last.text),
  }));
}

/** A job with one Pod has only one culprit. */
function ofOne(logs: readonly KnownLog[]): Pick<LogFinding, 'pod'> {
  const [only] = logs;
  return only && logs.length === 1 ? { pod: identityOf(only.pod) } : {};
}

/** Characters of a line in a message. */
const longest = 200;

function told({ name }: LogRule, what: string, line?: string): string {
  const rest = line === undefined ? '' : `: ${line.length > longest ? `${line.slice(0, longest)}…` : line}`;
  return `rule ${name}: ${what}${rest}`;
}
