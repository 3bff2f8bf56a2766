import { describe, expect, test } from 'vitest';
import { expiresAt } from '../../../../operator/controllers/training/deadlines.js';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import { specOf } from '../../../src/training/given-job.js';
import { fault, memory, nothing, now, planned, report, situation, three, worker } from './given-training.js';
import { assessed, type SeenPod } from './given-view.js';

const kept = (...indexes: readonly number[]) => indexes.map((index) => `keep ${index}-0`);

describe('a job that stops', () => {
  const asked = memory({ stoppingTime: now - 1_000 });
  const saved = {
    ...three({ 0: { state: 'suspended' }, 1: { state: 'suspended' }, 2: { state: 'suspended' } }),
    isSuspended: true,
  };
  const stop = 'call {"act":"suspend","isSuspended":true}';
  test.each<[string, Parameters<typeof situation>[0], readonly string[]]>([
    ['asks for a checkpoint', { spec: { suspend: true } }, [...kept(0, 1, 2), stop]],
    [
      'waits for it',
      { spec: { suspend: true }, memory: asked, report: { ...three(), isSuspended: true } },
      kept(0, 1, 2),
    ],
    ['then has no Pods', { spec: { suspend: true }, memory: asked, report: saved }, []],
    [
      'waits for ranks of which a new coordinator has not heard yet',
      { spec: { suspend: true }, memory: asked, report: { ...report([], { members: [] }), isSuspended: true } },
      kept(0, 1, 2),
    ],
    [
      'waits for no rank whose Pod is lost',
      {
        spec: { suspend: true },
        workers: [worker(0), worker(1), worker(2, { isNodeLost: true })],
        memory: asked,
        report: { ...saved, ranks: [...saved.ranks.slice(0, 2), ...three().ranks.slice(2)] },
      },
      [],
    ],
    [
      'waits for it when the ranks had lost a peer before',
      {
        spec: { suspend: true },
        memory: asked,
        report: {
          ...three({ 0: { state: 'waiting' }, 1: { state: 'suspended' }, 2: { state: 'ended' } }),
          isSuspended: true,
        },
      },
      kept(0, 1, 2),
    ],
    [
      'waits until it is written down that it stops, while a generation may have begun unseen',
      {
        spec: { suspend: true },
        memory: memory({ members: [] }),
        report: { ...three(), members: [], isSuspended: true },
      },
      kept(0, 1, 2),
    ],
    [
      'stops at once without a generation then',
      {
        spec: { suspend: true },
        memory: memory({ members: [], stoppingTime: now }),
        report: { ...three(), members: [], isSuspended: true },
      },
      [],
    ],
    [
      'waits five minutes at most',
      { spec: { suspend: true }, memory: memory({ stoppingTime: now - 300_000 }) },
      [stop],
    ],
    [
      'waits for Pods that may train while the coordinator does not answer',
      { spec: { suspend: true }, report: undefined, memory: memory({ members: [], stoppingTime: now - 1_000 }) },
      kept(0, 1, 2),
    ],
    ['stops for another content of the Pods', { revision: 'r2' }, [...kept(0, 1, 2), stop]],
    [
      'with recovery Restart has nobody to ask',
      { spec: { suspend: true, recovery: 'Restart' }, memory: asked, report: undefined },
      [],
    ],
    [
      'starts again with other Pods',
      { workers: [], memory: memory({ members: [] }), report: saved },
      ['create 0-0 gated', 'create 1-0 gated', 'create 2-0 gated', 'call {"act":"suspend","isSuspended":false}'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(planned(situation(changes))).toEqual(expected);
  });
  test('forgets its members when its Pods are gone', () => {
    expect(nextMemory(situation({ spec: { suspend: true }, workers: [], memory: asked })).members).toEqual([]);
    expect(nextMemory(situation({ workers: [], memory: asked })).faults).toEqual([]);
  });
});

describe('a job ends', () => {
  const succeeded = [0, 1, 2].map((index) => worker(index, { phase: 'Succeeded' }));
  /** Workers that exited with 0 so many seconds ago. */
  const exited = (ago: number) =>
    succeeded.map((one) => ({ ...one, ended: new Date(now - 1_000 * ago).toISOString() }));
  const endOf = (changes: Parameters<typeof situation>[0]) => nextMemory(situation(changes)).end?.reason;
  test.each<[string, Parameters<typeof situation>[0], string | undefined]>([
    [
      'when every rank is done',
      { report: three({ 0: { state: 'done' }, 1: { state: 'done' }, 2: { state: 'done' } }) },
      'Succeeded',
    ],
    ['not when one is done and others train', { report: three({ 0: { state: 'done' } }) }, undefined],
    ['when every Pod has exited with 0', { workers: exited(30), report: undefined }, 'Succeeded'],
    ['not before the coordinator has told of the last steps', { workers: exited(29), report: undefined }, undefined],
    ['not while what it tells is from before the end', { workers: exited(29), report: three() }, undefined],
    [
      'when every Pod has exited, and the coordinator has told of the last steps',
      { workers: exited(1), report: three({ 0: { state: 'done' }, 1: { state: 'finishing' }, 2: { state: 'done' } }) },
      'Succeeded',
    ],
    [
      'when every Pod has exited, and the coordinator knows of none',
      { workers: exited(1), report: report([]) },
      'Succeeded',
    ],
    [
      'without a fault if the last words of all are from before the end',
      { workers: exited(29), report: three({ 0: { state: 'waiting', age: 60 } }) },
      undefined,
    ],
    ['not when one Pod has', { workers: [succeeded[0] ?? worker(0), worker(1), worker(2)] }, undefined],
    [
      'when every Pod has, with recovery Restart',
      { spec: { recovery: 'Restart' }, workers: succeeded, report: undefined, memory: nothing },
      'Succeeded',
    ],
    ['after its deadline', { spec: { activeDeadline: '1m' } }, 'DeadlineExceeded'],
    ['not before its deadline', { spec: { activeDeadline: '2m' } }, undefined],
  ])('%s', (_, changes, reason) => {
    expect(endOf(changes)).toBe(reason);
    expect(nextMemory(situation(changes)).faults).toEqual([]);
  });

  const ended = memory({ end: { time: now, reason: 'Succeeded' } });
  const workers = [worker(0, { phase: 'Succeeded' }), worker(1, { phase: 'Failed' }), worker(2)];
  const past = memory({ end: { time: now - 60_000, reason: 'Succeeded' } });
  test.each([
    ['All', []],
    ['OnlyComplete', ['keep 1-0']],
    ['None', ['keep 0-0', 'keep 1-0']],
  ])('and with cleanPods %s keeps %j', (cleanPods, expected) => {
    expect(planned(situation({ spec: { cleanPods }, memory: past, workers }))).toEqual(expected);
  });

  const running = [worker(0), worker(1), worker(2), worker(3)];
  test.each<[string, string, Parameters<typeof situation>[0], readonly string[]]>([
    ['None', 'that all ranks have and the kubelet has not reported', { workers: running }, kept(0, 1, 2)],
    ['OnlyComplete', 'that may still fail', { workers: running }, kept(0, 1, 2)],
    ['All', 'that all ranks have', { workers: running }, []],
    [
      'None',
      'a millisecond before the minute is over',
      { workers: running, memory: memory({ end: { time: now - 59_999, reason: 'Succeeded' } }) },
      kept(0, 1, 2),
    ],
    ['None', 'for a minute only', { workers: running, memory: past }, []],
    [
      'None',
      'on machines that are there, in Pods that are not being deleted',
      { workers: [worker(0), worker(1, { isNodeLost: true }), worker(2, { isEnding: true })] },
      kept(0),
    ],
    [
      'None',
      'after a failure, in the Pod whose launcher has given up',
      {
        workers: running,
        memory: memory({
          end: { time: now, reason: 'RestartsExhausted' },
          faults: [fault('pod-uid-1-0', { kind: 'DeviceFailed' }), fault('pod-uid-2-0', { kind: 'PodFailed' })],
        }),
      },
      kept(1),
    ],
  ])('and with cleanPods %s waits for the end %s', (cleanPods, _, changes, expected) => {
    expect(planned(situation({ spec: { cleanPods }, memory: ended, ...changes }))).toEqual(expected);
  });

  describe('and tells of Pods that run on', () => {
    const stops = 'The job has ended; Pod ranking-1-0 ran for another 60 s, and was stopped';
    const told = (ago: number, pods: readonly SeenPod[], message?: string) => {
      const reason = message === stops ? 'PodsStopped' : 'Completed';
      const { conditions, events, requeueAfter } = assessed({
        spec: { workers: 2, cleanPods: 'None' },
        status: {
          ...{ phase: 'Succeeded', completionTime: new Date(now - 1_000 * ago).toISOString(), rendezvous: 1 },
          ranks: [0, 1].map((index) => ({ pod: `ranking-${index}-0`, uid: `uid-${index}-0`, index })),
          ...(message !== undefined && {
            conditions: [{ type: 'Scheduled', status: 'True', reason, message }],
          }),
        },
        pods,
      });
      expect(conditions.Scheduled?.reason).toBe(conditions.Scheduled?.message === stops ? 'PodsStopped' : 'Completed');
      return [conditions.Scheduled?.message, requeueAfter, events?.map((event) => `${event.reason}: ${event.note}`)];
    };
    const pods = [{ index: 0 }, { index: 1 }];
    const waits = 'The job has ended, and waits up to 60 s for the end of Pods ranking-0-0, ranking-1-0';
    const one = 'The job has ended, and waits up to 60 s for the end of Pod ranking-1-0';
    test.each<[string, readonly unknown[], Parameters<typeof told>]>([
      ['while it waits for them', [waits, 60_000, []], [0, pods]],
      ['until they have ended', [one, 1_000, []], [59, [{ index: 0, phase: 'Succeeded' }, { index: 1 }], waits]],
      ['when it stops them', [stops, undefined, [`PodsStopped: ${stops}`]], [60, pods.slice(1), one]],
      ['once', [stops, undefined, []], [61, pods.slice(1), stops]],
      ['when they are gone', [stops, undefined, []], [90, [], stops]],
      ['not when all have ended', [undefined, undefined, []], [30, [{ index: 0, phase: 'Succeeded' }], one]],
    ])('%s', (_, expected, given) => {
      expect(told(...given)).toEqual(expected);
    });
  });
});

describe('a job that has ended at noon is deleted', () => {
  const completionTime = '2026-11-27T12:00:00Z';
  test.each([
    ['after a day', '24h', completionTime, '2026-11-28T12:00:00.000Z'],
    ['at once', '0s', completionTime, '2026-11-27T12:00:00.000Z'],
    ['never, if that is not stated', undefined, completionTime, undefined],
    ['not while it runs', '24h', undefined, undefined],
  ])('%s', (_, ttlAfterFinished, ended, expected) => {
    const spec = specOf(ttlAfterFinished === undefined ? {} : { ttlAfterFinished });
    const at = expiresAt({ spec, status: { observedGeneration: 1, ...(ended && { completionTime: ended }) } });
    expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(expected);
  });
});

describe('with recovery Restart', () => {
  const restart = (changes: Parameters<typeof situation>[0]) =>
    situation({ spec: { recovery: 'Restart' }, memory: nothing, report: undefined, ...changes });
  const failed = [worker(0, { phase: 'Failed' }), worker(1, { phase: 'Failed' }), worker(2)];
  test('all Pods are replaced once, however many have failed', () => {
    const { incarnation, partial, total } = nextMemory(restart({ workers: failed }));
    expect([incarnation, partial, total]).toEqual([1, 1, 2]);
  });
  test('as many restarts as perWindow do not end the job', () => {
    const { end, incarnation } = nextMemory(restart({ workers: failed, memory: { ...nothing, partial: 2 } }));
    expect([end, incarnation]).toEqual([undefined, 1]);
  });
  test('more restarts than perWindow end the job', () => {
    const given = restart({ workers: failed, memory: { ...nothing, partial: 3, windowStart: now } });
    expect(nextMemory(given).end?.reason).toBe('RestartsExhausted');
  });
});
