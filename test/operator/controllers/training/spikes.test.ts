import { describe, expect, test } from 'vitest';
import { nextDeadline } from '../../../../operator/controllers/training/deadlines.js';
import type { Memory } from '../../../../operator/controllers/training/job/memory.js';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import { fault, gated, memory, now, planned, report, situation, three, worker } from './given-training.js';
import { assessed } from './given-view.js';

const isNaN_ = { firstNonFinite: 90 };
const poisoned = three({ 0: isNaN_, 1: isNaN_, 2: isNaN_ });
const stopped = { ...three([0, 1, 2].map(() => ({ ...isNaN_, state: 'suspended' }))), isSuspended: true };
const lossFault = fault('loss-1-90', { kind: 'NonFiniteLoss', grade: 'Generation', rendezvous: 1, uid: undefined });
const slow = (generation = 1) => ({
  ...{ generation, failures: [] },
  findings: [{ kind: 'LogSlow' as const, at: now, message: 'rule Spike: 9 is above 2' }],
});
const spec = { restarts: { perWindow: 50 } };
const keep = ['keep 0-0', 'keep 1-0', 'keep 2-0'];
const suspend = (isSuspended: boolean) => `call ${JSON.stringify({ act: 'suspend', isSuspended })}`;
const restart = expect.stringContaining('"restoreBefore":90') as unknown as string;

describe('the pause before a restart', () => {
  const pauseOf = (given: Parameters<typeof situation>[0]): number | undefined => {
    const { backoffUntil } = nextMemory(situation({ spec, report: poisoned, ...given }));
    return backoffUntil === undefined ? undefined : (backoffUntil - now) / 1_000;
  };
  test.each<[string, number, object, number | undefined]>([
    ['is none for the first one', 0, {}, undefined],
    ['is the backoff for the second one', 1, {}, 10],
    ['doubles', 2, {}, 20],
    ['doubles again', 4, {}, 80],
    ['has a limit', 9, {}, 600],
    ['has the limit of the spec', 3, { backoff: '1m', max: '90s' }, 90],
    ['is none without a backoff', 5, { backoff: '0s' }, undefined],
  ])('%s, after %i in the window with %j', (_, spikes, spike, seconds) => {
    const given = { memory: memory({ spikes, windowStart: now }), spec: { restarts: { perWindow: 50, spike } } };
    expect(pauseOf(given)).toBe(seconds);
  });

  test.each<[string, Parameters<typeof situation>[0], number]>([
    ['a loss that is not finite', {}, 20],
    ['values beyond a threshold', { report: three(), logs: slow() }, 20],
    ['values beyond a threshold, with recovery Restart', { spec: { ...spec, recovery: 'Restart' }, logs: slow() }, 20],
  ])('follows %s', (_, given, seconds) => {
    expect(pauseOf({ memory: memory({ spikes: 2, windowStart: now }), ...given })).toBe(seconds);
  });

  test('follows no other fault', () => {
    const workers = [worker(0), worker(1), worker(2, { phase: 'Failed' })];
    const next = nextMemory(situation({ spec, workers, memory: memory({ spikes: 2, windowStart: now }) }));
    expect([next.total, next.spikes, next.backoffUntil]).toEqual([1, 2, undefined]);
  });

  test('begins anew in the next window', () => {
    const before = memory({ spikes: 5, windowStart: now - 7 * 3_600_000 });
    const next = nextMemory(situation({ spec, report: poisoned, memory: before }));
    expect([next.spikes, next.backoffUntil]).toEqual([1, undefined]);
  });

  test('is forgotten when it is over, and is a deadline before', () => {
    const paused = memory({ faults: [lossFault], spikes: 2, backoffUntil: now + 5_000 });
    const given = situation({ memory: paused });
    expect(nextMemory(given).backoffUntil).toBe(now + 5_000);
    expect(nextDeadline(given, nextMemory(given))).toBe(now + 5_000);
    expect(nextMemory({ ...given, now: now + 5_000 }).backoffUntil).toBeUndefined();
  });
});

