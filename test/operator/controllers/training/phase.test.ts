import { describe, expect, test } from 'vitest';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import type { RankReport } from '../../../../operator/controllers/training/ports/coordinator.js';
import { phaseOf } from '../../../../operator/controllers/training/progress/phase.js';
import { fault, gated, memory, nothing, report, situation, three, worker } from './given-training.js';

type Given = Parameters<typeof situation>[0];

const phase = (changes: Given) => {
  const given = situation(changes);
  return phaseOf(given, nextMemory(given));
};

/** What three ranks say. */
const all = (changes: Partial<RankReport>, also: Parameters<typeof report>[1] = {}) => ({
  ...three({ 0: changes, 1: changes, 2: changes }),
  ...also,
});

/** A fault that is over, and one that is not. */
const [over, open] = [fault('pod-old', { rendezvous: 1, recoverySeconds: 3 }), fault('pod-gone', { rendezvous: 1 })];
const pending = [0, 1, 2].map((index) => worker(index, { phase: 'Pending' }));
const waiting = [0, 1, 2].map((index) => gated(index));
const noMembers = memory({ members: [], generation: 2 });
const restart = { recovery: 'Restart' };

describe('the phase of a job', () => {
  test.each<[string, string, Given]>([
    ['Queued', 'its workers wait for room', { workers: waiting, memory: nothing, report: undefined }],
    ['Queued', 'they wait again after a pause', { workers: waiting, memory: noMembers }],
    ['Queued', 'they do, and an earlier fault is over', { workers: waiting, memory: { ...noMembers, faults: [over] } }],
    ['Recovering', 'they do after a fault', { workers: waiting, memory: { ...noMembers, total: 1, faults: [open] } }],
    ['Starting', 'its Pods start', { workers: pending, memory: nothing, report: undefined }],
    ['Starting', 'its ranks build their model', { memory: nothing, report: all({ state: 'ready' }, { members: [] }) }],
    ['Starting', 'its ranks join for the first time', { report: all({ state: 'joining', step: 0 }) }],
    ['Starting', 'its Pods start after a pause', { workers: pending, memory: noMembers, report: undefined }],
    [
      'Starting',
      'its ranks join after a pause, and an earlier fault is over',
      { report: all({ state: 'joining', step: 0 }), memory: memory({ total: 1, faults: [over] }) },
    ],
    [
      'Starting',
      'its ranks change between two steps',
      { report: { ...all({ state: 'waiting', behind: true }), generation: 2 } },
    ],
    ['Starting', 'its Pods start, without the module', { spec: restart, workers: pending, report: undefined }],
    ['Running', 'all ranks train', {}],
    ['Running', 'all Pods run, without the module', { spec: restart, report: undefined, memory: nothing }],
    ['Recovering', 'a fault is not over', { report: all({ state: 'joining' }), memory: memory({ faults: [open] }) }],
    [
      'Recovering',
      'its ranks train with a loss that is not finite, until the Pod with the checkpoints is back',
      {
        report: all({ firstNonFinite: 90 }),
        memory: memory({ faults: [fault('loss-1-90', { kind: 'NonFiniteLoss', grade: 'Generation', rendezvous: 1 })] }),
      },
    ],
    ['Recovering', 'a rank stalls', { report: three({ 1: { age: 60 } }) }],
    [
      'Recovering',
      'a Pod is gone',
      { workers: [worker(0), worker(1)], memory: memory({ faults: [fault('pod-uid-2-0', { rendezvous: 1 })] }) },
    ],
    [
      'Recovering',
      'ranks were left by a lost one, whose fault is not found yet',
      { report: all({ state: 'waiting' }) },
    ],
    ['Recovering', 'its coordinator was lost, and knows no rank yet', { report: report([], { members: [] }) }],
    [
      'Recovering',
      'its Pods were replaced after a fault, without the module',
      { spec: restart, workers: pending, report: undefined, memory: memory({ members: [], faults: [open] }) },
    ],
    ['Running', 'it will stop, and still trains', { spec: { suspend: true } }],
    ['Stopping', 'it writes its checkpoint', { spec: { suspend: true }, report: all({ state: 'suspended' }) }],
    ['Stopping', 'its Pods get another content', { revision: 'r2', report: all({ state: 'suspended' }) }],
    ['Suspended', 'it has no Pods', { spec: { suspend: true }, workers: [], memory: noMembers }],
    ['Succeeded', 'all ranks are done', { report: all({ state: 'done' }) }],
    ['Failed', 'its deadline is over', { spec: { activeDeadline: '1m' } }],
  ])('is %s while %s', (expected, _, changes) => {
    expect(phase(changes)).toBe(expected);
  });
});
