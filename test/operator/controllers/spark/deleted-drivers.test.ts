import { describe, expect, it } from 'vitest';
import type { SparkJobResource } from '../../../../imports/index.js';
import { isToBeCounted } from '../../../../operator/controllers/spark/pods/protection.js';
import type { LivePod } from '../../../../operator/runtime/index.js';
import { planned, running, statusAfter } from './given-job.js';
import { driver, ended } from './given-pods.js';

const deleted = { isEnding: true, isForced: true } as const;

describe('the Pod of a driver that a user deletes', () => {
  it.each<{ when: string; pod: LivePod; lost?: readonly string[]; reason?: string }>([
    {
      when: 'before a node was chosen for it',
      pod: driver({ isEnding: true, node: null, phase: 'Pending', state: null }),
    },
    {
      when: 'by force on a node that does not answer',
      ...{ pod: driver(deleted), lost: ['node-1'] },
    },
    { when: 'by force on a node that is gone', pod: driver({ ...deleted, node: 'node-9' }) },
    {
      when: 'before its container started, as its kubelet reports',
      pod: driver({ isEnding: true, phase: 'Failed', state: null }),
    },
    {
      when: 'by force after it was evicted from a node that does not answer',
      pod: driver({ ...deleted, conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'Evicting' }] }),
      ...{ lost: ['node-1'], reason: 'DisruptionTarget' },
    },
  ])('has ended $when', ({ pod, lost = [], reason = 'DriverDeleted' }) => {
    const seen = { status: running({ driver: undefined as never }), pods: [pod], lost };
    const status = statusAfter(seen);
    expect(status).toMatchObject({ attempt: 2, ended: [{ attempt: 1, reason, budget: 'preemption' }] });
  });

  it.each<{ when: string; pod: LivePod; lost?: readonly string[] }>([
    { when: 'by force, while its kubelet answers', pod: driver(deleted) },
    { when: 'while its kubelet ends its program', pod: driver({ isEnding: true }) },
    { when: 'while its node does not answer', pod: driver({ isEnding: true }), lost: ['node-1'] },
  ])('may still run when it is deleted $when, so no other driver is created', ({ pod, lost = [] }) => {
    const status = statusAfter({ status: running(), pods: [pod], lost });
    expect(status).toMatchObject({ attempt: 1 });
    expect(planned({ status, pods: [pod], lost })).toMatchObject({ creates: false });
  });

  it('has succeeded by force on a node that does not answer, if its kubelet has reported so before', () => {
    const pod = driver({ ...deleted, state: ended(0) });
    expect(statusAfter({ status: running(), pods: [pod], lost: ['node-1'] })).toMatchObject({ state: 'Succeeded' });
  });
});

describe('the Pod of a driver is kept by a finalizer', () => {
  const current = { run: 2, attempt: 3 };
  it.each([
    { is: true, pod: 'clean-2-3-driver', status: current, when: 'its attempt is the current one' },
    { is: true, pod: 'clean-2-4-driver', status: current, when: 'the status that is seen is older' },
    { is: true, pod: 'clean-3-1-driver', status: current, when: 'the status that is seen is of an earlier run' },
    { is: false, pod: 'clean-2-2-driver', status: current, when: 'a later attempt is the current one' },
    { is: false, pod: 'clean-1-9-driver', status: current, when: 'a later run is the current one' },
    { is: false, pod: 'clean-2-3-driver', status: { ...current, completionTime: 'now' }, when: 'the job has ended' },
    { is: false, pod: 'clean-2-3-driver', status: { run: 2, attempt: 0 }, when: 'the job is suspended' },
    { is: false, pod: 'clean-2-3', status: current, when: 'it is another object' },
    { is: false, pod: 'other-2-3-driver', status: current, when: 'it is of another job' },
  ])('if $when: $is', ({ is, pod, status }) => {
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: pod } };
    expect(isToBeCounted(object, { metadata: { name: 'clean' }, status } as unknown as SparkJobResource)).toBe(is);
  });
});