describe('a job whose loss is not finite', () => {
  const paused = (changes: Partial<Memory> = {}) =>
    memory({ faults: [lossFault], spikes: 2, backoffUntil: now + 5_000, ...changes });
  test.each<[string, Parameters<typeof situation>[0], readonly string[]]>([
    ['restarts at once for the first time', { report: poisoned }, [...keep, restart]],
    ['waits until its fault is written down', { report: poisoned, memory: memory({ spikes: 1 }) }, keep],
    ['stops its ranks for the pause', { report: poisoned, memory: paused() }, [...keep, suspend(true)]],
    ['waits', { report: stopped, memory: paused() }, keep],
    [
      'waits with another Pod too',
      { report: stopped, memory: paused(), workers: [worker(0), worker(1), worker(2, { attempt: 1 })] },
      ['keep 0-0', 'keep 1-0', 'keep 2-1'],
    ],
    [
      'lets its ranks go on after the pause',
      { report: stopped, memory: paused({ backoffUntil: now }) },
      [...keep, suspend(false)],
    ],
    [
      'loads an earlier checkpoint then',
      { report: { ...stopped, isSuspended: false }, memory: paused({ backoffUntil: undefined }) },
      [...keep, restart],
    ],
  ])('%s', (_, given, expected) => {
    expect(planned(situation({ spec, ...given }))).toEqual(expected);
  });

  test('is not silent by a rule over its log meanwhile', () => {
    const logs = { generation: 1, failures: [], findings: [{ kind: 'LogHanging' as const, at: now, message: 'm' }] };
    expect(nextMemory(situation({ spec, logs, report: stopped, memory: paused() })).total).toBe(0);
  });
});

test('with recovery Restart, the next Pods are created after the pause', () => {
  const given = (backoffUntil: number | undefined) =>
    situation({
      spec: { ...spec, recovery: 'Restart' },
      ...{ workers: [], report: undefined },
      memory: memory({ members: [], generationTime: undefined, incarnation: 1, backoffUntil, spikes: 2 }),
    });
  expect(planned(given(now + 1))).toEqual([]);
  expect(planned(given(now))).toEqual(['create 0-0 gated', 'create 1-0 gated', 'create 2-0 gated']);
});

describe('the status', () => {
  const at = new Date(now + 20_000).toISOString().replace('.000', '');
  const message = `The job restarts at ${at}, after 3 faults of the loss in 6h`;
  const ranks = [{ pod: 'ranking-0-0', uid: 'uid-0-0', index: 0 }];
  const status = {
    ...{ rendezvous: 1, startTime: '2026-11-27T11:00:00Z', phase: 'Running', ranks },
    restarts: { partial: 2, full: 0, total: 2, spikes: 2, windowStart: '2026-11-27T11:00:00Z' },
  };
  const coordinator = report([{ ...three().ranks[0], ...isNaN_ } as never], {
    members: [{ worker: 'ranking-0-0', uid: 'uid-0-0' }],
  });
  test('has the pause and says when it ends', () => {
    const { conditions, status: next } = assessed({ spec: {}, status, pods: [{ index: 0 }], coordinator });
    expect(next?.restarts).toMatchObject({ spikes: 3, backoffUntil: at });
    expect(conditions.Training).toEqual({ reason: 'BackingOff', message });
  });
  test('is read again by another process of the operator', () => {
    const paused = { ...status, restarts: { ...status.restarts, spikes: 3, backoffUntil: at }, faults: [lossFault] };
    const {
      conditions,
      status: next,
      requeueAfter,
    } = assessed({ spec: {}, status: paused, pods: [{ index: 0 }], coordinator });
    expect([next?.phase, next?.restarts]).toMatchObject(['Recovering', { spikes: 3, backoffUntil: at }]);
    expect([conditions.Training?.message, conditions.Healthy?.reason]).toEqual([message, 'LossNotFinite']);
    expect(requeueAfter).toBe(20_000);
  });
  test('of a job without Pods says so too', () => {
    const paused = { ...status, restarts: { ...status.restarts, spikes: 3, backoffUntil: at }, ranks: [] };
    const { conditions } = assessed({ spec: { recovery: 'Restart' }, status: paused, pods: [] });
    expect(conditions.Scheduled).toEqual({ reason: 'Queued', message });
  });
});

test('a gated Pod of a job that pauses waits for its room as before', () => {
  const given = situation({
    spec,
    workers: [worker(0), worker(1), gated(2)],
    memory: memory({ backoffUntil: now + 1 }),
  });
  expect(planned(given)).toContain('queued: the room on the nodes is not known yet');
});
