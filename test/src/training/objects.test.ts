import { describe, expect, test } from 'vitest';
import { trainingRevision } from '../../../src/index.js';
import { envOf, podOf, type Rendered, sharedObjects, specOf } from './given-job.js';

const find = (objects: readonly Rendered[], kind: string, name?: string) =>
  objects.find((one) => one.kind === kind && (name === undefined || one.metadata.name === name));
const mountsOf = (pod: Rendered) => pod.spec.containers[0].volumeMounts.map(({ mountPath }: Rendered) => mountPath);
const folder = '/var/lib/reconstruct/checkpoints';

describe('the Pod of a worker', () => {
  test('runs the program under the launcher, which restarts it', () => {
    expect(podOf(0).spec.containers[0].command).toEqual(
      'python3 -m reconstruct_training.launcher python3 /app/train.py'.split(' '),
    );
    expect(podOf(0).spec.restartPolicy).toBe('Never');
  });

  test('tells the module its coordinator, its token and its identity', () => {
    expect(envOf(podOf(2, { processesPerWorker: 2 }))).toMatchObject({
      RECONSTRUCT_COORDINATOR: 'ranking-coordinator.ml.svc:29400',
      RECONSTRUCT_TOKEN: { secretKeyRef: { name: 'ranking-token', key: 'token' } },
      RECONSTRUCT_JOB: 'job-1',
      RECONSTRUCT_WORKER: { fieldRef: { fieldPath: 'metadata.name' } },
      RECONSTRUCT_UID: { fieldRef: { fieldPath: 'metadata.uid' } },
      RECONSTRUCT_PROCESSES: '2',
    });
  });

  test('with recovery Restart, runs the program itself with the variables of PyTorch and of torchrun', () => {
    const pod = podOf(2, { recovery: 'Restart', workers: 4 });
    expect(pod.spec.containers[0].command).toEqual(['python3', '/app/train.py']);
    const master = 'ranking-0.ranking-workers.ml.svc';
    expect(envOf(pod)).toMatchObject({ RANK: '2', LOCAL_RANK: '0', WORLD_SIZE: '4', MASTER_ADDR: master });
    expect(envOf(pod)).toMatchObject({ PET_NNODES: '4', PET_NODE_RANK: '2', PET_MASTER_ADDR: master });
    expect([pod.spec.hostname, pod.spec.subdomain]).toEqual(['ranking-2', 'ranking-workers']);
    expect(Object.keys(envOf(pod)).filter((name) => name.startsWith('RECONSTRUCT_'))).toEqual([]);
  });

  test('with several processes, has no rank, because the program starts them', () => {
    const env = envOf(podOf(0, { recovery: 'Restart', workers: 4, processesPerWorker: 8 }));
    expect([env['RANK'], env['WORLD_SIZE'], env['PET_NPROC_PER_NODE']]).toEqual([undefined, undefined, '8']);
  });

  test('mounts the checkpoints in the first worker, or in all if the volume can be shared', () => {
    const input = { checkpoint: { size: '1Gi', every: 10, keep: 2 } };
    expect(mountsOf(podOf(0, input))).toContain(folder);
    expect(mountsOf(podOf(1, input))).not.toContain(folder);
    expect(mountsOf(podOf(1, input, { sharesVolume: true }))).toContain(folder);
    expect(envOf(podOf(0, input))).toMatchObject({ RECONSTRUCT_CHECKPOINTS: folder, RECONSTRUCT_EVERY: '10' });
    expect(envOf(podOf(1, input))['RECONSTRUCT_CHECKPOINTS']).toBeUndefined();
    const claims = (pod: Rendered) => pod.spec.volumes.map((one: Rendered) => one.persistentVolumeClaim?.claimName);
    expect(claims(podOf(0, input))).toContain('ranking-checkpoints');
    expect(claims(podOf(0, { checkpoint: { claimName: 'mine' } }))).toContain('mine');
  });

  test('has a gate until there is room for all', () => {
    expect(podOf(0, {}, { gated: true }).spec.schedulingGates).toEqual([{ name: 'reconstruct.dev/gang' }]);
    expect(podOf(0).spec.schedulingGates).toBeUndefined();
  });

  test('has devices as request and limit, and shared memory of the stated size', () => {
    const resources = { limits: { 'nvidia.com/gpu': 2, memory: '16Gi' }, requests: { cpu: '4' } };
    const { spec } = podOf(0, { resources, sharedMemory: '8Gi' });
    expect(spec.containers[0].resources).toEqual({
      requests: { 'nvidia.com/gpu': '2', cpu: '4', memory: '16Gi' },
      limits: { 'nvidia.com/gpu': '2', cpu: '4', memory: '16Gi' },
    });
    expect(spec.volumes[0]).toEqual({ name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: '8Gi' } });
  });

  test('avoids machines in each term of its node affinity', () => {
    const term = (key: string) => ({ matchExpressions: [{ key, operator: 'Exists' }] });
    const required = { nodeSelectorTerms: [term('gpu'), term('tpu')] };
    const podTemplate = {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
    };
    const termsOf = (pod: Rendered) =>
      pod.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
    const awayFrom = (node: string) => ({ key: 'metadata.name', operator: 'NotIn', values: [node] });
    const away = { matchFields: [awayFrom('node-1'), awayFrom('node-2')] };
    expect(termsOf(podOf(0, {}, { avoid: ['node-2', 'node-1'] }))).toEqual([away]);
    expect(termsOf(podOf(0, { podTemplate }, { avoid: ['node-2', 'node-1'] }))).toEqual([
      { ...term('gpu'), ...away },
      { ...term('tpu'), ...away },
    ]);
  });

  test('keeps to the restricted level of Pod Security', () => {
    const pods = [podOf(0).spec, find(sharedObjects(), 'Deployment').spec.template.spec];
    for (const { securityContext, containers, automountServiceAccountToken } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: true,
      });
      expect(automountServiceAccountToken).toBe(false);
    }
  });
});

