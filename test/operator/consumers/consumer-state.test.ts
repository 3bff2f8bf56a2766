import { describe, expect, it } from 'vitest';
import { contentHash, hashAnnotation } from '../../../operator/consumers/annotation.js';
import { type LiveWorkload, workloadState } from '../../../operator/consumers/consumer-state.js';
import { workloadsOf } from '../../../operator/consumers/workloads.js';

const annotation = hashAnnotation('orders-login');
const rolled = { metadata: { annotations: { [annotation]: 'new' } } };
const meta = { name: 'shop', namespace: 'shop', uid: 'uid', resourceVersion: '1', generation: 2 };
const live = (kind: string, spec: object, status?: object, metadata: object = {}) =>
  ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { ...meta, ...metadata },
    spec: { template: rolled, ...spec },
    status,
  }) as unknown as LiveWorkload;

const done = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
const revisions = { currentRevision: 'b', updateRevision: 'b' };
const three = { replicas: 3 };
const failing = { type: 'Progressing', status: 'False', message: 'ReplicaSet "shop-b" has timed out progressing.' };

const onDelete = (status: object) =>
  live(
    'StatefulSet',
    { ...three, updateStrategy: { type: 'OnDelete' } },
    {
      ...{ observedGeneration: 2, replicas: 3, availableReplicas: 3 },
      ...{ currentRevision: 'shop-6dc7974c4c', updateRevision: 'shop-6dd97f8fc4', ...status },
    },
  );

describe('the state of a consumer', () => {
  it.each<{ phase: string; when: string; of: LiveWorkload | undefined; why?: string }>([
    { phase: 'Missing', when: 'does not exist', of: undefined },
    { phase: 'Missing', when: 'is being deleted', of: live('Deployment', three, done, { deletionTimestamp: 'now' }) },
    { phase: 'Outdated', when: 'was never rolled', of: live('Deployment', { ...three, template: {} }, done) },
    {
      phase: 'Outdated',
      when: 'was rolled for earlier content',
      of: live('Deployment', { template: { metadata: { annotations: { [annotation]: 'old' } } } }, done),
    },
    { phase: 'Current', when: 'is rolled out', of: live('Deployment', three, done) },
    { phase: 'RollingOut', when: 'has no status', of: live('Deployment', three) },
    {
      phase: 'RollingOut',
      when: 'has the status of an earlier template',
      of: live('Deployment', three, { ...done, observedGeneration: 1 }),
    },
    { phase: 'RollingOut', when: 'still has an earlier Pod', of: live('Deployment', three, { ...done, replicas: 4 }) },
    {
      phase: 'RollingOut',
      when: 'has a Pod that is not available',
      of: live('Deployment', three, { ...done, availableReplicas: 2 }),
    },
    { phase: 'Current', when: 'has no Pods', of: live('Deployment', { replicas: 0 }, { observedGeneration: 2 }) },
    {
      phase: 'Failed',
      when: 'does not come up in its time',
      of: live('Deployment', three, { ...done, availableReplicas: 2, conditions: [failing] }),
      why: 'Deployment shop does not become available: ReplicaSet "shop-b" has timed out progressing.',
    },
    {
      phase: 'Failed',
      when: 'is paused',
      of: live('Deployment', { ...three, paused: true }, { ...done, updatedReplicas: 0 }),
      why: 'Deployment shop is paused; resume its rollout',
    },
    { phase: 'Current', when: 'is rolled out', of: live('StatefulSet', three, { ...done, ...revisions }) },
    {
      phase: 'RollingOut',
      when: 'has Pods of two revisions',
      of: live('StatefulSet', three, { ...done, ...revisions, currentRevision: 'a', updatedReplicas: 2 }),
    },
    {
      phase: 'Failed',
      when: 'keeps Pods below a partition',
      of: live(
        'StatefulSet',
        { ...three, updateStrategy: { rollingUpdate: { partition: 2 } } },
        { ...done, ...revisions, currentRevision: 'a', updatedReplicas: 1 },
      ),
      why: 'StatefulSet shop keeps Pods below partition 2; set the partition to 0',
    },
    // As a controller manager reports them for OnDelete, after the template changed and after each deleted Pod.
    {
      phase: 'Failed',
      when: 'waits for a person to delete its Pods',
      of: onDelete({}),
      why: 'StatefulSet shop has the update strategy OnDelete; delete its Pods one by one',
    },
    {
      phase: 'Failed',
      when: 'waits for a person to delete the last of its Pods',
      of: onDelete({ updatedReplicas: 2 }),
      why: 'StatefulSet shop has the update strategy OnDelete; delete its Pods one by one',
    },
    { phase: 'Current', when: 'has no Pod of an earlier template left', of: onDelete({ updatedReplicas: 3 }) },
    {
      phase: 'Current',
      when: 'is rolled out',
      of: live(
        'DaemonSet',
        {},
        { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 },
      ),
    },
    {
      phase: 'RollingOut',
      when: 'has a node with an earlier Pod',
      of: live(
        'DaemonSet',
        {},
        { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 2, numberAvailable: 3 },
      ),
    },
    {
      phase: 'Failed',
      when: 'waits for a person to delete its Pods',
      of: live(
        'DaemonSet',
        { updateStrategy: { type: 'OnDelete' } },
        { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 0, numberAvailable: 3 },
      ),
      why: 'DaemonSet shop has the update strategy OnDelete; delete its Pods one by one',
    },
  ])('is $phase if a $of.kind $when', ({ of, phase, why }) => {
    const state = workloadState(of, { annotation, hash: 'new', restarts: true });
    expect(state).toEqual({ phase, ...(why && { why }) });
  });

  it('is Current as long as it exists, if it reads the Secret itself', () => {
    const mark = { annotation, hash: 'new', restarts: false };
    expect(workloadState(live('Deployment', { template: {} }), mark)).toEqual({ phase: 'Current' });
    expect(workloadState(undefined, mark)).toEqual({ phase: 'Missing' });
  });
});

describe('the workloads of a spec', () => {
  it('are in its order, each once', () => {
    const consumers = [
      { deployment: 'shop' },
      { statefulSet: 'shop', reload: 'Signal' as const },
      { deployment: 'shop', reload: 'None' as const },
      { daemonSet: 'agent', reload: 'Restart' as const },
    ];
    expect(workloadsOf(consumers)).toEqual([
      { kind: 'Deployment', name: 'shop', restarts: true },
      { kind: 'StatefulSet', name: 'shop', restarts: false },
      { kind: 'DaemonSet', name: 'agent', restarts: true },
    ]);
  });
});

describe('the annotation of a Secret', () => {
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}`;

  it('has the name of the Secret, shortened so that it is valid', () => {
    expect(hashAnnotation('orders-login')).toBe('secret-hash.reconstruct.dev/orders-login');
    const [, name = ''] = hashAnnotation(long).split('/');
    expect(name).toMatch(/^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/);
    expect(hashAnnotation(`${long}c`)).not.toBe(hashAnnotation(long));
  });

  it('has a value that depends on the content alone', () => {
    const data = { username: 'b3JkZXJz', password: 'c2VjcmV0' };
    const { username, password } = data;
    expect(contentHash({ password, username })).toBe(contentHash(data));
    expect(contentHash({ ...data, password: 'b3RoZXI=' })).not.toBe(contentHash(data));
  });
});
