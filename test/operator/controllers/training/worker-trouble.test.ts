import { describe, expect, test } from 'vitest';
import { assess } from '../../../../operator/controllers/training/assess.js';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import type { TrainingView } from '../../../../operator/controllers/training/view.js';
import { workerTroubleOf } from '../../../../operator/controllers/training/workers/worker-trouble.js';
import type { LiveContainer, LivePod } from '../../../../operator/runtime/index.js';
import { trainingRevision } from '../../../../src/index.js';
import { specOf } from '../../../src/training/given-job.js';
import { member, now, situation, three } from './given-training.js';

const frames = '  File "/app/train.py", line 20, in <module>\n    main()\n';
const raised = `Traceback (most recent call last):\n${frames}`;
/** Longer than the message of a fault. */
const noise = 'epoch 1 loss 0.25\n'.repeat(60);

describe('a launcher tells of a program', () => {
  test.each([
    ['ValueError: bad (exit code 1)', { kind: 'exit', message: 'exit code 1', output: `${raised}ValueError: bad\n` }],
    ['ValueError: bad (exit code 1)', { kind: 'exit', message: 'ValueError: bad', output: 'Training failed: …\n' }],
    ['signal SIGKILL', { kind: 'signal', exitCode: -9, message: 'signal SIGKILL', output: 'step 3\n' }],
    ['no progress by the deadline', { kind: 'hang', exitCode: -9, message: 'no progress by the deadline', output: '' }],
    ['exit code 1', { kind: 'exit', exitCode: undefined, message: 'exit code 1' }],
  ])('%s', (expected, said) => {
    const fault = { ...member(1), id: 'f1', grade: 'program' as const, exitCode: 1, ...said } as never;
    const { faults } = nextMemory(situation({ report: { ...three(), faults: [fault] } }));
    expect(faults[0]?.message).toBe(expected);
  });
});

/** A Pod of a worker. */
const pod = (status: object, gates: readonly string[] = []) =>
  ({
    metadata: { name: 'ranking-0-0', uid: 'uid-0-0' },
    spec: { containers: [], schedulingGates: gates.map((name) => ({ name })) },
    status: { phase: 'Pending', ...status },
  }) as unknown as LivePod;
const scheduling = (reason: string, message: string) => ({
  conditions: [{ type: 'PodScheduled', status: 'False', reason, message }],
});
const inState = (state: LiveContainer['state'], name = 'trainer') => ({
  containerStatuses: [{ name, image: 'registry/train:7', state }],
});
const waits = (reason: string, message?: string) => inState({ waiting: { reason, ...(message && { message }) } });
const ends = (exitCode: number, message?: string, reason = 'Error') =>
  inState({ terminated: { exitCode, reason, ...(message !== undefined && { message }) } });
const isGated = scheduling('SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates');
const unpulled = 'failed to resolve image: registry/train:7: not found';

type Row = readonly [message: string | undefined, lacks: string | undefined, when: string, is: LivePod];

