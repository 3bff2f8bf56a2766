import { describe, expect, it } from 'vitest';
import type { LivePod } from '../../../../operator/runtime/index.js';
import { assessed, running, statusAfter } from './given-job.js';
import { at, driver, ended, executor, failed, succeeded, waiting } from './given-pods.js';

const disrupted = (reason: string) => ({ type: 'DisruptionTarget', status: 'True', reason });
const sidecar = (state: object) => ({ name: 'istio-proxy', image: 'proxy:1', state });

describe('a job whose driver has ended with the exit code 0', () => {
  it.each<{ when: string; pod: LivePod }>([
    { when: 'its Pod has succeeded', pod: succeeded() },
    {
      when: 'an injected container still runs',
      pod: driver({ state: ended(0), others: [sidecar({ running: {} })] }),
    },
    {
      when: 'an injected container has failed, and the Pod with it',
      pod: driver({ phase: 'Failed', state: ended(0), others: [sidecar({ terminated: { exitCode: 1 } })] }),
    },
    {
      when: 'the Pod was being evicted',
      pod: driver({ phase: 'Failed', state: ended(0), conditions: [disrupted('EvictionByEvictionAPI')] }),
    },
    { when: 'the Pod is being deleted', pod: driver({ isEnding: true, state: ended(0) }) },
    { when: 'executors exceeded their memory on the way', pod: succeeded() },
  ])('has succeeded when $when', ({ when, pod }) => {
    const executors = when.startsWith('executors') ? [executor(1, { isOutOfMemory: true })] : [];
    const { conditions, status } = assessed({ status: running(), pods: [pod, ...executors] });
    expect(conditions.Running?.reason).toBe('Succeeded');
    expect(conditions.Submitted?.reason).toBe('Completed');
    expect(status).toMatchObject({
      ...{ state: 'Succeeded', completionTime: at(-10), exitCode: 0, duration: '40s', durationSeconds: 40 },
      ...{ attempt: 1, retriesUsed: 0, attempts: '1/4' },
      ended: [{ run: 1, attempt: 1, pod: 'clean-1-1-driver', node: 'node-1', startTime: at(-50), endTime: at(-10) }],
    });
    expect(status).not.toHaveProperty('failureCounts');
    expect(status?.ended?.[0]).not.toHaveProperty('budget');
  });
});

interface Failure {
  readonly when: string;
  readonly pods: readonly LivePod[];
  readonly budget: string;
  readonly reason: string | undefined;
  readonly exitCode?: number;
  readonly message?: string;
}

