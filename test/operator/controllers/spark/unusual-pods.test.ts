import { describe, expect, it } from 'vitest';
import { assessed, backingOff, planned, running, statusAfter } from './given-job.js';
import { at, driver, ended, executor, failed, uid } from './given-pods.js';

const young = { startTime: undefined, contextTime: undefined } as const;
const seen = { pod: 'clean-1-1-driver', uid: `uid of clean-1-1-driver of ${uid}` } as const;

describe('a driver whose kubelet reports unusual times', () => {
  it('has ended, if its node no longer knows when', () => {
    const state = ended(137, { reason: 'ContainerStatusUnknown', startedAt: null, finishedAt: null });
    const status = statusAfter({ status: running(), pods: [driver({ phase: 'Failed', state })] });
    expect(status).toMatchObject({ attempt: 2, ended: [{ budget: 'preemption', endTime: at(0) }] });
  });

  it('has not begun, if its container could not be started', () => {
    const state = ended(128, { reason: 'StartError', startedAt: '1970-01-01T00:00:00Z' });
    const status = running({ ...young, attempt: 2, driver: seen, retries: retried({ submission: 1 }) });
    const after = statusAfter({ status, pods: [driver({ attempt: '1-2', phase: 'Failed', state })] });
    expect(after).toMatchObject({ attempt: 3, retries: { failures: 2, used: { submission: 2 } } });
    expect(after.startTime).toBeUndefined();
  });

  it('started with its Pod, if the clock of its node is behind', () => {
    const pods = [driver({ created: -10, state: { running: { startedAt: at(-100) } } })];
    const spec = { activeDeadline: '1m' };
    expect(statusAfter({ spec, status: running({ ...young, driver: seen }, spec), pods })).toMatchObject({
      state: 'Running',
      startTime: at(-10),
    });
  });

  it('waits for the whole backoff, if the clock of its node is behind', () => {
    const { nextAttemptTime } = statusAfter({ status: running(), pods: [failed(1, { finishedAt: at(-3_600) })] });
    expect(nextAttemptTime).toBe(at(-50));
  });

  it('is counted, if the status has a time that is none', () => {
    const status = running({ nextAttemptTime: 'soon', contextTime: 'now' });
    expect(statusAfter({ status, pods: [failed(1)] })).toMatchObject({ attempt: 2 });
  });
});

const retried = (used: Readonly<Record<string, number>>) => ({ counted: 1, failures: 1, used, memory: {} });

describe('a driver with long words', () => {
  it('is stopped with as many of them as the status can have', () => {
    const state = { waiting: { reason: 'ErrImagePull', message: 'x'.repeat(3_000) } };
    const status = running({ ...young, driver: seen });
    const after = statusAfter({ status, pods: [driver({ created: -700, phase: 'Pending', state })] });
    expect(after.stopping).toMatchObject({ reason: 'DriverNotStarted' });
    expect(Buffer.byteLength(after.stopping?.message ?? '')).toBe(1_000);
  });
});

describe('a driver whose readiness says nothing', () => {
  it('has not stopped its SparkContext while executors run', () => {
    const status = running({ contextTime: at(-400), contextEndTime: at(-301) });
    const { stopping, contextEndTime } = statusAfter({
      status,
      pods: [driver({ isListening: false }), executor(1), executor(2)],
    });
    expect({ stopping, contextEndTime }).toEqual({ stopping: undefined, contextEndTime: undefined });
  });

  it('starts while its first executor is Pending', () => {
    const pods = [driver({ isListening: false }), executor(1, { phase: 'Pending' })];
    const { conditions } = assessed({ status: running({ contextTime: undefined }), pods });
    expect(conditions.Running?.reason).toBe('ExecutorsStarting');
  });
});

describe('a driver on a node that is lost before it starts', () => {
  const state = { waiting: { reason: 'ContainerCreating' } };
  const pods = [driver({ created: -7_000, phase: 'Pending', state })];
  const lost = { status: running({ ...young, driver: seen }), pods, lost: ['node-1'] };

  it('is waited for, and its node is named', () => {
    const { conditions, status } = assessed(lost);
    expect(status).toMatchObject({ attempt: 1 });
    expect(conditions.Running).toMatchObject({ reason: 'DriverUnknown', message: expect.stringContaining('node-1') });
    expect(conditions.Submitted).toMatchObject({ reason: 'OtherDriver', message: expect.stringContaining('node-1') });
  });
});

describe('an edit', () => {
  const edited = { generation: 2, spec: { args: ['2'], retry: { budgets: { run: 0, submission: 0 } } } };

  it('begins the next run, if the driver failed before it was stopped', () => {
    const after = statusAfter({ ...edited, status: running(), pods: [failed(1)] });
    expect(after).toMatchObject({ run: 2, attempt: 1, ended: [{ run: 1, exitCode: 1 }] });
  });

  it('begins the next run, if it comes while a driver is stopped that did not start', () => {
    const stopping = { reason: 'DriverNotStarted', message: 'why', time: at(-1) } as const;
    const after = statusAfter({ ...edited, status: running({ ...young, driver: seen, stopping }), pods: [] });
    expect(after).toMatchObject({ run: 2, attempt: 1 });
  });
});

describe('a driver without its owner', () => {
  it('still is the driver of the attempt', () => {
    const pods = [driver({ owner: 'none' })];
    const status = running({ driver: { ...seen, uid: 'uid of clean-1-1-driver of none' } });
    expect(statusAfter({ status, pods })).toMatchObject({ state: 'Running', attempt: 1 });
  });
});

describe('injected containers', () => {
  const sidecar = { name: 'istio-proxy', ready: true, restartCount: 0, image: 'proxy', state: { running: {} } };

  it('of an earlier driver have a minute, and then give their room back', () => {
    const pods = [failed(1, { finishedAt: at(0) }, { phase: 'Running', others: [sidecar] })];
    const status = backingOff({ nextAttemptTime: at(600) });
    expect(planned({ status, pods, seconds: 59 }).left).toEqual(['clean-1-1-driver']);
    expect(planned({ status, pods, seconds: 60 }).left).toEqual([]);
    expect(assessed({ status, pods, seconds: 59 }).requeueAfter).toBe(1_000);
  });
});

describe('a driver that is gone', () => {
  it('gives no budget back, however long no operator ran', () => {
    const status = running({
      attempt: 2,
      driver: { ...seen, startTime: at(-90_000) },
      retries: retried({ preemption: 1 }),
    });
    expect(statusAfter({ status, pods: [] }).retries?.used).toEqual({ preemption: 2 });
  });
});
