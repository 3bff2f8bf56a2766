import { describe, expect, test } from 'vitest';
import { startingPods } from '../../../../operator/controllers/algorithm/ports/starting-pods.js';
import { hindranceOf, startingPodsFrom } from '../../../../operator/engines/metrics/starting-pods-source.js';
import type { LiveContainer, LivePod, ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { withMost } from './given-large-pods.js';

const calm = { name: 'web', image: 'web:1', ready: false, restartCount: 0 };

type Status = LivePod['status'] & { readonly initContainerStatuses?: readonly LiveContainer[] };

function podWith(container: Partial<LiveContainer> | undefined, status: Status = {}): LivePod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', uid: 'web', resourceVersion: '1' },
    spec: { containers: [{ name: 'web', image: 'web:1' }] },
    status: { ...status, ...(container && { containerStatuses: [{ ...calm, ...container }] }) },
  };
}

const waiting = (reason: string, message?: string) => ({ state: { waiting: { reason, ...(message && { message }) } } });
const ended = (exitCode: number, reason = 'Error') => ({ terminated: { exitCode, reason } });
const crashing = podWith({ ...waiting('CrashLoopBackOff'), lastState: ended(1) });
const unpulled = podWith(waiting('ImagePullBackOff'));
const ready = { conditions: [{ type: 'Ready', status: 'True' as const }] };
const unscheduled = (message?: string) => ({
  conditions: [{ type: 'PodScheduled', status: 'False' as const, ...(message && { message }) }],
});

/** A Pod with a second container, whose status comes first. */
function withSidecar(proxy: Partial<LiveContainer>, web: Partial<LiveContainer>): LivePod {
  const statuses = [
    { ...calm, name: 'proxy', image: 'proxy:1', ...proxy },
    { ...calm, ...web },
  ];
  return podWith(undefined, { containerStatuses: statuses });
}

const now = Date.parse('2030-01-01T00:00:00Z');
const unmounted =
  'its volumes or its network are not ready; check with kubectl describe pod whether each Secret, ConfigMap and volume exists';
const prepared = (status: 'True' | 'False', seconds: number) => ({
  conditions: [
    { type: 'PodReadyToStartContainers', status, lastTransitionTime: new Date(now - seconds * 1_000).toISOString() },
  ],
});
const unmountedFor = (seconds: number) => podWith(waiting('ContainerCreating'), prepared('False', seconds));

