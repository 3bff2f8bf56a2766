import {
  defaultRetryPolicy,
  type Fault,
  noFailures,
  type RetryPolicy,
  type Verdict,
  verdictOn,
} from '../../../operator/retry/index.js';

/** Without jitter, so that times are whole. */
export const policy: RetryPolicy = { ...defaultRetryPolicy, backoff: { ...defaultRetryPolicy.backoff, jitter: 0 } };

/** A failure of the first attempt after a minute, at the time 0. */
export const fault = (given: Partial<Fault> = {}): Fault => ({
  attempt: 1,
  budget: 'run',
  exitCode: 1,
  at: 0,
  ran: 60_000,
  ...given,
});

/** The verdicts on failures of attempts 1, 2 and so on, until one ends the job. */
export function verdictsOn(faults: readonly Partial<Fault>[], of: Partial<RetryPolicy> = {}): readonly Verdict[] {
  const all: Verdict[] = [];
  for (const [index, given] of faults.entries()) {
    const record = all.at(-1)?.record ?? noFailures;
    const verdict = verdictOn(fault({ attempt: index + 1, ...given }), {
      policy: { ...policy, ...of },
      record,
      uid: 'u',
    });
    if (verdict) all.push(verdict);
    if (verdict?.is === 'Fail') return all;
  }
  return all;
}
