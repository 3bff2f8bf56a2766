import { standardBudgets } from '../../../../crds/index.js';
import type { SparkJobSpecRetryRules } from '../../../../imports/index.js';
import type { Fault, MemoryGrowth, RetryPolicy } from '../../../retry/index.js';
import { currentExecutors, type Job } from '../job/job.js';
import type { Memory, Stop } from '../job/memory.js';
import { type DriverEnd, executorsFailed } from '../pods/driver.js';

/** What a person can do if the API server rejects the driver, as the end of the message of the rejection. */
export const driverRemedy = 'change spec.driver.resources or spec.driver.podTemplate';

/** Reasons of failures that the operator gives. */
const ownReasons = { gone: 'DriverDeleted', refused: 'Rejected' } as const;

/** The policy of a job. The result of a driver that did not exit is not known, so a rule must allow another attempt. */
export function policyOf({ spec: { retry } }: Pick<Job, 'spec'>): RetryPolicy {
  const unknown = { when: { reason: ['DriverDidNotExit'] }, do: 'Fail' } as const;
  const rules = retry.rules.map(({ with: growth, ...rule }) => ({ ...rule, ...(growth && { with: grownBy(growth) }) }));
  return { ...retry, budgets: { ...standardBudgets, ...retry.budgets }, rules: [...rules, unknown] };
}

function grownBy({ memoryFactor, max }: NonNullable<SparkJobSpecRetryRules['with']>): MemoryGrowth {
  return { memoryFactor, ...(max !== undefined && { max: String(max) }) };
}

/** Executors of the attempt that exceeded their memory, as far as they were seen. */
export function executorsKilled(situation: Job): number {
  const { memory } = situation;
  const seen = currentExecutors(situation).filter(({ isOutOfMemory }) => isOutOfMemory).length;
  return Math.max(memory.executorsKilled, seen);
}

const deleted = {
  ...{ budget: 'preemption', reason: ownReasons.gone },
  message: 'The Pod of the driver was deleted while it ran',
} as const;

/** Milliseconds for which the end of an executor can be the cause of a failure. Spark has found others long before. */
const blamedFor = 600_000;

/** Milliseconds for which the driver ran. @param at when it ended */
function ranUntil(at: number, { driver }: Memory): number {
  return driver?.startTime === undefined ? 0 : Math.max(0, at - driver.startTime);
}

/** When a driver ended, in milliseconds since 1970. The clock of a node may be ahead. */
export function endTimeOf({ at }: DriverEnd, { now }: Pick<Job, 'now'>): number {
  return Math.min(at ?? now, now);
}

/** The failure of a driver that has ended by itself. */
export function faultOf(end: DriverEnd, memory: Memory, situation: Job): Fault {
  const at = endTimeOf(end, situation);
  const { exitCode, podConditions } = end;
  const common = { attempt: memory.attempt, at, ran: ranUntil(at, memory), podConditions, exitCode };
  const { reason, message } = end;
  if (end.isDisrupted) return { ...common, budget: 'preemption', reason, message };
  // The end of a Pod that somebody deletes is not its own.
  if (end.isDeleted) return { ...common, ...deleted };
  if (!end.hasBegun) return { ...common, budget: 'submission', reason, message };
  if (reason === 'OOMKilled') return { ...common, budget: 'run', role: 'driver', reason, message };
  const killed = memory.executorsKilled;
  const isBlamed = killed > 0 && at - (memory.executorKilledTime ?? 0) <= blamedFor;
  if (!isBlamed) return { ...common, budget: 'run', reason, message: withCause(reason, message, situation) };
  const executors = killed === 1 ? 'An executor' : `${killed} executors`;
  const text = [`${executors} exceeded the memory limit`, message].filter(Boolean).join(': ');
  return { ...common, budget: 'run', role: 'executor', reason: 'OOMKilled', message: text };
}

/** The end of a driver whose executors fail does not say why they do. */
function withCause(reason: string | undefined, message: string | undefined, situation: Job) {
  const cause = reason === executorsFailed ? lastFailure(situation) : undefined;
  return cause === undefined ? message : `${message}. ${cause}`;
}

/** The failure of the last executor that has failed, as a sentence. */
export function lastFailure(situation: Job): string | undefined {
  const last = currentExecutors(situation).findLast(({ failure }) => failure !== undefined);
  return last && `Pod ${last.name} failed: ${last.failure}`;
}

/** The failure of a driver whose Pod is gone. */
export function faultOfGone(memory: Memory, { now }: Job): Fault {
  // When it ended is not known, so it gives no budget back.
  const common = { attempt: memory.attempt, at: now, ran: 0, podConditions: [] };
  return { ...common, ...deleted };
}

/** The failure of an attempt whose driver the operator stopped. */
export function faultOfStop({ reason, message, time }: Stop, memory: Memory): Fault {
  const budget = reason === 'DriverDidNotExit' ? 'run' : 'submission';
  // Without executors, the work has not begun.
  const ran = budget === 'run' ? ranUntil(time, memory) : 0;
  const common = { attempt: memory.attempt, at: time, ran, podConditions: [] };
  return { ...common, budget, reason, message };
}

/** The failure of an attempt whose driver the API server did not accept. */
export function faultOfRefusal(message: string, { attempt }: Memory, { now }: Job): Fault {
  const reason = /exceeded quota/.test(message) ? 'QuotaExceeded' : ownReasons.refused;
  return { attempt, at: now, ran: 0, podConditions: [], budget: 'submission', reason, message };
}
