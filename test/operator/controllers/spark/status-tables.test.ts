import { describe, expect, it } from 'vitest';
import { tableLines } from '../../../../cli/status/report-lines.js';
import type { SparkJobResource, SparkJobStatus } from '../../../../imports/index.js';
import { metrics } from '../../../../operator/controllers/spark/metrics.js';
import { statusTables } from '../../../../operator/controllers/spark/status-tables.js';
import { assessed, backingOff, outcomeOf, running, statusAfter } from './given-job.js';
import { at, driver, executor, failed, now, succeeded } from './given-pods.js';

const resourceWith = (status: object | undefined) => {
  const { resource } = outcomeOf(status === undefined ? {} : { status });
  return resource as SparkJobResource;
};
const tables = (status?: object) => statusTables({ resource: resourceWith(status), objects: [], now }).map(tableLines);
const cells = (line = '') => line.split(/ {2,}/);

describe('the tables of a SparkJob', () => {
  const retrying = statusAfter({ status: running(), pods: [failed(1, { message: 'ValueError: bad' })] });

  it('are the job, and the attempts that have ended', () => {
    const [job = [], attempts = []] = tables({ ...retrying, nextAttemptTime: at(30) });
    expect(cells(job[0])).toEqual([
      'STATE',
      'ATTEMPT',
      'EXECUTORS',
      'DRIVER',
      'NODE',
      'RETRIES',
      'NEXT ATTEMPT',
      'DURATION',
    ]);
    expect(cells(job[1])).toEqual([retrying.state, '2/4', '0/2', '-', '-', '1 run', 'in 30s', '-']);
    expect(cells(attempts[0])).toEqual(['ENDED', 'POD', 'EXIT', 'REASON', 'BUDGET', 'MESSAGE']);
    expect(cells(attempts[1])).toEqual(['10s ago', 'clean-1-1-driver', '1', 'Error', 'run', 'ValueError: bad']);
  });

  it('have the driver and the executors that run', () => {
    const pods = [driver(), executor(1), executor(2, { phase: 'Pending' }), executor(3, { isEnding: true })];
    const [job = []] = tables(statusAfter({ status: running(), pods }));
    expect(cells(job[1]).slice(0, 5)).toEqual(['Running', '1/4', '1/2', 'clean-1-1-driver', 'node-1']);
  });

  it('have the duration of a job that has ended, and no executors', () => {
    const status = statusAfter({ status: running(), pods: [succeeded(), executor(1)] });
    const [job = []] = tables(status);
    expect(cells(job[1])).toEqual(['Succeeded', '1/4', '-', 'clean-1-1-driver', 'node-1', '-', '-', '40s']);
  });

  it('are empty before the operator has written a status, and cut long messages', () => {
    expect(tables()[1]).toEqual([]);
    const message = 'x'.repeat(500);
    const ended = [{ run: 1, attempt: 1, pod: 'p', endTime: at(0), message }];
    expect(tables({ ended })[1]?.[1]).toMatch(/ x{100}$/);
  });
});

describe('the metrics of a SparkJob', () => {
  const metricOf = (name: keyof typeof metrics, status?: Partial<SparkJobStatus>) =>
    metrics[name].valueFrom(resourceWith(status));

  it('are its attempts, its retries and failures, its executors and its times', () => {
    const status = statusAfter({ status: running(), pods: [failed(1)] });
    expect(metricOf('reconstruct_spark_attempt', status)).toBe(2);
    expect(metricOf('reconstruct_spark_retries', status)).toEqual({ run: 1 });
    expect(metricOf('reconstruct_spark_failures', status)).toEqual({ Error: 1 });
    expect(metricOf('reconstruct_spark_executors', { executors: '3/4' })).toBe(3);
    expect(metricOf('reconstruct_spark_start_time_seconds', status)).toBe(now / 1_000 - 50);
    const over = statusAfter({ status: running(), pods: [succeeded()] });
    expect(metricOf('reconstruct_spark_duration_seconds', over)).toBe(40);
    expect(metricOf('reconstruct_spark_duration_seconds', status)).toBeUndefined();
  });

  it('are absent before there is a status', () => {
    for (const name of ['attempt', 'retries', 'executors', 'start_time_seconds', 'duration_seconds'] as const)
      expect(metricOf(`reconstruct_spark_${name}`)).toBeUndefined();
    expect(metricOf('reconstruct_spark_failures')).toEqual({});
  });
});

