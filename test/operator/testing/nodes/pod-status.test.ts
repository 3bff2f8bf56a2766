import { describe, expect, test } from 'vitest';
import { behaviorOf } from '../../../../operator/testing/nodes/container-status.js';
import type { SimulatedPod } from '../../../../operator/testing/nodes/pod-status.js';
import { givenPod, picture, start, stepAt, stepped } from './given-pods.js';

const container = (image: string, name = 'server') => ({ name, image });

test.each([
  ['working', 'server'],
  ['working', 'registry.example.com/team/server:1.0.0'],
  ['slow', 'server:1-slow'],
  ['slow', 'registry.example.com/slow/server:1'],
  ['failing', 'registry.example.com/failing-server@sha256:00'],
  ['missing', 'server:MISSING'],
  ['working', 'server:slower'],
  ['missing', 'slow-failing-missing'],
])('an image is %s: %s', (expected, image) => {
  expect(behaviorOf(image)).toBe(expected);
});

describe('a Pod on a simulated node', () => {
  test.each<[string, number, string, Partial<SimulatedPod['spec']>]>([
    ['1/1 Running [running] Ready', 0, 'the image works', {}],
    ['0/1 Running [running]', 9, 'the image is slow', { containers: [container('a:slow')] }],
    ['1/1 Running [running] Ready', 10, 'the image is slow', { containers: [container('a:slow')] }],
    ['0/1 Running [CrashLoopBackOff]', 0, 'the image fails', { containers: [container('a:failing')] }],
    ['0/1 Pending [ImagePullBackOff]', 0, 'the image is missing', { containers: [container('a:missing')] }],
    [
      '1/2 Running [running CrashLoopBackOff]',
      0,
      'one of two images fails',
      { containers: [container('a'), container('b:failing', 'b')] },
    ],
    ['0/1 Succeeded [Completed]', 0, 'it never restarts', { restartPolicy: 'Never' }],
    ['0/1 Succeeded [Completed]', 0, 'it restarts on failure', { restartPolicy: 'OnFailure' }],
    [
      '0/1 Failed [Error]',
      0,
      'it never restarts and fails',
      { restartPolicy: 'Never', containers: [container('a:failing')] },
    ],
    [
      '0/1 Running [CrashLoopBackOff]',
      0,
      'it restarts on failure and fails',
      { restartPolicy: 'OnFailure', containers: [container('a:failing')] },
    ],
    ['0/1 Running [running]', 9, 'its work is slow', { restartPolicy: 'Never', containers: [container('a:slow')] }],
    [
      '0/1 Succeeded [Completed]',
      10,
      'its work is slow',
      { restartPolicy: 'Never', containers: [container('a:slow')] },
    ],
    [
      '1/1 Running [Completed running] Ready',
      0,
      'it has an init container',
      { initContainers: [container('a', 'init')] },
    ],
    [
      '0/1 Pending [running PodInitializing]',
      9,
      'the init container is slow',
      { initContainers: [container('a:slow', 'init')] },
    ],
    [
      '0/1 Pending [CrashLoopBackOff PodInitializing]',
      0,
      'the init container fails',
      { initContainers: [container('a:failing', 'init')] },
    ],
    [
      '0/1 Failed [Error PodInitializing]',
      0,
      'the init container fails and it never restarts',
      { restartPolicy: 'Never', initContainers: [container('a:failing', 'init')] },
    ],
    [
      '1/1 Running [running running] Ready',
      0,
      'it has a sidecar',
      { initContainers: [{ ...container('a', 'sidecar'), restartPolicy: 'Always' }] },
    ],
    [
      '1/1 Running [running]',
      0,
      'a readiness gate is not open',
      { readinessGates: [{ conditionType: 'example.com/gate' }] },
    ],
  ])('is %s after %i s when %s', (expected, seconds, _, spec) => {
    const started = stepped(givenPod(spec));
    const pod = stepped(started, seconds);
    expect(picture(pod)).toBe(expected);
    expect(stepAt(pod, seconds).act).toBeUndefined();
  });

  test('becomes ready when a readiness gate is opened, whose condition stays', () => {
    const pod = stepped(givenPod({ readinessGates: [{ conditionType: 'example.com/gate' }] }));
    const gate = { type: 'example.com/gate', status: 'True' } as const;
    const opened = { ...pod, status: { ...pod.status, conditions: [gate, ...(pod.status?.conditions ?? [])] } };
    expect(picture(stepped(opened))).toBe('1/1 Running [running] Ready');
    expect(stepped(opened).status?.conditions?.[0]).toMatchObject(gate);
  });

  test('has addresses and a start time, and keeps them', () => {
    const pod = stepped(givenPod());
    const expected = { hostIP: '10.64.0.1', podIP: '10.128.0.1', podIPs: [{ ip: '10.128.0.1' }] };
    expect(pod.status).toMatchObject({ ...expected, startTime: '2026-01-01T00:00:00Z' });
    const { act } = stepAt({ ...pod, spec: { ...pod.spec, containers: [container('a:failing')] } }, 5);
    expect(act).toMatchObject({ report: { ...expected, startTime: '2026-01-01T00:00:00Z' } });
  });

  test('keeps the time of a condition whose status stays the same', () => {
    const slow = stepped(givenPod({ containers: [container('a:slow')] }));
    const times = Object.fromEntries(
      (stepped(slow, 10).status?.conditions ?? []).map(({ type, lastTransitionTime }) => [type, lastTransitionTime]),
    );
    expect(times).toMatchObject({
      PodScheduled: '2025-12-31T00:00:00Z',
      Initialized: '2026-01-01T00:00:00Z',
      Ready: '2026-01-01T00:00:10Z',
    });
  });

  test.each([
    [10_000, 0, 'slow'],
    [1_000, 9, 'slow'],
    [undefined, 10, 'slow'],
    [undefined, 0, 'working'],
  ])('is looked at again after %s ms at %i s for a %s image', (expected, seconds, tag) => {
    const pod = stepped(givenPod({ containers: [container(`a:${tag}`)] }));
    expect(stepAt(pod, seconds).recheckAfter).toBe(expected);
  });
});

describe('a Pod that is being deleted', () => {
  const deleting = { deletionTimestamp: new Date(start).toISOString(), deletionGracePeriodSeconds: 30 };
  const held = { ...deleting, finalizers: ['batch.kubernetes.io/job-tracking'] };

  test('is deleted at once', () => {
    expect(stepAt(givenPod({}, deleting))).toEqual({ act: 'delete' });
  });

  test('fails first if it has a finalizer', () => {
    const pod = stepped(givenPod({}, held));
    expect(picture(pod)).toBe('0/1 Failed [Error]');
    expect(stepAt(pod)).toEqual({ act: 'delete' });
  });

  test('is left to its finalizers after that', () => {
    expect(stepAt(givenPod({}, { ...held, deletionGracePeriodSeconds: 0 }))).toEqual({});
  });
});