const tooMuch = 'The memory limit of the driver was exceeded';
const failures: readonly Failure[] = [
  {
    when: 'its program raises',
    pods: [failed(1, { message: 'ValueError: no such column\n' })],
    ...{ budget: 'run', reason: 'Error', exitCode: 1, message: 'ValueError: no such column' },
  },
  {
    when: 'its program exits without a word',
    pods: [failed(3)],
    ...{ budget: 'run', reason: 'Error', exitCode: 3 },
  },
  {
    when: 'its class is not in the JAR file',
    pods: [failed(101, { message: 'Error: Failed to load class no.Such.\n' })],
    ...{ budget: 'run', reason: 'Error', exitCode: 101, message: 'Error: Failed to load class no.Such.' },
  },
  {
    when: 'it was killed, whatever it wrote last',
    pods: [failed(137, { message: '26/11/30 12:00:00 INFO task 3' })],
    ...{ budget: 'run', reason: 'Error', exitCode: 137 },
  },
  {
    when: 'it exceeded its memory, whatever it wrote last',
    pods: [failed(137, { reason: 'OOMKilled', message: '26/11/30 12:00:00 INFO task 3' })],
    ...{ budget: 'run', reason: 'OOMKilled', exitCode: 137, message: tooMuch },
  },
  {
    when: 'its executors failed too often',
    pods: [failed(11, { message: '26/11/30 12:00:00 ERROR Max number of executor failures (4) reached' })],
    ...{ budget: 'run', reason: 'ExecutorsFailed', exitCode: 11 },
    message: 'Executors have failed more often than spark.executor.maxNumFailures allows',
  },
  {
    when: 'its executors failed too often, of which one is still there',
    pods: [failed(11), executor(1), executor(2, { failure: 'java.io.IOException: disk full\n' })],
    ...{ budget: 'run', reason: 'ExecutorsFailed', exitCode: 11 },
    message:
      'Executors have failed more often than spark.executor.maxNumFailures allows. Pod clean-1-1-exec-2 failed: java.io.IOException: disk full (exit code 1)',
  },
  {
    when: 'an executor exceeded its memory',
    pods: [failed(1, { message: 'SparkException: Job aborted' }), executor(1, { isOutOfMemory: true }), executor(2)],
    ...{ budget: 'run', reason: 'OOMKilled', exitCode: 1 },
    message: 'An executor exceeded the memory limit: SparkException: Job aborted',
  },
  {
    when: 'two executors exceeded their memory, and others did so in an earlier attempt',
    pods: [
      failed(11),
      ...[1, 2].map((number) => executor(number, { isOutOfMemory: true })),
      executor(3, { isOutOfMemory: true, attempt: '1-2' }),
    ],
    ...{ budget: 'run', reason: 'OOMKilled', exitCode: 11 },
    message:
      '2 executors exceeded the memory limit: Executors have failed more often than spark.executor.maxNumFailures allows',
  },
  {
    when: 'its node evicted it',
    pods: [
      driver({ phase: 'Failed', state: ended(143), reason: 'Evicted', message: 'The node was low on memory' }),
      executor(1, { isOutOfMemory: true }),
    ],
    ...{ budget: 'preemption', reason: 'Evicted', exitCode: 143, message: 'The node was low on memory' },
  },
  {
    when: 'it was evicted for a drain',
    pods: [driver({ phase: 'Failed', state: ended(143), conditions: [disrupted('EvictionByEvictionAPI')] })],
    ...{ budget: 'preemption', reason: 'DisruptionTarget', exitCode: 143, message: 'EvictionByEvictionAPI' },
  },
  {
    when: 'it was evicted for a drain, which deletes its Pod',
    pods: [
      driver({ phase: 'Failed', isEnding: true, state: ended(143), conditions: [disrupted('EvictionByEvictionAPI')] }),
    ],
    ...{ budget: 'preemption', reason: 'DisruptionTarget', exitCode: 143, message: 'EvictionByEvictionAPI' },
  },
  {
    when: 'a user deleted its Pod while it ran',
    pods: [driver({ isEnding: true, state: ended(143) })],
    ...{ budget: 'preemption', reason: 'DriverDeleted', exitCode: 143 },
    message: 'The Pod of the driver was deleted while it ran',
  },
  {
    when: 'it had failed before a user deleted its Pod',
    pods: [failed(2, { finishedAt: at(-21), message: 'ValueError: bad' }, { isEnding: true })],
    ...{ budget: 'run', reason: 'Error', exitCode: 2, message: 'ValueError: bad' },
  },
  {
    when: 'a Pod with a higher priority took its place',
    pods: [driver({ phase: 'Failed', state: ended(137), reason: 'Preempting' })],
    ...{ budget: 'preemption', reason: 'Preempting', exitCode: 137, message: 'The Pod was disrupted' },
  },
  ...['NodeShutdown', 'Shutdown', 'Terminated', 'NodeLost'].map((reason) => ({
    when: `its node was shut down or lost (${reason})`,
    pods: [
      driver({
        phase: 'Failed',
        state: ended(137),
        reason,
        message: 'Pod was terminated in response to imminent node shutdown.',
      }),
    ],
    ...{ budget: 'preemption', reason, exitCode: 137 },
    message: 'Pod was terminated in response to imminent node shutdown.',
  })),
  {
    when: 'its node was restarted, and the kubelet no longer knows how it ended',
    pods: [failed(137, { reason: 'ContainerStatusUnknown', finishedAt: undefined })],
    ...{ budget: 'preemption', reason: 'ContainerStatusUnknown', exitCode: 137, message: 'The Pod was disrupted' },
  },
  {
    when: 'Kubernetes found its node deleted, with the container as it was',
    pods: [driver({ phase: 'Failed', conditions: [disrupted('DeletionByPodGC')] })],
    ...{ budget: 'preemption', reason: 'DisruptionTarget', message: 'DeletionByPodGC' },
  },
  {
    when: 'its node did not admit it, so it has no status of a container',
    pods: [
      driver({
        phase: 'Failed',
        state: null,
        reason: 'OutOfcpu',
        message: 'Pod was rejected: Node did not have enough resource: cpu',
      }),
    ],
    ...{
      budget: 'submission',
      reason: 'OutOfcpu',
      message: 'Pod was rejected: Node did not have enough resource: cpu',
    },
  },
  {
    when: 'its Pod has failed and says nothing at all',
    pods: [driver({ phase: 'Failed', state: null })],
    ...{ budget: 'submission', reason: undefined, message: 'The Pod has failed before its container started' },
  },
];

