import { describe, expect, test } from 'vitest';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import type { NodeRoom } from '../../../../operator/controllers/training/ports/capacity.js';
import { placesFor } from '../../../../operator/controllers/training/room/places.js';
import { demand, gated, memory, nothing, now, planned, room, situation, worker } from './given-training.js';

const waiting = [0, 1, 2].map((index) => gated(index));
const unplaced = (index: number) => worker(index, { phase: 'Pending', node: undefined });
const gang = (queued: string, job = 'other', unplaced = 1) => ({
  ...{ namespace: 'ml', job, queued, unplaced, needs: { requests: { cpu: 2 } } },
});
const own = (unplaced = 1) => gang('2026-11-27T10:00:00Z', 'ranking', unplaced);
const new_ = (changes: Parameters<typeof situation>[0] = {}) =>
  situation({ workers: waiting, memory: nothing, report: undefined, room: room(10), ...changes });

describe('a job that has not started', () => {
  test.each([
    ['creates all Pods gated', { workers: [] }, ['create 0-0 gated', 'create 1-0 gated', 'create 2-0 gated']],
    [
      'creates the Pod that is missing, gated',
      { workers: waiting.slice(0, 2) },
      ['keep 0-0 gated', 'keep 1-0 gated', 'create 2-0 gated', 'queued: 1 Pods do not exist yet'],
    ],
    ['opens all gates together if there is room', {}, ['open 0-0', 'open 1-0', 'open 2-0']],
    ['opens them with room on several nodes', { room: room(2, 3, 2) }, ['open 0-0', 'open 1-0', 'open 2-0']],
    [
      'opens none if one worker has no room',
      { room: room(4, 1, 1) },
      [...waiting.map(({ index }) => `keep ${index}-0 gated`), 'queued: the nodes have room for 2 of 3 workers'],
    ],
    [
      'opens none while another job is being scheduled',
      { room: { ...room(99), opening: [gang('2026-11-27T11:00:00Z')] } },
      [
        ...waiting.map(({ index }) => `keep ${index}-0 gated`),
        'queued: the workers of TrainingJob ml/other are being scheduled first',
      ],
    ],
    [
      'opens none while the room is not known',
      { room: undefined, roomUnknownSince: now - 59_000 },
      [...waiting.map(({ index }) => `keep ${index}-0 gated`), 'queued: the room on the nodes is not known yet'],
    ],
    [
      'opens them without knowing the room if it cannot be read for a minute',
      { room: undefined, roomUnknownSince: now - 60_000 },
      ['open 0-0', 'open 1-0', 'open 2-0'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(planned(new_(changes))).toEqual(expected);
  });
});

describe('a job whose gates are open gives its nodes back', () => {
  const opened = (changes: Parameters<typeof situation>[0] = {}) =>
    new_({
      workers: [worker(0), worker(1), unplaced(2)],
      memory: { ...nothing, openedTime: now - 60_000 },
      ...changes,
    });
  const late = { ...nothing, openedTime: now - 600_000 };

  test.each([
    ['before the timeout', {}, 0],
    ['after the timeout', { memory: late }, 1],
    ['after the timeout, with all workers placed', { memory: late, workers: [0, 1, 2].map((i) => worker(i)) }, 0],
    ['beside an older job', { room: { ...room(1), opening: [gang('2026-11-27T09:00:00Z')] } }, 1],
    ['beside a younger job', { room: { ...room(1), opening: [gang('2026-11-27T11:00:00Z')] } }, 0],
    [
      'beside one of the same age with an earlier name',
      { room: { ...room(1), opening: [gang('2026-11-27T10:00:00Z')] } },
      1,
    ],
    ['not while there is room for the others', { room: { ...room(3), opening: [own()] } }, 0],
    ['if its room went to another job', { room: { ...room(1), opening: [own()] } }, 1],
    ['if the room is enough for some of the others only', { room: { ...room(2, 1), opening: [own(2)] } }, 1],
    ['not in an answer from before the gates were open', { room: room(0) }, 0],
    [
      'not if Pods that are being deleted leave the room',
      { room: { nodes: room(1).nodes.map((node) => ({ ...node, leaving: { cpu: 1 } })), opening: [own()] } },
      0,
    ],
    ['not before a younger job', { room: { ...room(0), opening: [own(), gang('2026-11-27T11:00:00Z')] } }, 0],
    ['not for an additional worker', { memory: memory({}), room: { ...room(0), opening: [own()] } }, 0],
  ])('%s: %#', (_, changes, incarnation) => {
    expect(nextMemory(opened(changes)).incarnation).toBe(incarnation);
  });

  test('of two jobs that are open at once, exactly one gives way', () => {
    const jobs = [gang('2026-11-27T10:00:00Z', 'a'), gang('2026-11-27T10:00:00Z', 'b')];
    const gave = jobs.map(
      ({ job }) => nextMemory({ ...opened({ room: { ...room(1), opening: jobs } }), name: job }).incarnation,
    );
    expect(gave).toEqual([0, 1]);
  });

  test('and creates gated Pods under other names', () => {
    const old = [worker(0), worker(1), unplaced(2)];
    expect(planned(new_({ workers: old, memory: { ...nothing, incarnation: 1 } }))).toEqual([
      'create 0-1 gated',
      'create 1-1 gated',
      'create 2-1 gated',
    ]);
  });

  test('but not for an additional worker while the others train', () => {
    const workers = [worker(0), worker(1), worker(2), unplaced(3)];
    const given = situation({ spec: { workers: 4 }, workers, memory: memory({ openedTime: now - 900_000 }) });
    expect(nextMemory(given).incarnation).toBe(0);
  });
});

describe('the places on nodes', () => {
  const node = (changes: Partial<NodeRoom>): NodeRoom => ({
    name: 'n',
    labels: {},
    taints: [],
    free: { cpu: 4, pods: 9 },
    ...changes,
  });
  const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };
  const affinity = (operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt', ...values: string[]) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator, ...(values.length > 0 && { values }) }] }],
        },
      },
    },
  });
  test.each([
    ['by the scarcest resource', node({ free: { cpu: 4, pods: 1 } }), {}, 1],
    ['none of a device that the node lacks', node({}), { requests: { 'nvidia.com/gpu': 1 } }, 0],
    ['none on a node in debt', node({ free: { cpu: -1, pods: 9 } }), {}, 0],
    ['exact with fractions', node({ free: { cpu: 0.3, pods: 9 } }), { requests: { cpu: 0.1 } }, 3],
    ['none with another label', node({}), { podTemplate: { nodeSelector: { zone: 'a' } } }, 0],
    ['with the label', node({ labels: { zone: 'a' } }), { podTemplate: { nodeSelector: { zone: 'a' } } }, 2],
    ['none with a taint', node({ taints: [taint] }), {}, 0],
    [
      'with a tolerated taint',
      node({ taints: [taint] }),
      { podTemplate: { tolerations: [{ key: 'gpu', operator: 'Exists' as const }] } },
      2,
    ],
    [
      'none with a toleration of another value',
      node({ taints: [taint] }),
      { podTemplate: { tolerations: [{ key: 'gpu', value: 'no' }] } },
      0,
    ],
    ['with a taint that only prefers', node({ taints: [{ ...taint, effect: 'PreferNoSchedule' }] }), {}, 2],
    ['none on a machine to avoid', node({}), { avoid: ['n'] }, 0],
    [
      'none on one that has another host name',
      node({ labels: { 'kubernetes.io/hostname': 'host' } }),
      { avoid: ['n'] },
      0,
    ],
    ['affinity In', node({ labels: { zone: 'a' } }), { podTemplate: affinity('In', 'a', 'b') }, 2],
    ['none by affinity In', node({}), { podTemplate: affinity('In', 'a') }, 0],
    ['none by affinity NotIn', node({ labels: { zone: 'a' } }), { podTemplate: affinity('NotIn', 'a') }, 0],
    ['none by affinity Exists', node({}), { podTemplate: affinity('Exists') }, 0],
    ['none by affinity DoesNotExist', node({ labels: { zone: 'a' } }), { podTemplate: affinity('DoesNotExist') }, 0],
    ['affinity Gt', node({ labels: { zone: '5' } }), { podTemplate: affinity('Gt', '4') }, 2],
  ])('%s', (_, one, changes, places) => {
    expect(placesFor({ ...demand, ...changes }, [one], 10)).toBe(places);
  });
});
