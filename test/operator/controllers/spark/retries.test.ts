import { describe, expect, it } from 'vitest';
import type { SparkJobStatus } from '../../../../imports/index.js';
import { assessed, backingOff, running, type Seen, statusAfter } from './given-job.js';
import { at, driver, ended, executor, failed, now } from './given-pods.js';

const oom = { when: { reason: ['OOMKilled'] }, do: 'Retry', with: { memoryFactor: 1.5, max: '4Gi' } };

/** The status after each failure of a driver in a row, at once after the other. Each attempt runs for 40 seconds. */
function failuresOf(faults: readonly { exitCode: number; reason?: string; message?: string }[], spec: object = {}) {
  let status: Partial<SparkJobStatus> = running({}, spec);
  const all: SparkJobStatus[] = [];
  for (const [index, { exitCode, ...more }] of faults.entries()) {
    const attempt = `1-${index + 1}`;
    status = statusAfter({ spec, status, pods: [driver({ attempt })] });
    status = statusAfter({ spec, status, pods: [failed(exitCode, more, { attempt })] });
    all.push(status as SparkJobStatus);
  }
  return all;
}

describe('retries of a SparkJob', () => {
  it('follow until the budget is used, and the last attempt is known before', () => {
    const all = failuresOf(Array.from({ length: 4 }, () => ({ exitCode: 1 })));
    // The first wait is over at once, because the driver ended 10 seconds ago.
    expect(all.map(({ state }) => state)).toEqual(['Submitting', 'WaitingForRetry', 'WaitingForRetry', 'Failed']);
    expect(all.map(({ attempts }) => attempts)).toEqual(['2/4', '3/4', '4/4', '4/4']);
    expect(all.at(-1)).toMatchObject({ attempt: 4, retriesUsed: 3, exitCode: 1, completionTime: at(0) });
    expect(all.at(-1)?.ended?.map(({ attempt }) => attempt)).toEqual([4, 3, 2, 1]);
    expect(all.at(-1)?.failureCounts).toEqual([{ reason: 'Error', count: 4 }]);
    expect(all.at(-1)).not.toHaveProperty('nextAttemptTime');
  });

  it('wait longer after each failure, to the second', () => {
    const waits = failuresOf(
      Array.from({ length: 6 }, () => ({ exitCode: 1 })),
      { retry: { budgets: { run: 9 }, backoff: { initial: '10s', factor: 3, max: '5m' } } },
    ).map(({ nextAttemptTime = '' }) => (Date.parse(nextAttemptTime) - now) / 1_000 + 10);
    expect(waits).toEqual([10, 30, 90, 270, 300, 300]);
  });

  it('have all budgets again after an attempt that ran for long', () => {
    const spec = { retry: { budgets: { run: 1 } } };
    const status = running({ attempt: 2, retries: { counted: 1, failures: 1, used: { run: 1 }, memory: {} } }, spec);
    const long = (startedAt: string) => {
      const started = { ...status, driver: { pod: 'clean-1-2-driver', uid: 'u', startTime: startedAt } };
      const pods = [failed(1, { startedAt }, { attempt: '1-2', created: -3_700 })];
      return assessed({ spec, status: started, pods });
    };
    expect(long(at(-3_610)).status).toMatchObject({ attempt: 3, retriesUsed: 1, attempts: '3/3' });
    expect(long(at(-3_609)).conditions.Running?.reason).toBe('BudgetSpent');
  });

  it('count a failure once, however often the same end is seen and whoever forgets what followed', () => {
    const [first] = failuresOf([{ exitCode: 1 }]);
    const pods = [failed(1)];
    expect(statusAfter({ status: first as SparkJobStatus, pods })).toEqual(first);
    // The status was lost after the failure was counted: its number is used up.
    const lost = { ...first, attempt: 1 };
    expect(statusAfter({ status: lost, pods })).toMatchObject({ attempt: 2, retriesUsed: 1, nextAttemptTime: at(0) });
  });

  it.each([
    ['an exit code', { when: { exitCodes: [2] }, do: 'Fail' }, { exitCode: 2 }],
    ['a reason', { when: { reason: ['OOMKilled'] }, do: 'Fail' }, { exitCode: 137, reason: 'OOMKilled' }],
    [
      'a part of a message',
      { when: { message: ['No such column'] }, do: 'Fail' },
      { exitCode: 1, message: 'E: No such column a' },
    ],
  ])('end at once by a rule over %s', (_, rule, fault) => {
    const spec = { retry: { rules: [rule] } };
    const seen: Seen = { spec, status: running({}, spec), pods: [failed(fault.exitCode, fault)] };
    const { conditions, status } = assessed(seen);
    expect(conditions.Running?.reason).toBe('RuleFails');
    expect(conditions.Running?.message).toMatch(/^Attempt 1 failed: exit code \d+ \(\w+\).*\. A rule ends the job$/);
    expect(status).toMatchObject({ state: 'Failed', attempt: 1, retriesUsed: 0 });
  });

  it('count against the budget of the first rule that matches', () => {
    const rules = [
      { when: { podConditions: ['DisruptionTarget'] }, do: 'Retry', budget: 'spot' },
      { when: { exitCodes: [143] }, do: 'Fail' },
    ];
    const spec = { retry: { budgets: { spot: 1 }, rules } };
    const conditions = [{ type: 'DisruptionTarget', status: 'True' }];
    const evicted = (attempt: string) => driver({ attempt, phase: 'Failed', state: ended(143), conditions });
    const status = statusAfter({ spec, status: running({}, spec), pods: [evicted('1-1')] });
    expect(status).toMatchObject({ attempt: 2, retries: { used: { spot: 1 } }, ended: [{ budget: 'spot' }] });
    const next = statusAfter({ spec, status, pods: [driver({ attempt: '1-2' })] });
    const { conditions: last } = assessed({ spec, status: next, pods: [evicted('1-2')] });
    expect(last.Running).toMatchObject({
      reason: 'BudgetSpent',
      message: expect.stringContaining('The only retry of the budget spot is used'),
    });
  });

  it('keep what other budgets have left', () => {
    const evicted = driver({ phase: 'Failed', state: ended(143), reason: 'Evicted' });
    const status = statusAfter({ status: running(), pods: [evicted] });
    expect(status).toMatchObject({ attempts: '2/5', retries: { used: { preemption: 1 } } });
  });

  it('have more memory for the role whose containers were killed, again with each such failure, and say so', () => {
    const spec = { retry: { budgets: { run: 9 }, rules: [oom] } };
    const [first, second, third] = failuresOf(
      [{ exitCode: 137, reason: 'OOMKilled' }, { exitCode: 137, reason: 'OOMKilled' }, { exitCode: 1 }],
      spec,
    );
    expect(first?.retries?.memory).toEqual({ driver: { factor: 1.5, max: '4Gi' } });
    expect(second?.retries?.memory).toEqual({ driver: { factor: 2.25, max: '4Gi' } });
    expect(third?.retries?.memory).toEqual(second?.retries?.memory);
    const pods = [failed(1), executor(1, { isOutOfMemory: true })];
    const { status, conditions, events } = assessed({ spec, status: running({}, spec), pods });
    expect(status?.retries?.memory).toEqual({ executor: { factor: 1.5, max: '4Gi' } });
    expect(conditions.Running?.message).toContain(
      'Retry 1 of 9 of the budget run, with 1.5 times the memory of the spec, at most 4Gi, for the executor',
    );
    expect(events?.map(({ reason }) => reason)).toEqual(['AttemptFailed']);
  });

  it('tell the cause until the next driver runs', () => {
    const first = assessed({ status: running(), pods: [failed(1, { message: 'ValueError: bad' })] });
    const message = 'Attempt 1 failed: exit code 1 (Error): ValueError: bad. Retry 1 of 3 of the budget run';
    expect(first.conditions.Running).toEqual({ reason: 'Retrying', message });
    expect(first.events).toEqual([{ type: 'Warning', reason: 'AttemptFailed', note: message }]);
    const conditions = [{ type: 'Running', status: 'Unknown', reason: 'Retrying', message, lastTransitionTime: at(0) }];
    const waiting = { ...first.status, conditions } as SparkJobStatus;
    const pods = [failed(1)];
    const later = assessed({ status: waiting, pods, seconds: -5 });
    expect(later.conditions.Running).toEqual({ reason: 'Retrying', message });
    expect(later.events).toEqual([]);
    expect(later.conditions.Submitted).toEqual({
      reason: 'BackingOff',
      message: 'Attempt 2 waits until nextAttemptTime; Pod clean-1-1-driver has the log of the last one',
    });
  });

  it('keep the last 10 attempts and at most 32 reasons', () => {
    const past = Array.from({ length: 10 }, (_, index) => ({
      ...{ run: 1, attempt: 20 - index, pod: `clean-1-${20 - index}-driver`, endTime: at(-100) },
    }));
    const failureCounts = Array.from({ length: 31 }, (_, index) => ({ reason: `Reason${index}`, count: 1 }));
    const status = statusAfter({ status: running({ ended: past, failureCounts }), pods: [failed(1)] });
    expect(status.ended?.map(({ attempt }) => attempt)).toEqual([1, 20, 19, 18, 17, 16, 15, 14, 13, 12]);
    expect(status.failureCounts).toHaveLength(32);
    expect(status.failureCounts).toContainEqual({ reason: 'Other', count: 1 });
  });

  it('say when they begin, so that the operator looks at that time', () => {
    const { requeueAfter } = assessed({ status: backingOff(), pods: [failed(1)] });
    expect(requeueAfter).toBe(20_000);
  });
});