describe('the conditions of a job that runs', () => {
  const marks = (seen: Parameters<typeof assessed>[0]) => {
    const { Running, Submitted } = assessed({ status: running(), ...seen }).conditions;
    return [Submitted?.reason, Running?.reason, Running?.message];
  };
  const idle = running({ idleTime: at(-60) });

  it.each([
    { when: 'its executors run', seen: { pods: [driver(), executor(1)] }, expected: ['Running', undefined] },
    {
      when: 'an executor is Pending',
      seen: { status: idle, pods: [driver(), executor(1, { phase: 'Pending' })] },
      expected: ['ExecutorsStarting', 'No executor of 2 runs: Pod clean-1-1-exec-1 is Pending'],
    },
    {
      when: 'an executor has failed',
      seen: { status: idle, pods: [driver(), executor(1, { failure: 'OSError: full' })] },
      expected: [
        'ExecutorsStarting',
        'No executor of 2 runs: Pod clean-1-1-exec-1 failed: OSError: full (exit code 1)',
      ],
    },
    {
      when: 'there is no executor',
      seen: { status: idle, pods: [driver()] },
      expected: ['ExecutorsStarting', 'No executor of 2 runs: the driver has created none'],
    },
    {
      when: 'its image has another release of Spark',
      seen: { pods: [driver(), executor(1, { version: '3.5.9' })] },
      expected: ['VersionMismatch', 'The executors run Spark 3.5.9, and version is 4.3'],
    },
    {
      when: 'its SparkContext is stopped',
      seen: { pods: [driver({ isListening: false })] },
      expected: ['ExitPending', undefined],
    },
    {
      when: 'its node does not answer',
      seen: { pods: [driver(), executor(1)], lost: ['node-1'] },
      expected: [
        'DriverUnknown',
        'Node node-1 of the driver does not answer; the next attempt starts when Pod clean-1-1-driver is gone',
      ],
    },
  ])('say so when $when', ({ seen, expected }) => {
    expect(marks(seen)).toEqual(['DriverRunning', ...expected]);
  });

  it('remember when the SparkContext began, and since when no executor runs', () => {
    const fresh = running({ contextTime: undefined });
    expect(statusAfter({ status: fresh, pods: [driver()] })).toMatchObject({ contextTime: at(0), idleTime: at(0) });
    expect(statusAfter({ status: fresh, pods: [driver({ isListening: false })] })).not.toHaveProperty('contextTime');
    const stopped = statusAfter({ status: running(), pods: [driver({ isListening: false })] });
    expect(stopped).toMatchObject({ contextEndTime: at(0) });
    expect(stopped).not.toHaveProperty('idleTime');
    expect(statusAfter({ status: stopped, pods: [driver(), executor(1)] })).not.toHaveProperty('contextEndTime');
    const first = running({ contextEndTime: at(-9), idleTime: at(-9) });
    expect(statusAfter({ status: first, pods: [driver({ isListening: false })] }).contextEndTime).toBe(at(-9));
    expect(statusAfter({ status: { ...first, contextEndTime: undefined } as never, pods: [driver()] }).idleTime).toBe(
      at(-9),
    );
  });

  it('begin with an event when the driver starts, once', () => {
    const { driver: _, startTime: __, ...fresh } = running();
    const { events, status } = assessed({ status: fresh, pods: [driver()] });
    const note = 'Attempt 1 of run 1 started in Pod clean-1-1-driver';
    expect(events).toEqual([{ type: 'Normal', reason: 'DriverStarted', note }]);
    expect(status).toMatchObject({ startTime: at(-50) });
    expect(assessed({ status: status as SparkJobStatus, pods: [driver()] }).events).toEqual([]);
  });

  it('wait without a driver while the next attempt backs off', () => {
    expect(statusAfter({ status: backingOff(), pods: [failed(1)] }).state).toBe('WaitingForRetry');
  });
});