const rows: readonly Row[] = [
  [undefined, undefined, 'it has the gate of the operator', pod(isGated, ['reconstruct.dev/gang'])],
  [undefined, undefined, 'the gate was opened a moment ago', pod(isGated)],
  [
    'its Pod has the scheduling gate kueue.x-k8s.io/admission',
    undefined,
    'it has a gate of others',
    pod(isGated, ['reconstruct.dev/gang', 'kueue.x-k8s.io/admission']),
  ],
  [
    'no node can run the Pod: 0/3 nodes are available: 3 Insufficient cpu',
    undefined,
    'there is no room',
    pod(scheduling('Unschedulable', '0/3 nodes are available: 3 Insufficient cpu')),
  ],
  [
    'persistentvolumeclaim "data" not found',
    'Claim',
    'its volume does not exist',
    pod(scheduling('Unschedulable', '0/3 nodes are available: persistentvolumeclaim "data" not found. not found')),
  ],
  ...[
    '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims',
    "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind",
    '0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had volume node affinity conflict',
    "0/3 nodes are available: 3 node(s) didn't match PersistentVolume's node affinity",
    '0/3 nodes are available: 3 node(s) had no available volume zone',
  ].map(
    (message): Row => [
      `no node can run the Pod: ${message}`,
      'Volume',
      'no node can mount its volume',
      pod(scheduling('Unschedulable', message)),
    ],
  ),
  [undefined, undefined, 'its container is being created', pod(waits('ContainerCreating'))],
  [undefined, undefined, 'it runs', pod(inState({ running: {} }))],
  [undefined, undefined, 'it has succeeded', pod(ends(0, 'epoch 3\n'))],
  ...[
    ['ErrImagePull', unpulled],
    ['ImagePullBackOff', `Back-off pulling image "registry/train:7": ErrImagePull: ${unpulled}`],
  ].map(
    ([reason = '', message]): Row => [
      `the image registry/train:7 cannot be pulled: ${unpulled}`,
      'Image',
      `its image does not exist (${reason})`,
      pod(waits(reason, message)),
    ],
  ),
  [
    `the image registry/train:7 cannot be pulled`,
    'Image',
    'an older kubelet does not say why',
    pod(waits('ImagePullBackOff', 'Back-off pulling image "registry/train:7"')),
  ],
  [
    'CreateContainerConfigError: configmap "settings" not found',
    'Container',
    'its environment is not there',
    pod(waits('CreateContainerConfigError', 'configmap "settings" not found')),
  ],
  ['ValueError: bad (exit code 1)', undefined, 'it has failed', pod(ends(1, `${noise}${raised}ValueError: bad\n`))],
  ['exit code 137', undefined, 'it was killed', pod(ends(137, 'epoch 3\n'))],
  [
    'the memory limit of the container was exceeded: OOMKilled (exit code 137)',
    undefined,
    'it needs more memory',
    pod(ends(137, 'epoch 3\n', 'OOMKilled')),
  ],
  [
    'Xid 79: GPU has fallen off the bus (exit code 1)',
    undefined,
    'its launcher has given up',
    pod(ends(1, '{"grade": "pod", "xid": 79, "message": "Xid 79: GPU has fallen off the bus"}')),
  ],
  ['{"a": (exit code 1)', undefined, 'it writes JSON that is cut off', pod(ends(1, '{"a":'))],
  [
    'container sidecar: gone (exit code 2)',
    undefined,
    'another container has failed',
    pod(inState({ terminated: { exitCode: 2, message: 'gone' } }, 'sidecar')),
  ],
];

test.each(rows)('a worker does not run because %s; it lacks: %s; when %s', (message, lacks, _, is) => {
  const trouble = workerTroubleOf(is);
  expect([trouble?.message, trouble?.lacks]).toEqual([message, lacks]);
});

describe('the conditions of a job that does not start', () => {
  const spec = specOf({ workers: 1, recovery: 'Restart' });
  const metadata = { name: 'ranking', namespace: 'ml', uid: 'uid', resourceVersion: '1' };
  const revision = trainingRevision({ name: 'ranking', namespace: 'ml', uid: 'uid', spec });
  const assessed = (one: LivePod, status: object = {}) => {
    const annotations = { 'reconstruct.dev/revision': revision };
    const live = { ...one, metadata: { ...one.metadata, annotations } };
    const view = {
      resource: { apiVersion: 'v1', kind: 'TrainingJob', metadata, spec, status: { observedGeneration: 1, ...status } },
      ...{ owned: { of: () => [live] }, reads: { nodes: [], isShared: undefined }, now: new Date(now) },
      polled: { coordinator: undefined, capacity: { known: true, value: { nodes: [], opening: [] } } },
    };
    return assess(view as unknown as TrainingView as never).conditions;
  };
  const placed = { conditions: [{ type: 'PodScheduled', status: 'True' }] };
  test.each([
    [
      'Training',
      'ImageUnavailable',
      `Worker ranking-0-0 cannot start: the image registry/train:7 cannot be pulled: ${unpulled}`,
      pod({ ...placed, ...waits('ErrImagePull', unpulled) }),
    ],
    [
      'Training',
      'ContainerNotCreated',
      'Worker ranking-0-0 cannot start: CreateContainerConfigError: secret "key" not found',
      pod({ ...placed, ...waits('CreateContainerConfigError', 'secret "key" not found') }),
    ],
    ['Training', 'Starting', undefined, pod({ ...placed, ...waits('ContainerCreating') })],
    ['Training', 'Starting', undefined, pod(isGated, ['reconstruct.dev/gang'])],
    ['Scheduled', 'Scheduling', '1 worker has no node yet', pod(isGated)],
    [
      'Scheduled',
      'ClaimNotFound',
      '1 worker has no node yet; persistentvolumeclaim "data" not found',
      pod(scheduling('Unschedulable', 'persistentvolumeclaim "data" not found')),
    ],
  ] as const)('have %s %s: %s', (type, reason, message, one) => {
    const mark = assessed(one)[type];
    expect([mark?.reason, mark?.message]).toEqual([reason, message]);
  });
});
