import { describe, expect, test } from 'vitest';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import { logsAsked } from '../../../../operator/controllers/training/polls.js';
import type { LogAnswer, LogFinding } from '../../../../operator/controllers/training/ports/logs.js';
import { trainingRevision } from '../../../../src/index.js';
import { specOf } from '../../../src/training/given-job.js';
import { fault, memory, nothing, now, planned, situation, worker } from './given-training.js';

const found = (of: number | undefined, changes: Partial<LogFinding> = {}): LogFinding => ({
  ...{ kind: 'LogHanging', at: now - 1_000, message: 'rule r: no line has matched for 300 s' },
  ...(of !== undefined && { pod: { name: `ranking-${of}-0`, uid: `uid-${of}-0` } }),
  ...changes,
});
const logs = (findings: readonly LogFinding[], generation = 1): LogAnswer => ({ generation, findings, failures: [] });
const faults = (changes: Parameters<typeof situation>[0]) =>
  nextMemory(situation(changes)).faults.map(({ id, kind, grade, rank, node }) =>
    [id, kind, grade, ...(rank === undefined ? [] : [`rank ${rank}`]), ...(node === undefined ? [] : [node])].join(' '),
  );

describe('what rules over the logs find is a fault', () => {
  test.each<[string, Parameters<typeof situation>[0], readonly string[]]>([
    ['of the Pod, which is replaced', { logs: logs([found(1)]) }, ['pod-uid-1-0 LogHanging Pod rank 1 node-1']],
    [
      'of the first one: the others follow from it',
      { logs: logs([found(2, { kind: 'LogFault' }), found(0), found(1)]) },
      ['pod-uid-2-0 LogFault Pod rank 2 node-2'],
    ],
    ['of nobody, for which a new group forms', { logs: logs([found(undefined)]) }, ['logs-1 LogHanging Generation']],
    ['only of its generation', { logs: logs([found(1)], 0) }, []],
    ['only of a Pod that is there', { logs: logs([found(7)]) }, []],
    [
      'once while the Pod is being replaced',
      { logs: logs([found(0)]), memory: memory({ faults: [fault('pod-uid-1-0', { kind: 'LogFault' })] }) },
      ['pod-uid-1-0 LogFault Pod'],
    ],
    [
      'once if nobody is to blame',
      {
        logs: logs([found(undefined)]),
        memory: memory({ faults: [fault('logs-1', { kind: 'LogHanging', grade: 'Generation' })] }),
      },
      ['logs-1 LogHanging Generation'],
    ],
    [
      'again in the next generation',
      {
        logs: logs([found(undefined)]),
        memory: memory({ faults: [fault('logs-0', { kind: 'LogHanging', grade: 'Generation' })] }),
      },
      ['logs-1 LogHanging Generation', 'logs-0 LogHanging Generation'],
    ],
    ['not while the job stops', { logs: logs([found(1)]), spec: { suspend: true } }, []],
  ])('%s', (_, changes, expected) => {
    expect(faults(changes)).toEqual(expected);
  });

  test('and the processes form a new group if nobody is to blame', () => {
    const before = memory({ faults: [fault('logs-1', { kind: 'LogHanging', grade: 'Generation', uid: undefined })] });
    expect(planned(situation({ memory: before }))).toContainEqual(
      expect.stringContaining('"act":"begin","generation":2'),
    );
  });
});

describe('with recovery Restart', () => {
  const restart = (changes: object) =>
    situation({
      ...{ spec: { recovery: 'Restart' }, report: undefined, memory: { ...nothing, generation: 1, startTime: now } },
      ...changes,
    });
  test.each([
    ['of a Pod', found(1), 'pod-uid-1-0'],
    ['of nobody', found(undefined), 'logs-1'],
  ])('a finding %s replaces all Pods', (_, finding, id) => {
    const { faults: counted, incarnation, partial, generation } = nextMemory(restart({ logs: logs([finding]) }));
    expect(counted.map((one) => [one.id, one.grade])).toEqual([[id, 'Job']]);
    expect([incarnation, partial, generation]).toEqual([1, 1, 2]);
  });
  test('more findings than perWindow end the job', () => {
    const before = { ...nothing, generation: 1, partial: 3, windowStart: now };
    expect(nextMemory(restart({ memory: before, logs: logs([found(1)]) })).end?.reason).toBe('RestartsExhausted');
  });
});

