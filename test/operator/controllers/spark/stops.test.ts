import { describe, expect, it } from 'vitest';
import type { SparkJobStatus } from '../../../../imports/index.js';
import { driverRemedy } from '../../../../operator/controllers/spark/attempts/faults.js';
import { assessed, backingOff, planned, running, type Seen, statusAfter } from './given-job.js';
import { at, driver, ended, executor, failed, succeeded, waiting } from './given-pods.js';

type Stopping = NonNullable<SparkJobStatus['stopping']>;

/** The decision to stop the driver. */
const stopIn = (seen: Seen) => statusAfter({ status: running({}, seen.spec), pods: [driver()], ...seen }).stopping;
const stopped = (reason: Stopping['reason'], message?: string): Partial<SparkJobStatus> =>
  running({ stopping: { reason, ...(message !== undefined && { message }), time: at(-5) } });

describe('the operator writes down why it stops a driver, and deletes its Pod afterwards', () => {
  const idle = { idleTime: at(-600) };
  it.each<{ when: string; reason: Stopping['reason']; message: string; seen: Seen }>([
    {
      when: 'a user suspends the job',
      ...{ reason: 'Suspended', message: 'The job was suspended' },
      seen: { spec: { suspend: true } },
    },
    {
      when: 'a user edits what the driver depends on',
      ...{ reason: 'Edited', message: 'The spec was edited' },
      seen: { spec: { args: ['--all'] }, generation: 2, status: running() },
    },
    {
      when: 'the job ran for too long',
      ...{ reason: 'DeadlineExceeded', message: 'The job ran longer than activeDeadline, 1m' },
      seen: { spec: { activeDeadline: '1m' }, seconds: 10 },
    },
    {
      when: 'the driver does not start',
      ...{ reason: 'DriverNotStarted' },
      message: 'The driver did not start within startWithin, 1m: CreateContainerConfigError: secret "s" not found',
      seen: { spec: { startWithin: '1m' }, pods: [waiting('CreateContainerConfigError', 'secret "s" not found')] },
    },
    {
      when: 'the driver does not start, and no cause is reported',
      ...{ reason: 'DriverNotStarted' },
      message: 'The driver did not start within startWithin, 1m: the kubelet reports no cause',
      seen: { spec: { startWithin: '1m' }, pods: [driver({ phase: 'Pending', state: null, node: null })] },
    },
    {
      when: 'its executors stay Pending',
      ...{ reason: 'ExecutorsNotStarted' },
      message: 'No executor ran for startWithin, 10m: Pod clean-1-1-exec-1 is Pending',
      seen: { status: running(idle), pods: [driver(), ...[1, 2].map((one) => executor(one, { phase: 'Pending' }))] },
    },
    {
      when: 'all executors have ended',
      ...{ reason: 'ExecutorsNotStarted' },
      message: 'No executor ran for startWithin, 10m: all 1 executors have ended',
      seen: { status: running(idle), pods: [driver(), executor(1, { phase: 'Succeeded' })] },
    },
    {
      when: 'executors fail again and again',
      ...{ reason: 'ExecutorsNotStarted' },
      message: 'No executor ran for startWithin, 10m: Pod clean-1-1-exec-1 failed: OSError: full (exit code 1)',
      seen: { status: running(idle), pods: [driver(), executor(1, { failure: 'OSError: full' })] },
    },
    {
      when: 'a quota refuses all executors',
      ...{ reason: 'ExecutorsNotStarted' },
      message:
        'No executor ran for startWithin, 10m: the driver has created none; its log has the cause, such as a quota of the namespace',
      seen: { status: running(idle) },
    },
    {
      when: 'the program never ends after its SparkContext',
      ...{ reason: 'DriverDidNotExit' },
      message:
        'The driver did not exit within exitWithin, 5m, after it stopped its SparkContext: its result is not known. Let the program end all of its threads',
      seen: { status: running({ contextEndTime: at(-300) }), pods: [driver({ isListening: false })] },
    },
  ])('when $when', ({ reason, message, seen }) => {
    const before = { status: running({}, seen.spec), pods: [driver()], ...seen };
    expect(planned(before).left).toEqual(['clean-1-1-driver']);
    const { status, conditions, events, requeueAfter } = assessed(before);
    expect(status?.stopping).toEqual({ reason, message, time: at(seen.seconds ?? 0) });
    expect(status?.state).toBe('Stopping');
    expect(conditions.Running).toEqual({ reason: 'Stopping', message });
    expect(conditions.Submitted).toEqual({ reason: 'Stopping' });
    const isAsked = reason === 'Suspended' || reason === 'Edited';
    expect(events).toContainEqual({ type: isAsked ? 'Normal' : 'Warning', reason, note: message });
    expect(requeueAfter).toBeLessThan(1_000);
    const after = { ...before, status: status as SparkJobStatus };
    expect(planned(after)).toMatchObject({ left: [], creates: false });
    expect(statusAfter(after).stopping).toEqual(status?.stopping);
    expect(assessed(after).events).toEqual([]);
  });

  it.each<{ when: string; seen: Seen }>([
    {
      when: 'a user edits only when it is retried or deleted',
      seen: {
        spec: { retry: { budgets: { run: 9 } }, activeDeadline: '1h', ttlAfterFinished: '1h', cleanPods: 'All' },
        generation: 2,
        status: running(),
      },
    },
    { when: 'metadata have another generation alone', seen: { generation: 2 } },
    { when: 'the deadline is not over', seen: { spec: { activeDeadline: '1m' }, seconds: 9 } },
    {
      when: 'the driver has time to start',
      seen: { spec: { startWithin: '61s' }, pods: [driver({ phase: 'Pending', state: null })] },
    },
    { when: 'executors have time to start', seen: { status: running({ idleTime: at(-599) }) } },
    { when: 'an executor runs', seen: { status: running(idle), pods: [driver(), executor(1)] } },
    {
      when: 'the driver wants no executor',
      seen: {
        spec: { executors: { dynamic: { min: 0, max: 3 } } },
        status: running(idle, { executors: { dynamic: { min: 0, max: 3 } } }),
      },
    },
    {
      when: 'the driver has time to exit',
      seen: { status: running({ contextEndTime: at(-299) }), pods: [driver({ isListening: false })] },
    },
    { when: 'the program has begun another SparkContext', seen: { status: running({ contextEndTime: at(-900) }) } },
    {
      when: 'the spec cannot work',
      seen: { spec: { args: ['x'] }, generation: 2, status: running(), accepted: false },
    },
    {
      when: 'its node does not answer, so its SparkContext is not known',
      seen: { status: running({ contextEndTime: at(-900) }), pods: [driver({ isListening: false })], lost: ['node-1'] },
    },
    {
      when: 'its node does not answer, and its executors were evicted',
      seen: {
        status: running(idle),
        pods: [driver({ isEnding: true }), executor(1, { isEnding: true })],
        lost: ['node-1'],
      },
    },
    {
      when: 'its node was lost before it started',
      seen: { spec: { startWithin: '1m' }, pods: [driver({ phase: 'Pending', state: null })], lost: ['node-1'] },
    },
  ])('and not when $when', ({ seen }) => {
    expect(stopIn(seen)).toBeUndefined();
  });
});

