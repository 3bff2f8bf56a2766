import { createHash } from 'node:crypto';
import { secondsOf } from '../../crds/index.js';
import { type Fault, faultText, ruleFor } from './fault.js';
import { type GrownMemory, grownBy } from './memory.js';
import { delayAfter, type RetryPolicy, type RetryRule } from './policy.js';

/** What a status keeps of the failures of a job. Plain JSON. */
export interface RetryRecord {
  /** The number of the last attempt whose failure was counted. 0 before the first failure. */
  readonly counted: number;
  /** Consecutive failures since budgets were given back. */
  readonly failures: number;
  /** Retries that were used, by budget. */
  readonly used: Readonly<Record<string, number>>;
  /** Growth of memory, by role. */
  readonly memory: Readonly<Record<string, GrownMemory>>;
}

/** The record of a job that has never failed. */
export const noFailures: RetryRecord = { counted: 0, failures: 0, used: {}, memory: {} };

/** What follows after a failure. */
export type Verdict = {
  /** The record with this failure. Write it with the verdict, so that a new process counts nothing twice. */
  readonly record: RetryRecord;
  /** The budget that the failure counts against. */
  readonly budget: string;
  /** For people: what has failed, and what follows. It has no time, so it stays the same. */
  readonly message: string;
} & (
  | {
      readonly is: 'Retry';
      /** The number of the next attempt. */
      readonly attempt: number;
      /** Milliseconds since 1970: when it may start. */
      readonly at: number;
    }
  | {
      readonly is: 'Fail';
      /** `RuleFails`: a rule ends the job. `BudgetSpent`: no retry is left. */
      readonly why: 'RuleFails' | 'BudgetSpent';
    }
);

/** What a verdict depends on beside the failure. */
export interface RetryContext {
  readonly policy: RetryPolicy;
  readonly record: RetryRecord;
  /** The UID of the job. Jobs that failed together wait for different times, and each of them always for the same. */
  readonly uid: string;
}

/**
 * What follows after an attempt has failed. Pure: the same failure has the same verdict in each process.
 * @returns undefined if the failure of this attempt was counted before
 */
export function verdictOn(fault: Fault, { policy, record, uid }: RetryContext): Verdict | undefined {
  if (fault.attempt <= record.counted) return undefined;
  const rule = ruleFor(fault, policy);
  const budget = rule?.budget ?? fault.budget;
  const before =
    fault.ran >= 1_000 * secondsOf(policy.backoff.resetAfter) ? { ...record, failures: 0, used: {} } : record;
  const used = countIn(before.used, budget);
  const most = countIn(policy.budgets, budget);
  const failures = before.failures + 1;
  const failed = `Attempt ${fault.attempt} failed: ${faultText(fault)}`;
  const counted = { ...before, counted: fault.attempt, failures };
  if (rule?.do === 'Fail')
    return { is: 'Fail', why: 'RuleFails', budget, record: counted, message: `${failed}. A rule ends the job` };
  if (used >= most) {
    const message = `${failed}. ${spentText(budget, most)}`;
    return { is: 'Fail', why: 'BudgetSpent', budget, record: counted, message };
  }
  const memory = memoryAfter(fault, rule, before.memory);
  const grown = memory === before.memory ? '' : grownText(fault.role ?? '', memory);
  return {
    ...{ is: 'Retry', budget, attempt: fault.attempt + 1 },
    at: fault.at + delayAfter(failures, policy.backoff, chanceOf(`${uid} ${fault.attempt}`)),
    record: { ...counted, used: { ...before.used, [budget]: used + 1 }, memory },
    message: `${failed}. Retry ${used + 1} of ${most} of the budget ${budget}${grown}`,
  };
}

/** The limit of the spec is not known here, so the text has the factor and the maximum. */
function grownText(role: string, memory: RetryRecord['memory']): string {
  const { factor = 1, max } = memory[role] ?? {};
  const most = max === undefined ? '' : `, at most ${max},`;
  return `, with ${Number(factor.toPrecision(3))} times the memory of the spec${most} for the ${role}`;
}

function spentText(budget: string, most: number): string {
  if (most === 0) return `The budget ${budget} allows no retry`;
  return most === 1
    ? `The only retry of the budget ${budget} is used`
    : `All ${most} retries of the budget ${budget} are used`;
}

/** A budget that no policy has is empty, also one whose name each object knows, such as `constructor`. */
function countIn(counts: Readonly<Record<string, number>>, budget: string): number {
  return (Object.hasOwn(counts, budget) ? counts[budget] : undefined) ?? 0;
}

function memoryAfter(
  { role }: Fault,
  rule: RetryRule | undefined,
  before: RetryRecord['memory'],
): RetryRecord['memory'] {
  if (!rule?.with || role === undefined) return before;
  return { ...before, [role]: grownBy(before[role], rule.with) };
}

/** Uniform in [0, 1), and always the same for a text. */
function chanceOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}