describe('the objects that workers share', () => {
  test('are a coordinator, Services, a budget and a NetworkPolicy', () => {
    expect(
      sharedObjects({ workers: 4 })
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
        .toSorted(),
    ).toEqual([
      'Deployment ranking-coordinator',
      'NetworkPolicy ranking',
      'PodDisruptionBudget ranking-workers',
      'Service ranking-coordinator',
      'Service ranking-workers',
      'ServiceAccount ranking',
    ]);
  });

  test('have no coordinator with recovery Restart, and no budget with one worker', () => {
    const kinds = sharedObjects({ recovery: 'Restart' }).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['NetworkPolicy', 'Service', 'ServiceAccount']);
  });

  test('let a drain evict one worker at a time', () => {
    const least = (spec: object) => find(sharedObjects(spec), 'PodDisruptionBudget').spec.minAvailable;
    expect(least({ workers: 4 })).toBe(3);
    expect(least({ workers: 4, minWorkers: 2 })).toBe(2);
    expect(least({ workers: 4, minWorkers: 4 })).toBe(3);
  });

  test('select the Pods of their role, and no two coordinators run', () => {
    const objects = sharedObjects();
    const labels = find(objects, 'Deployment').spec.template.metadata.labels;
    expect(labels).toMatchObject(find(objects, 'Service', 'ranking-coordinator').spec.selector);
    expect(labels).toMatchObject(find(objects, 'Deployment').spec.selector.matchLabels);
    expect(podOf(0).metadata.labels).toMatchObject(find(objects, 'Service', 'ranking-workers').spec.selector);
    expect(podOf(0).metadata.labels).not.toMatchObject(find(objects, 'Service', 'ranking-coordinator').spec.selector);
    expect(find(objects, 'Deployment').spec.strategy).toEqual({ type: 'Recreate' });
  });

  test('let the Pods of the job reach each other at any port, and the operator only the coordinator', () => {
    const { ingress, podSelector } = find(sharedObjects(), 'NetworkPolicy').spec;
    expect(ingress[0]).toEqual({ from: [{ podSelector }] });
    expect(ingress[1].ports).toEqual([{ port: 29400, protocol: 'TCP' }]);
  });

  test.each([
    [{ resources: { limits: { cpu: 1 }, requests: { cpu: 2 } } }, 'resources.requests[cpu]: Invalid value: 2'],
    [{ sharedMemory: '4Gi', resources: { limits: { memory: '4Gi' } } }, 'sharedMemory: Invalid value: "4Gi"'],
    [
      { sharedMemory: '8Gi' },
      'must be below resources.limits.memory, 4Gi, which includes it; lower sharedMemory or set the limit',
    ],
    [{ sharedMemory: '8Gi', resources: { requests: { memory: '8Gi' } } }, 'must be below resources.limits.memory, 8Gi'],
  ])('%j is refused', (input, message) => {
    expect(() => sharedObjects(input)).toThrow(message);
  });
});

describe('the revision of the workers', () => {
  const revision = (input: object) =>
    trainingRevision({ name: 'ranking', namespace: 'ml', uid: 'a', spec: specOf(input) });
  test.each([
    ['the image', { image: 'other:1' }],
    ['the command', { command: ['python3'] }],
    ['the resources', { resources: { limits: { cpu: 3 } } }],
    ['the number of processes', { processesPerWorker: 2 }],
  ])('changes with %s', (_, input) => {
    expect(revision(input)).not.toBe(revision({}));
  });
  test('does not change with the number of workers, which change in place', () => {
    expect(revision({ workers: 8, spares: 2, suspend: true })).toBe(revision({}));
    const restart = { recovery: 'Restart' };
    expect(revision({ ...restart, workers: 8 })).not.toBe(revision(restart));
  });
});