describe('line 5: what keeps a pod from being ready', () => {
  test.each<{ why: string; when: string; pod: LivePod }>([
    { why: 'the image web:1 cannot be pulled', when: 'it was tried', pod: podWith(waiting('ErrImagePull')) },
    { why: 'the image web:1 cannot be pulled', when: 'it is tried again later', pod: unpulled },
    { why: 'the container exits with code 1', when: 'it waits for its next start', pod: crashing },
    { why: 'the container exits with code 3', when: 'it has just ended', pod: podWith({ state: ended(3) }) },
    {
      why: 'the container exits with code 1',
      when: 'it was started again',
      pod: podWith({ state: { running: {} }, lastState: ended(1) }),
    },
    {
      why: 'the container exceeds its memory limit',
      when: 'it was killed for that',
      pod: podWith({ ...waiting('CrashLoopBackOff'), lastState: ended(137, 'OOMKilled') }),
    },
    {
      why: 'the container cannot be created: secret "keys" not found',
      when: 'something that it refers to is not there',
      pod: podWith(waiting('CreateContainerConfigError', 'secret "keys" not found')),
    },
    {
      why: 'the container is running but does not pass its probe',
      when: 'it listens elsewhere',
      pod: podWith({ state: { running: {} } }),
    },
    {
      why: 'no node accepts the Pod: 0/3 nodes are available: 3 Insufficient cpu',
      when: 'there is no room',
      pod: podWith(undefined, unscheduled('0/3 nodes are available: 3 Insufficient cpu. preemption: none is helpful.')),
    },
    {
      why: 'no node accepts the Pod: no reason is reported',
      when: 'it waits for a node',
      pod: podWith(undefined, unscheduled()),
    },
    {
      why: 'init container migrate exits with code 2',
      when: 'an init container fails',
      pod: podWith(waiting('PodInitializing'), {
        initContainerStatuses: [{ ...calm, name: 'migrate', ...waiting('CrashLoopBackOff'), lastState: ended(2) }],
      }),
    },
    {
      why: 'init container migrate has not completed',
      when: 'an init container runs',
      pod: podWith(waiting('PodInitializing'), {
        initContainerStatuses: [{ ...calm, name: 'migrate', state: { running: {} } }],
      }),
    },
    {
      why: 'the container exits with code 1',
      when: 'its init container has done its work',
      pod: podWith(
        { ...waiting('CrashLoopBackOff'), lastState: ended(1) },
        { initContainerStatuses: [{ ...calm, name: 'migrate', ready: true, state: ended(0, 'Completed') }] },
      ),
    },
    {
      why: 'the image proxy:1 cannot be pulled',
      when: 'a sidecar has no image',
      pod: withSidecar(waiting('ErrImagePull'), { state: { running: {} }, ready: true }),
    },
    {
      why: 'the container exits with code 1',
      when: 'the main container and a sidecar fail',
      pod: withSidecar(waiting('ErrImagePull'), { state: ended(1) }),
    },
    {
      why: 'container proxy exits with code 4',
      when: 'a sidecar fails',
      pod: withSidecar({ state: ended(4) }, { state: { running: {} }, ready: true }),
    },
    { why: unmounted, when: 'a volume has been missing for 15 s', pod: unmountedFor(15) },
    { why: '', when: 'its volumes are being mounted', pod: unmountedFor(14) },
    {
      why: '',
      when: 'its image is being pulled',
      pod: podWith(waiting('ContainerCreating'), prepared('True', 60)),
    },
    {
      why: 'the image web:1 cannot be pulled',
      when: 'its node lost the network before',
      pod: podWith(waiting('ErrImagePull'), prepared('False', 60)),
    },
    { why: '', when: 'it was evicted', pod: podWith({ state: ended(137) }, { phase: 'Failed' }) },
    { why: '', when: 'its container is being made', pod: podWith(waiting('ContainerCreating')) },
    { why: '', when: 'nobody has looked at it yet', pod: podWith(undefined) },
    { why: '', when: 'it is ready', pod: podWith({ state: { running: {} }, lastState: ended(1) }, ready) },
  ])('is "$why" when $when', ({ why, pod }) => {
    expect(hindranceOf([pod], now)).toEqual({ why });
  });

  test('is that of most pods, and of as many the same each time', () => {
    expect(hindranceOf([unpulled, crashing, unpulled]).why).toContain('cannot be pulled');
    expect(hindranceOf([unpulled, crashing])).toEqual(hindranceOf([crashing, unpulled]));
  });

  test('is not that of one that is on its way out', () => {
    const metadata = { ...crashing.metadata, deletionTimestamp: '2029-01-01T00:00:00Z' };
    expect(hindranceOf([{ ...crashing, metadata }])).toEqual({ why: '' });
  });

  test('is cut where others say much', () => {
    const { why } = hindranceOf([podWith(waiting('CreateContainerError', 'x'.repeat(5000)))]);
    expect(why.length).toBeLessThan(300);
  });
});

test.each([
  { when: 'all at once', through: (cluster: Cluster) => cluster },
  { when: 'R9 R34 one by one, where more are too large to be taken in', through: withMost(1) },
])('pods are looked at by their labels, in one namespace: $when', async ({ through }) => {
  const cluster = new MemoryCluster();
  const podKind: ObjectKind = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
  const given = async (namespace: string, name: string, { spec, status }: LivePod, app = name) => {
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels: { app } }, spec, status };
    for (const part of [{}, { subresource: 'status' }] as const)
      await cluster.apply(podKind, object as unknown as Manifest, { manager: 'somebody', ...part });
  };
  await given('team', 'web', crashing);
  await given('team', 'web-2', crashing, 'web');
  await given('team', 'api', unpulled);
  await given('other', 'web', unpulled);
  const { port, source } = startingPodsFrom(through(cluster));
  expect(port).toBe(startingPods);
  const question = { namespace: 'team', labels: { app: 'web' } };
  const { signal } = new AbortController();
  expect(await source(question as never, { signal })).toEqual({ why: 'the container exits with code 1' });
});
