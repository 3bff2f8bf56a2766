import type { FaultMatch, RetryPolicy, RetryRule } from './policy.js';

/** How one attempt of a job has failed. */
export interface Fault {
  /** The number of the attempt, from 1. A failure of an attempt that has been counted is not counted again. */
  readonly attempt: number;
  /**
   * The budget that it counts against unless a rule names another one: `submission` if the work has not begun, `preemption` if
   * the attempt lost its node or was evicted, `run` otherwise.
   */
  readonly budget: string;
  /** Of the container that failed. @default - none ended */
  readonly exitCode?: number | undefined;
  /** Of the container or the Pod, such as `OOMKilled`. */
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** Types of Pod conditions with the status `True`. */
  readonly podConditions?: readonly string[] | undefined;
  /** Whose containers failed, such as `driver`: their memory grows. @default - growth of memory has no effect */
  readonly role?: string | undefined;
  /** Milliseconds since 1970: when the attempt failed. */
  readonly at: number;
  /** Milliseconds for which the attempt ran. */
  readonly ran: number;
}

/** The first rule that matches a failure. */
export function ruleFor(fault: Fault, { rules }: Pick<RetryPolicy, 'rules'>): RetryRule | undefined {
  return rules.find(({ when }) => isMatch(fault, when));
}

function isMatch({ exitCode, reason, message, podConditions = [] }: Fault, when: FaultMatch): boolean {
  return (
    isAmong(when.exitCodes, exitCode) &&
    isAmong(when.reason, reason) &&
    (when.message?.some((text) => message?.includes(text)) ?? true) &&
    (when.podConditions?.some((type) => podConditions.includes(type)) ?? true)
  );
}

/** True if there is no list. An attempt without a value is in none. */
function isAmong<T>(list: readonly T[] | undefined, value: T | undefined): boolean {
  return list === undefined || (value !== undefined && list.includes(value));
}

/** What has failed, for people, such as `exit code 137 (OOMKilled)`. */
export function faultText({ exitCode, reason, message }: Fault): string {
  const first = exitCode === undefined ? reason : `exit code ${exitCode}${reason === undefined ? '' : ` (${reason})`}`;
  const text = [first, message].filter((part) => part !== undefined && part !== '').join(': ');
  // A sentence follows.
  return text.replace(/\.+$/, '') || 'no cause is known';
}