describe('a driver that the operator stops', () => {
  const gone: Seen['pods'] = [];
  const killed = [driver({ phase: 'Failed', isEnding: true, state: ended(143) })];
  it.each([
    { when: 'its end is seen', pods: killed },
    { when: 'its Pod is gone', pods: gone },
  ])('leads to what was written down, and counts no failure of a user, when $when', ({ pods }) => {
    const edited = statusAfter({ spec: { args: ['x'] }, generation: 2, status: stopped('Edited'), pods });
    expect(edited).toMatchObject({ run: 2, attempt: 1, retriesUsed: 0, runGeneration: 2, attempts: '1/4' });
    expect(edited).not.toHaveProperty('startTime');
    expect(edited).not.toHaveProperty('failureCounts');
    const suspended = statusAfter({ spec: { suspend: true }, status: stopped('Suspended'), pods });
    expect(suspended).toMatchObject({ state: 'Suspended', run: 1, attempt: 0, retriesUsed: 0 });
    const late = assessed({ status: stopped('DeadlineExceeded', 'The job ran longer'), pods });
    expect(late.status).toMatchObject({ state: 'Failed', completionTime: at(0) });
    expect(late.conditions.Running).toEqual({ reason: 'DeadlineExceeded', message: 'The job ran longer' });
    for (const { ended: [one] = [] } of [edited, suspended]) expect(one).not.toHaveProperty('budget');
  });

  it.each(['DriverNotStarted', 'ExecutorsNotStarted'] as const)('counts against submission after %s', (reason) => {
    for (const pods of [killed, gone]) {
      const status = statusAfter({ status: stopped(reason, 'It did not start'), pods });
      expect(status.ended).toMatchObject([{ reason, budget: 'submission', message: 'It did not start' }]);
      expect(status).toMatchObject({ attempt: 2, nextAttemptTime: at(5) });
      expect(status).not.toHaveProperty('stopping');
    }
  });

  it('that did not exit fails the job, because its result is not known', () => {
    const { status, conditions } = assessed({ status: stopped('DriverDidNotExit', 'It did not exit'), pods: killed });
    expect(conditions.Running).toEqual({ reason: 'DriverDidNotExit', message: 'It did not exit' });
    expect(status).toMatchObject({
      state: 'Failed',
      retriesUsed: 0,
      ended: [{ reason: 'DriverDidNotExit', budget: 'run' }],
    });
  });

  it('that did not exit is retried if a rule says so', () => {
    const spec = { retry: { rules: [{ when: { reason: ['DriverDidNotExit'] }, do: 'Retry' }] } };
    const status = statusAfter({ spec, status: stopped('DriverDidNotExit', 'It did not exit'), pods: killed });
    expect(status).toMatchObject({ attempt: 2, retries: { used: { run: 1 } } });
  });

  it('and succeeds all the same has done its work, unless the spec was edited', () => {
    for (const reason of ['Suspended', 'DeadlineExceeded', 'DriverDidNotExit'] as const)
      expect(statusAfter({ status: stopped(reason), pods: [succeeded()] }).state).toBe('Succeeded');
    const edited = statusAfter({
      spec: { args: ['x'] },
      generation: 2,
      status: stopped('Edited'),
      pods: [succeeded()],
    });
    expect(edited).toMatchObject({ run: 2, attempt: 1 });
  });

  it('and whose node is lost is waited for, and named', () => {
    const pods = [driver({ isEnding: true })];
    const { conditions, status } = assessed({ status: stopped('Suspended'), pods, lost: ['node-1'] });
    expect(conditions.Submitted).toEqual({
      reason: 'OtherDriver',
      message: 'Pod clean-1-1-driver may still run on Node node-1, which does not answer',
    });
    expect(status?.state).toBe('Stopping');
  });
});

