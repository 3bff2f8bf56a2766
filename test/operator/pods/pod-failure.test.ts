import { expect, test } from 'vitest';
import { podFailureOf } from '../../../operator/pods/pod-failure.js';
import type { LiveContainer, LivePod } from '../../../operator/runtime/index.js';
import { live } from '../../given.js';

const pod = (status: LivePod['status']): LivePod =>
  live({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'orders-1' },
    spec: { containers: [] },
    ...(status && { status }),
  });
const container = (changes: Partial<LiveContainer>): LivePod =>
  pod({ containerStatuses: [{ name: 'postgres', ready: false, restartCount: 1, image: 'pg:16', ...changes }] });
const ended = { exitCode: 1, message: 'the init SQL failed\n' };

test.each<{ said: string | undefined; when: string; is: LivePod }>([
  { said: undefined, when: 'it is new', is: pod(undefined) },
  { said: undefined, when: 'it is being made', is: container({ state: { waiting: { reason: 'ContainerCreating' } } }) },
  { said: undefined, when: 'it runs', is: container({ state: { running: {} } }) },
  {
    said: 'no node can run the Pod: 0/3 nodes are available',
    when: 'there is no room',
    is: pod({ conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }] }),
  },
  ...['ErrImagePull', 'ImagePullBackOff'].map((reason) => ({
    said: 'container postgres: the image pg:16 cannot be pulled; fix spec.image, or spec.podTemplate.imagePullSecrets if the registry requires credentials',
    when: `its image is not there (${reason})`,
    is: container({ state: { waiting: { reason, message: 'Back-off pulling image' } } }),
  })),
  {
    said: 'container postgres: exited with code 1, the init SQL failed',
    when: 'it has ended',
    is: container({ state: { terminated: ended } }),
  },
  {
    said: 'container postgres: exited with code 1, the init SQL failed',
    when: 'it waits to start again: how long is no news',
    is: container({
      state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting' } },
      lastState: { terminated: ended },
    }),
  },
  {
    said: 'container postgres: the init SQL failed',
    when: 'Patroni gave up, which ends with 0',
    is: container({ state: { terminated: { ...ended, exitCode: 0 } } }),
  },
  {
    said: 'container postgres: exited with code 0',
    when: 'it has ended without a word',
    is: container({ state: { terminated: { exitCode: 0, message: '\n' } } }),
  },
  {
    said: 'container postgres: CreateContainerConfigError, secret "x" not found',
    when: 'it cannot be made',
    is: container({ state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "x" not found' } } }),
  },
])('a pod says $said when $when', ({ said, is }) => {
  expect(podFailureOf(is)).toBe(said);
});

test('a Pod whose image cannot be pulled names the field of its template', () => {
  const is = container({ state: { waiting: { reason: 'ErrImagePull' } } });
  expect(podFailureOf(is, 'spec.brokers.podTemplate')).toContain('or spec.brokers.podTemplate.imagePullSecrets if');
});
