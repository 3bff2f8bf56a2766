import type { Memory } from '../../../../operator/controllers/training/job/memory.js';
import { planOf } from '../../../../operator/controllers/training/plan/index.js';
import type { CapacityAnswer } from '../../../../operator/controllers/training/ports/capacity.js';
import type { CoordinatorAnswer, RankReport } from '../../../../operator/controllers/training/ports/coordinator.js';
import type { Demand } from '../../../../operator/controllers/training/room/places.js';
import type { Situation } from '../../../../operator/controllers/training/situation.js';
import type { Worker } from '../../../../operator/controllers/training/workers/worker.js';
import { specOf } from '../../../src/training/given-job.js';

export const now = Date.parse('2026-11-27T12:00:00Z');

/** A worker that runs the current content on a machine of its own. */
export function worker(index: number, changes: Partial<Worker> = {}): Worker {
  const attempt = changes.attempt ?? 0;
  return {
    ...{
      name: `ranking-${index}-${attempt}`,
      uid: `uid-${index}-${attempt}`,
      index,
      attempt,
      isEnding: false,
      created: '2026-11-27T10:00:00Z',
    },
    ...{ phase: 'Running', isGated: false, node: `node-${index}`, isNodeLost: false, revision: 'r1', incarnation: 0 },
    ...changes,
  };
}

/** A worker that waits for room. */
export const gated = (index: number, changes: Partial<Worker> = {}) =>
  worker(index, { phase: 'Pending', isGated: true, node: undefined, ...changes });

export const member = (index: number, attempt = 0) => ({
  worker: `ranking-${index}-${attempt}`,
  uid: `uid-${index}-${attempt}`,
});

/** What a process of a worker says while all train in generation 1. */
export function rank(index: number, changes: Partial<RankReport> = {}): RankReport {
  return {
    ...{ ...member(index), local: 0, rank: index, generation: 1, behind: false, state: 'training', step: 100 },
    ...{ phase: 'compute', phaseSeconds: 0, age: 0 },
    ...changes,
  };
}

/** What a coordinator knows while ranks train. */
export function report(ranks: readonly RankReport[], changes: Partial<CoordinatorAnswer> = {}): CoordinatorAnswer {
  return {
    ...{ generation: 1, members: [0, 1, 2].map((index) => member(index)), hasStore: true, isSuspended: false },
    ...{ restarts: {}, ranks, faults: [] },
    launchers: ranks.map(({ worker: name, uid }) => ({ worker: name, uid, age: 0 })),
    ...changes,
  };
}

export const three = (changes: Readonly<Record<number, Partial<RankReport>>> = {}) =>
  report([0, 1, 2].map((index) => rank(index, changes[index])));

/** A memory of a job that trains in generation 1. */
export function memory(changes: Partial<Memory> = {}): Memory {
  return {
    ...{ generation: 1, generationTime: now - 60_000, members: [0, 1, 2].map((index) => member(index)) },
    ...{ slowSince: {}, incarnation: 0, partial: 0, full: 0, total: 0, faults: [], startTime: now - 60_000 },
    ...changes,
  };
}

/** A fault that the status has, of a Pod unless the changes say otherwise. */
export const fault = (id: string, changes: object = {}) => ({
  ...{ id, time: '2026-11-27T11:59:00Z', kind: 'PodFailed', grade: 'Pod' as const, uid: id.replace('pod-', '') },
  ...changes,
});

/** The memory of a new job. */
export const nothing: Memory = {
  generation: 0,
  members: [],
  slowSince: {},
  incarnation: 0,
  partial: 0,
  full: 0,
  total: 0,
  faults: [],
};

type Changes = Partial<Omit<Situation, 'spec'>> & { readonly spec?: object };

/** Three workers that train. */
export function situation({ spec = {}, ...changes }: Changes = {}): Situation {
  return {
    ...{ namespace: 'ml', name: 'ranking', revision: 'r1', now },
    spec: specOf({ workers: 3, ...spec }),
    workers: [0, 1, 2].map((index) => worker(index)),
    ...{ memory: memory(), report: three() },
    ...changes,
  };
}

export const demand: Demand = { requests: { cpu: 2 }, avoid: [] };

/** Nodes with free cores. */
export const room = (...free: readonly number[]): CapacityAnswer => ({
  nodes: free.map((cpu, index) => ({ name: `node-${index}`, labels: {}, taints: [], free: { cpu, pods: 10 } })),
  opening: [],
});

/** The Pods and the call of a plan, as texts. */
export function planned(given: Situation): readonly string[] {
  const { pods, call, queued } = planOf(given, demand);
  return [
    ...pods.map(({ act, index, attempt, isGated }) => `${act} ${index}-${attempt}${isGated ? ' gated' : ''}`),
    ...(call ? [`call ${JSON.stringify(call)}`] : []),
    ...(queued === undefined ? [] : [`queued: ${queued}`]),
  ];
}