describe('a job without a driver', () => {
  it('begins with its first attempt, and not while it is suspended or cannot work', () => {
    expect(statusAfter({})).toMatchObject({
      run: 1,
      attempt: 1,
      state: 'Submitting',
      attempts: '1/4',
      executors: '0/2',
    });
    expect(statusAfter({ spec: { suspend: true } })).toMatchObject({ run: 0, attempt: 0, state: 'Suspended' });
    expect(assessed({ spec: { suspend: true } }).conditions).toEqual({
      Submitted: { reason: 'Suspended' },
      Running: { reason: 'Suspended' },
    });
    expect(statusAfter({ accepted: false })).toMatchObject({ run: 0, attempt: 0 });
  });

  it('starts from the beginning when it is resumed', () => {
    const suspended = statusAfter({ spec: { suspend: true }, status: backingOff({}), pods: [failed(1)] });
    expect(suspended).toMatchObject({ state: 'Suspended', run: 1, attempt: 0 });
    expect(suspended).not.toHaveProperty('nextAttemptTime');
    const resumed = statusAfter({ status: suspended, pods: [failed(1)], generation: 3 });
    expect(resumed).toMatchObject({ state: 'Submitting', run: 2, attempt: 1, retriesUsed: 0, runGeneration: 3 });
  });

  it('begins another run at once if it is edited while it waits', () => {
    const status = statusAfter({ spec: { args: ['x'] }, generation: 2, status: backingOff(), pods: [failed(1)] });
    expect(status).toMatchObject({ run: 2, attempt: 1, retriesUsed: 0, state: 'Submitting' });
  });

  it('ends at its deadline while it waits', () => {
    const spec = { activeDeadline: '1m' };
    const seen = { spec, status: backingOff({}, spec), pods: [failed(1)] };
    expect(assessed({ ...seen, seconds: 9 })).toMatchObject({ requeueAfter: 1_000 });
    const { status, conditions } = assessed({ ...seen, seconds: 10 });
    expect(status).toMatchObject({ state: 'Failed', completionTime: at(10) });
    expect(conditions.Running).toEqual({
      reason: 'DeadlineExceeded',
      message: 'The job ran longer than activeDeadline, 1m',
    });
  });

  const quota = `pods "clean-1-1-driver" is forbidden: exceeded quota: team, limited: cpu=4: ${driverRemedy}`;
  it('counts a creation that is refused once, against submission', () => {
    const { driver: _, contextTime: __, startTime: ___, ...rest } = running();
    const seen = { status: rest, blocker: quota };
    const { status, conditions } = assessed(seen);
    expect(status).toMatchObject({ attempt: 2, nextAttemptTime: at(10), state: 'WaitingForRetry' });
    expect(status?.ended).toMatchObject([{ reason: 'QuotaExceeded', budget: 'submission', message: quota }]);
    expect(conditions.Running?.reason).toBe('Retrying');
    expect(statusAfter({ ...seen, status: status as SparkJobStatus }).retriesUsed).toBe(1);
    // The name of the second attempt is refused only when it is due.
    const second = quota.replace('1-1', '1-2');
    const waits = { status: status as SparkJobStatus, blocker: second };
    expect(statusAfter({ ...waits, seconds: 9 }).attempt).toBe(2);
    expect(statusAfter({ ...waits, seconds: 10 })).toMatchObject({ attempt: 3, retriesUsed: 2 });
  });

  it.each([['another object', 'configmaps "clean-1-1" is forbidden: exceeded quota: team']])(
    'does not count a refusal of %s',
    (_, blocker) => {
      const { driver: __, ...rest } = running();
      expect(statusAfter({ status: rest, blocker }).ended).toBeUndefined();
    },
  );

  it.each([
    'admission webhook "policy.example.com" denied the request: no latest tags',
    'pods "clean-1-1-driver" is forbidden: violates PodSecurity "restricted:latest"',
  ])('counts a refusal by a policy: %s', (refusal) => {
    const { driver: _, ...rest } = running();
    const blocker = `${refusal}: ${driverRemedy}`;
    expect(statusAfter({ status: rest, blocker }).ended).toMatchObject([{ reason: 'Rejected', budget: 'submission' }]);
  });

  it.each([
    { when: 'it runs', status: running(), budget: 'preemption' },
    { when: 'its node is lost', status: running(), budget: 'preemption', lost: ['node-1'] },
  ])('counts a driver whose Pod is gone against $budget when $when', ({ status, budget, ...more }) => {
    const after = statusAfter({ status, ...more });
    expect(after.ended).toMatchObject([{ reason: 'DriverDeleted', budget, pod: 'clean-1-1-driver', node: 'node-1' }]);
    expect(after).toMatchObject({ attempt: 2, nextAttemptTime: at(10) });
  });

  it('that is deleted counts against the same budget if the end of its program is seen before', () => {
    const status = statusAfter({ status: running(), pods: [driver({ isEnding: true, state: ended(143) })] });
    expect(status.ended).toMatchObject([{ reason: 'DriverDeleted', budget: 'preemption', exitCode: 143 }]);
  });
});

