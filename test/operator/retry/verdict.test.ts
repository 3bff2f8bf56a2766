import { describe, expect, it } from 'vitest';
import { defaultRetryPolicy, noFailures, type RetryRule, verdictOn } from '../../../operator/retry/index.js';
import { fault, policy, verdictsOn } from './given-fault.js';

const hour = 3_600_000;
const fails: RetryRule = { when: { exitCodes: [2] }, do: 'Fail' };
const grows: RetryRule = { when: { reason: ['OOMKilled'] }, do: 'Retry', with: { memoryFactor: 1.5, max: '4Gi' } };
const evicted: RetryRule = { when: { podConditions: ['DisruptionTarget'] }, do: 'Retry', budget: 'preemption' };

describe('the verdict on a failed attempt', () => {
  it('is a retry until the budget is used, then the end', () => {
    const verdicts = verdictsOn([{}, {}, {}, {}, {}]);
    expect(verdicts.map(({ is }) => is)).toEqual(['Retry', 'Retry', 'Retry', 'Fail']);
    expect(verdicts.at(-1)).toMatchObject({
      why: 'BudgetSpent',
      budget: 'run',
      record: { counted: 4, used: { run: 3 } },
    });
    expect(verdicts.map(({ message }) => message)).toEqual([
      'Attempt 1 failed: exit code 1. Retry 1 of 3 of the budget run',
      'Attempt 2 failed: exit code 1. Retry 2 of 3 of the budget run',
      'Attempt 3 failed: exit code 1. Retry 3 of 3 of the budget run',
      'Attempt 4 failed: exit code 1. All 3 retries of the budget run are used',
    ]);
  });

  it('counts each kind of failure against its own budget', () => {
    const verdicts = verdictsOn([{}, { budget: 'preemption' }, { budget: 'submission' }, {}]);
    expect(verdicts.at(-1)).toMatchObject({ is: 'Retry', record: { used: { run: 2, preemption: 1, submission: 1 } } });
  });

  it.each([
    {
      what: 'ends the job at once',
      rules: [fails],
      given: { exitCode: 2 },
      expected: { is: 'Fail', why: 'RuleFails' },
    },
    {
      what: 'counts against another budget',
      rules: [evicted],
      given: { podConditions: ['DisruptionTarget'] },
      expected: { is: 'Retry', budget: 'preemption' },
    },
    {
      what: 'is the first one that matches',
      rules: [evicted, fails],
      given: { exitCode: 2, podConditions: ['DisruptionTarget'] },
      expected: { is: 'Retry', budget: 'preemption' },
    },
    {
      what: 'names a budget that does not exist',
      rules: [{ ...evicted, budget: 'constructor' }],
      given: { podConditions: ['DisruptionTarget'] },
      expected: { is: 'Fail', why: 'BudgetSpent', budget: 'constructor' },
    },
  ] as const)('follows the rule that $what', ({ rules, given, expected }) => {
    expect(verdictsOn([given], { rules })).toMatchObject([expected]);
  });

  it('comes once for each attempt, so that a new process counts nothing twice', () => {
    const [first] = verdictsOn([{}]);
    const again = verdictOn(fault(), { policy, record: first?.record ?? noFailures, uid: 'u' });
    expect(again).toBeUndefined();
  });

  it('gives more memory to the role that lacked it, again with each such failure', () => {
    const oom = { reason: 'OOMKilled', exitCode: 137, role: 'executors' };
    const verdicts = verdictsOn([oom, oom, {}], { rules: [grows] });
    expect(verdicts.map(({ record }) => record.memory)).toEqual([
      { executors: { factor: 1.5, max: '4Gi' } },
      { executors: { factor: 2.25, max: '4Gi' } },
      { executors: { factor: 2.25, max: '4Gi' } },
    ]);
    expect(verdicts[0]?.message).toBe(
      'Attempt 1 failed: exit code 137 (OOMKilled). Retry 1 of 3 of the budget run, with 1.5 times the memory of the spec, at most 4Gi, for the executors',
    );
    expect(verdicts[1]?.message).toContain('with 2.25 times the memory of the spec, at most 4Gi, for the executors');
    const [unlimited] = verdictsOn([oom], { rules: [{ ...grows, with: { memoryFactor: 4 / 3 } }] });
    expect(
      unlimited?.message.endsWith('of the budget run, with 1.33 times the memory of the spec for the executors'),
    ).toBe(true);
    expect(verdicts[2]?.message).not.toContain('memory');
  });
});

describe('the end of the message', () => {
  it.each([
    [{}, 0, 'exit code 1. The budget run allows no retry'],
    [{}, 1, 'exit code 1. Retry 1 of 1 of the budget run'],
    [{ message: 'No such file.' }, 0, 'exit code 1: No such file. The budget run allows no retry'],
  ])('of %j with %i retries', (given, run, end) => {
    const policy = { ...defaultRetryPolicy, budgets: { run } };
    const verdict = verdictOn(fault(given), { policy, record: noFailures, uid: 'uid' });
    expect(verdict?.message).toBe(`Attempt 1 failed: ${end}`);
  });
});

describe('the time of the next attempt', () => {
  const timesOf = (faults: Parameters<typeof verdictsOn>[0], of?: Parameters<typeof verdictsOn>[1]) =>
    verdictsOn(faults, of).map((verdict) => (verdict.is === 'Retry' ? verdict.at : undefined));

  it('grows by the factor with each failure of any budget, up to the maximum', () => {
    const budgets = { run: 20, preemption: 20 };
    const faults = Array.from({ length: 9 }, (_, index) => ({ budget: index % 2 === 0 ? 'run' : 'preemption' }));
    const seconds = timesOf(faults, { budgets }).map((at) => (at ?? 0) / 1_000);
    expect(seconds).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600]);
  });

  it('starts anew, with all budgets, after an attempt that ran for long', () => {
    const verdicts = verdictsOn([{}, {}, {}, { ran: hour, at: 7 }]);
    expect(verdicts.at(-1)).toMatchObject({ is: 'Retry', at: 10_007, record: { failures: 1, used: { run: 1 } } });
    expect(verdictsOn([{}, {}, {}, { ran: hour - 1 }]).at(-1)).toMatchObject({ is: 'Fail' });
  });

  it('stays none after any number of failures, if the first is none', () => {
    const backoff = { ...defaultRetryPolicy.backoff, initial: '0s', factor: 100 };
    const policy = { ...defaultRetryPolicy, budgets: { run: 1_000 }, backoff };
    const record = { ...noFailures, counted: 399, failures: 399 };
    expect(verdictOn(fault({ attempt: 400, at: 7 }), { policy, record, uid: 'uid' })).toMatchObject({
      is: 'Retry',
      at: 7,
    });
  });

  it('varies by the jitter between jobs, and is the same in each process', () => {
    const at = (uid: string) => verdictOn(fault(), { policy: defaultRetryPolicy, record: noFailures, uid });
    const times = Array.from({ length: 200 }, (_, index) => {
      const verdict = at(`uid-${index}`);
      return verdict?.is === 'Retry' ? verdict.at : 0;
    });
    expect(Math.min(...times)).toBeGreaterThanOrEqual(8_000);
    expect(Math.max(...times)).toBeLessThanOrEqual(12_000);
    expect(new Set(times).size).toBeGreaterThan(190);
    expect(at('uid-7')).toEqual(at('uid-7'));
  });
});