describe('logs are followed', () => {
  const rules = [{ name: 'r', logPattern: 'Error', faultOnMatch: true }];
  const metadata = { name: 'ranking', namespace: 'ml', uid: 'uid', resourceVersion: '1' };
  /** A question about a job with two workers. */
  const question = ({ spec: changes = {}, status = {}, pods = [0, 1].map((index) => worker(index)) }: Given = {}) => {
    const spec = specOf({ workers: 2, recovery: 'Restart', health: { logRules: rules }, ...changes });
    const revision = trainingRevision({ name: 'ranking', namespace: 'ml', uid: 'uid', spec });
    const live = pods.map(({ name, uid, phase, created, started }) => ({
      metadata: { name, uid, creationTimestamp: created, annotations: { 'reconstruct.dev/revision': revision } },
      spec: {},
      status: {
        phase,
        containerStatuses: [{ name: 'trainer', ...(started && { state: { running: { startedAt: started } } }) }],
      },
    }));
    const view = {
      resource: { apiVersion: 'v1', kind: 'TrainingJob', metadata, spec, status: { observedGeneration: 1, ...status } },
      ...{ owned: { of: () => live }, reads: { nodes: [], isShared: undefined } },
    };
    return logsAsked(view as never)?.question;
  };
  interface Given {
    readonly spec?: object;
    readonly status?: object;
    readonly pods?: readonly ReturnType<typeof worker>[];
  }
  const started = { started: '2026-11-27T10:05:00Z' };
  const running = [worker(0, started), worker(1, started)];
  const members = { ranks: [0, 1].map((index) => ({ pod: `ranking-${index}-0`, uid: `uid-${index}-0`, index })) };
  const since = (given: Given) => question(given)?.pods.map(({ name, since: from }) => `${name} ${from.slice(11, 16)}`);

  test.each<[string, Given, readonly string[] | undefined]>([
    ['from the start of each program', { pods: running }, ['ranking-0-0 10:05', 'ranking-1-0 10:05']],
    ['not before all Pods run', { pods: [worker(0), worker(1, { phase: 'Pending' })] }, undefined],
    ['not when a Pod has ended', { pods: [worker(0), worker(1, { phase: 'Succeeded' })] }, undefined],
    ['not of a job that is suspended', { spec: { suspend: true }, pods: running }, undefined],
    ['not of a job that has ended', { status: { completionTime: '2026-11-27T11:00:00Z' }, pods: running }, undefined],
    ['not without rules', { spec: { health: {} }, pods: running }, undefined],
    ['with InPlace, not before there is a generation', { spec: { recovery: 'InPlace' }, pods: running }, undefined],
    [
      'with InPlace, from the start of the generation',
      { spec: { recovery: 'InPlace' }, status: { ...members, rendezvousTime: '2026-11-27T11:30:00Z' }, pods: running },
      ['ranking-0-0 11:30', 'ranking-1-0 11:30'],
    ],
    [
      'or from the start of a later program',
      { spec: { recovery: 'InPlace' }, status: { ...members, rendezvousTime: '2026-11-27T10:00:00Z' }, pods: running },
      ['ranking-0-0 10:05', 'ranking-1-0 10:05'],
    ],
    [
      'with InPlace, not while a member is gone',
      { spec: { recovery: 'InPlace' }, status: members, pods: running.slice(1) },
      undefined,
    ],
  ])('%s', (_, given, expected) => {
    expect(since(given)).toEqual(expected);
  });
});