describe('a job that has ended', () => {
  it.each([
    { what: 'an edit', seen: { spec: { args: ['x'] }, generation: 2 } },
    { what: 'a suspension', seen: { spec: { suspend: true }, generation: 2 } },
    { what: 'the deletion of its driver', seen: { pods: [] } },
    { what: 'a deadline', seen: { spec: { activeDeadline: '1m' }, seconds: 9_999 } },
    { what: 'a driver that another user runs', seen: { pods: [driver({ attempt: '1-2' })] } },
  ])('stays as it is after $what', ({ seen }) => {
    const status = statusAfter({ status: running(), pods: [succeeded()] });
    expect(statusAfter({ status, pods: [succeeded()], ...seen })).toEqual(status);
    expect(planned({ status, pods: [succeeded()], ...seen }).creates).toBe(false);
  });

  it('keeps the reason of its failure', () => {
    const spec = { retry: { budgets: { run: 0 } } };
    const { status, conditions } = assessed({ spec, status: running({}, spec), pods: [failed(1)] });
    const condition = { type: 'Running', status: 'False', lastTransitionTime: at(0), ...conditions.Running };
    const kept = { ...status, conditions: [condition] } as SparkJobStatus;
    const later = assessed({ spec, status: kept, pods: [] });
    expect(later.conditions.Running).toEqual(conditions.Running);
    expect(later.conditions.Running?.reason).toBe('BudgetSpent');
    expect(later.conditions.Submitted?.reason).toBe('Completed');
    expect(later.events).toEqual([]);
  });
});