it('a job whose Pod has succeeded without a status of its container has succeeded now', () => {
  const status = statusAfter({ status: running(), pods: [driver({ phase: 'Succeeded', state: null })] });
  expect(status).toMatchObject({ state: 'Succeeded', completionTime: at(0) });
});

describe('an attempt has failed', () => {
  it.each(failures)('against the budget $budget when $when', ({ pods, budget, reason, exitCode, message }) => {
    const status = statusAfter({ status: running({}), pods });
    expect(status.ended).toHaveLength(1);
    const [attempt] = status.ended ?? [];
    expect(attempt).toMatchObject({ run: 1, attempt: 1, pod: 'clean-1-1-driver', budget });
    expect([attempt?.reason, attempt?.exitCode]).toEqual([reason, exitCode]);
    expect(attempt?.message).toBe(message);
    expect(status).toMatchObject({ attempt: 2, retriesUsed: 1, retries: { counted: 1, used: { [budget]: 1 } } });
    expect(status.failureCounts).toEqual([{ reason: reason ?? 'Error', count: 1 }]);
    expect(status).not.toHaveProperty('driver');
  });

  it('with an executor that exceeded its memory and is gone when the driver ends', () => {
    const alive = statusAfter({
      status: running(),
      pods: [driver(), executor(1, { isOutOfMemory: true }), executor(2)],
    });
    expect(alive.executorsKilled).toBe(1);
    const { ended: [attempt] = [], ...status } = statusAfter({ status: alive, pods: [failed(1)] });
    expect(attempt).toMatchObject({ reason: 'OOMKilled', budget: 'run' });
    expect(status).not.toHaveProperty('executorsKilled');
  });

  it.each([
    { when: 'shortly before', seconds: -610, reason: 'OOMKilled', budget: { executor: { factor: 2 } } },
    { when: 'so long before that Spark went on', seconds: -611, reason: 'Error', budget: {} },
  ])('for the memory of an executor only if it was killed $when: $reason', ({ seconds, reason, budget }) => {
    const spec = { retry: { rules: [{ when: { reason: ['OOMKilled'] }, do: 'Retry', with: { memoryFactor: 2 } }] } };
    const status = running({ executorsKilled: 1, executorKilledTime: at(seconds) }, spec);
    const next = statusAfter({ spec, status, pods: [failed(1)] });
    expect(next.ended).toMatchObject([{ reason, budget: 'run' }]);
    expect(next.retries?.memory).toEqual(budget);
  });

  it('at the time of its end, and not at a time that the clock of a node has in the future', () => {
    expect(statusAfter({ status: running(), pods: [failed(1)] })).toMatchObject({
      ended: [{ endTime: at(-10) }],
      nextAttemptTime: at(0),
    });
    const ahead = failed(1, { finishedAt: at(100) });
    expect(statusAfter({ status: running(), pods: [ahead] })).toMatchObject({
      ended: [{ endTime: at(0) }],
      nextAttemptTime: at(10),
    });
  });
});

describe('a driver that does not start', () => {
  const unscheduled = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message: '0/3 nodes are available',
  };
  it.each([
    {
      ...{ reason: 'ImageUnavailable', when: 'its image does not exist' },
      pod: waiting('ImagePullBackOff', 'Back-off pulling image "spark:4.3.0": not found'),
      message: 'the image spark:4.3.0 cannot be pulled: Back-off pulling image "spark:4.3.0": not found',
    },
    {
      ...{ reason: 'ContainerNotCreated', when: 'its environment is not there' },
      pod: waiting('CreateContainerConfigError', 'secret "keys" not found'),
      message: 'CreateContainerConfigError: secret "keys" not found',
    },
    {
      ...{ reason: 'Submitting', when: 'no node has room' },
      pod: driver({ phase: 'Pending', state: null, conditions: [unscheduled], node: null }),
      message: 'no node can run the Pod: 0/3 nodes are available',
    },
  ])('is named with the cause when $when', ({ reason, pod, message }) => {
    const { conditions, status } = assessed({ status: running({}), pods: [pod] });
    expect(conditions.Submitted).toEqual({ reason, message: `Pod clean-1-1-driver does not start: ${message}` });
    expect(conditions.Running?.reason).toBe('NotStarted');
    expect(status?.ended).toBeUndefined();
  });

  it('waits without a message while its container is being created', () => {
    const { conditions } = assessed({ status: running({}), pods: [waiting('ContainerCreating', '')] });
    expect(conditions.Submitted).toEqual({ reason: 'Submitting' });
  });
});
