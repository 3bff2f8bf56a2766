import { describe, expect, test } from 'vitest';
import type { QuotaState } from '../../../../operator/controllers/training/gang/quota.js';
import { quotaOf, quotaStateOf, siblingOf } from '../../../../operator/controllers/training/gang/quota-state.js';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import { type Quota, shortageIn } from '../../../../operator/controllers/training/room/quotas.js';
import type { Worker } from '../../../../operator/controllers/training/workers/worker.js';
import { gated, memory, nothing, now, planned, room, situation, worker } from './given-training.js';

/** A quota that counts Pods, or other resources. */
const quota = (hard: Quota['hard'], used: Quota['used'] = {}, scopes: Quota['scopes'] = []): Quota => ({
  ...{ name: 'team', hard, used, scopes },
});
/** Six Pods are allowed, and so many exist. */
const six = (used: number) => [quota({ pods: 6 }, { pods: used })];

type Changes = Parameters<typeof situation>[0] & { readonly state?: Partial<QuotaState> };

/** A job of three workers and a coordinator that has not started, under the quota of its namespace. */
function waiting({ state = {}, ...changes }: Changes) {
  const under = { ...{ quotas: six(0), hasCoordinator: false, isRefused: false, hasElder: false }, ...state };
  return situation({ workers: [], memory: nothing, report: undefined, room: room(10), quota: under, ...changes });
}

const fresh = ['create 0-0 gated', 'create 1-0 gated', 'create 2-0 gated'];
const short = (need: number, left: number) =>
  `queued: ResourceQuota team does not allow what the job needs: pods ${need}, with ${left} of 6 left`;

describe('a job under a ResourceQuota', () => {
  const lost = [worker(0), worker(1)];
  test.each<[string, Changes, readonly string[]]>([
    ['creates all Pods when the quota allows them', { state: { quotas: six(2) } }, fresh],
    ['creates none when it does not allow that of the coordinator', { state: { quotas: six(3) } }, [short(4, 3)]],
    ['counts a coordinator once', { state: { quotas: six(3), hasCoordinator: true } }, fresh],
    ['has no coordinator with recovery Restart', { spec: { recovery: 'Restart' }, state: { quotas: six(3) } }, fresh],
    ['counts its spares', { spec: { spares: 1 }, state: { quotas: six(2) } }, [short(5, 4)]],
    ['has no Pods that a smaller quota allows', { state: { quotas: six(9) } }, [short(4, 0)]],
    [
      'keeps the Pods that it has, and creates no more of a part',
      { workers: [gated(0)], state: { quotas: six(5), hasCoordinator: true } },
      ['keep 0-0 gated', short(2, 1)],
    ],
    [
      'replaces a lost Pod when the quota allows it',
      { workers: lost, memory: memory(), state: { quotas: six(5), hasCoordinator: true } },
      ['keep 0-0', 'keep 1-0', 'create 2-0'],
    ],
    [
      'waits with a replacement, and keeps the others',
      { workers: lost, memory: memory(), state: { quotas: six(6), hasCoordinator: true } },
      ['keep 0-0', 'keep 1-0', short(1, 0)],
    ],
    [
      'creates each further worker that the quota allows once it trains',
      { spec: { workers: 6 }, workers: lost, memory: memory(), state: { quotas: six(4), hasCoordinator: true } },
      ['keep 0-0', 'keep 1-0', 'create 2-0', 'create 3-0', short(4, 2)],
    ],
    [
      'creates no Pods in the minute after it gave them back',
      { memory: { ...nothing, refusedTime: now - 59_999 } },
      ['queued: a ResourceQuota refused a part of the Pods, so all were given back, and are created again in a minute'],
    ],
    ['creates them after it', { memory: { ...nothing, refusedTime: now - 60_000 } }, fresh],
  ])('%s', (_, changes, expected) => {
    expect(planned(waiting(changes))).toEqual(expected);
  });
});

describe('what a quota lacks', () => {
  const pods = {
    count: 2,
    requests: { cpu: 2, memory: 2 ** 31, 'nvidia.com/gpu': 4 },
    limits: { cpu: 3, memory: 2 ** 32 },
  };
  const lacks = (hard: Quota['hard'], used: Quota['used'] = {}) => shortageIn([quota(hard, used)], [pods]);
  const of = (what: string) => `ResourceQuota team does not allow what the job needs: ${what}`;
  test.each<[string, Parameters<typeof lacks>, string | undefined]>([
    ['Pods', [{ 'count/pods': 1 }], of('count/pods 2, with 1 of 1 left')],
    ['requested cores', [{ 'requests.cpu': 4, cpu: 3.5 }], of('cpu 4, with 3500m of 3500m left')],
    [
      'requested memory',
      [{ 'requests.memory': 2 ** 32 }, { 'requests.memory': 2 ** 30 }],
      of('requests.memory 4Gi, with 3Gi of 4Gi left'),
    ],
    ['limits', [{ 'limits.cpu': 5, 'limits.memory': 2 ** 33 }], of('limits.cpu 6, with 5 of 5 left')],
    [
      'devices',
      [{ 'requests.nvidia.com/gpu': 8 }, { 'requests.nvidia.com/gpu': 1 }],
      of('requests.nvidia.com/gpu 8, with 7 of 8 left'),
    ],
    ['nothing that workers have', [{ services: 0, 'requests.storage': 0, 'limits.example.com/x': 0 }], undefined],
    ['several', [{ pods: 1, cpu: 1 }], of('pods 2, with 1 of 1 left; cpu 4, with 1 of 1 left')],
    ['nothing that is just enough', [{ pods: 2, cpu: 4.1 }, { cpu: 0.1 }], undefined],
  ])('is told of %s', (_, given, expected) => {
    expect(lacks(...given)).toBe(expected);
  });

  test.each<[string, boolean, readonly (readonly [string, string?, ...string[]])[], string?]>([
    ['Pods without a deadline', true, [['NotTerminating']]],
    ['Pods with requests', true, [['NotBestEffort'], ['NotTerminating']]],
    ['other Pods', false, [['Terminating']]],
    ['Pods without requests', false, [['NotTerminating'], ['BestEffort']]],
    ['Pods with the affinity to other namespaces', false, [['CrossNamespacePodAffinity']]],
    ['Pods of the class', true, [['PriorityClass', 'In', 'high']], 'high'],
    ['Pods of another class', false, [['PriorityClass', 'In', 'high']], 'low'],
    ['Pods of other classes', true, [['PriorityClass', 'NotIn', 'high']], 'low'],
    ['Pods of any class', false, [['PriorityClass', 'Exists']]],
    ['Pods with any class', true, [['PriorityClass', 'Exists']], 'low'],
    ['Pods of no class', true, [['PriorityClass', 'DoesNotExist']]],
  ])('is told of a quota for %s: %s', (_, isTold, stated, priorityClass) => {
    const scopes = stated.map(([name, operator = 'Exists', ...values]) => ({ name, operator, values }));
    const told = shortageIn([quota({ pods: 0 }, {}, scopes)], [{ ...pods, priorityClass }]);
    expect(told !== undefined).toBe(isTold);
  });
});

describe('a job whose Pods a quota cuts short', () => {
  const at = (seconds: number) => new Date(now - 1_000 * seconds).toISOString();
  const some = (ago: number): readonly Worker[] => [0, 1].map((index) => gated(index, { created: at(ago) }));
  const full = { quotas: six(6), hasCoordinator: true };
  const refused = { quotas: six(0), isRefused: true };
  test.each<[string, boolean, Changes]>([
    ['gives them back when an older job waits too', true, { workers: some(0), state: { ...full, hasElder: true } }],
    [
      'gives them back when the API server refused one',
      true,
      { workers: some(0), state: { ...refused, hasElder: true } },
    ],
    [
      'keeps them for two minutes if it is the oldest',
      false,
      { workers: some(119), state: { ...full, isRefused: true } },
    ],
    ['gives them back then', true, { workers: some(120), state: full }],
    [
      'gives back those that wait for their coordinator',
      true,
      {
        workers: [0, 1, 2].map((index) => worker(index)),
        state: { ...refused, hasElder: true },
      },
    ],
    ['waits for others without a refusal', false, { workers: some(300), state: { quotas: six(0), hasElder: true } }],
    [
      'keeps them while it trains',
      false,
      { workers: some(300), memory: memory(), state: { ...refused, hasElder: true } },
    ],
    [
      'keeps them while it is suspended',
      false,
      {
        workers: some(300),
        spec: { suspend: true },
        state: { ...refused, hasElder: true },
      },
    ],
    [
      'with recovery Restart keeps Pods that were released',
      false,
      {
        ...{ spec: { recovery: 'Restart' }, workers: [worker(0), worker(1)], memory: { ...nothing } },
        state: { ...full, hasElder: true, quotas: six(6) },
      },
    ],
    ['has none to give back without Pods', false, { state: { quotas: six(6), hasElder: true } }],
    ['waits a minute when all were refused', true, { state: refused }],
  ])('%s: %s', (_, isBack, changes) => {
    const next = nextMemory(waiting(changes));
    expect(next.refusedTime).toBe(isBack ? now : undefined);
    if (!isBack) return;
    expect([next.incarnation, next.total, next.generation, next.partial, next.full]).toEqual([1, 0, 0, 0, 0]);
    expect(planned(waiting({ ...changes, memory: next })).filter((one) => !one.startsWith('queued'))).toEqual([]);
  });

  test('forgets after a minute that it gave them back', () => {
    const kept = (refusedTime: number) => nextMemory(waiting({ memory: { ...nothing, refusedTime } })).refusedTime;
    expect([kept(now - 59_999), kept(now - 60_000)]).toEqual([now - 59_999, undefined]);
  });
});

describe('what is read beside a quota', () => {
  const metadata = { name: 'b', namespace: 'ml', creationTimestamp: '2026-11-27T10:00:00Z' };
  const sibling = (name: string, created: string, phase?: string, changes: object = {}) =>
    siblingOf({
      metadata: { name, creationTimestamp: created, ...changes },
      ...(phase && { status: { phase } }),
    } as never);
  const elder = (...siblings: readonly ReturnType<typeof sibling>[]) =>
    quotaStateOf({ resource: { metadata }, owned: { of: () => [] }, reads: { siblings } } as never).hasElder;
  const [before, after] = ['2026-11-27T09:00:00Z', '2026-11-27T11:00:00Z'];
  test.each<[string, boolean, boolean]>([
    ['is an older job that waits', elder(sibling('c', before, 'Queued')), true],
    ['is an older job that starts', elder(sibling('c', before, 'Starting')), true],
    ['is an older job without a status', elder(sibling('c', before)), true],
    ['is the first by name of those created at once', elder(sibling('a', metadata.creationTimestamp, 'Queued')), true],
    ['is not the job itself', elder(sibling('b', metadata.creationTimestamp, 'Queued')), false],
    ['is no younger job', elder(sibling('a', after, 'Queued')), false],
    ['is no job that trains', elder(sibling('a', before, 'Running')), false],
    ['is no job that is suspended', elder(sibling('a', before, 'Suspended')), false],
    ['is no job that is being deleted', elder(sibling('a', before, 'Queued', { deletionTimestamp: before })), false],
  ])('an elder %s', (_, is, expected) => {
    expect(is).toBe(expected);
  });

  const deployment = (status: object, name = 'b-coordinator') => ({ metadata: { name }, status });
  const failure = (message: string) => ({ conditions: [{ type: 'ReplicaFailure', status: 'True', message }] });
  const said =
    'pods "b-coordinator-1" is forbidden: exceeded quota: team, requested: pods=1, used: pods=6, limited: pods=6';
  test.each<[string, object, string | undefined, readonly boolean[]]>([
    ['neither without a coordinator', {}, undefined, [false, false]],
    ['a coordinator that exists', deployment({ replicas: 1 }), undefined, [true, false]],
    ['that of another job', deployment({ replicas: 1 }, 'a-coordinator'), undefined, [false, false]],
    ['a coordinator that was refused', deployment(failure(said)), undefined, [false, true]],
    ['another failure of it', deployment(failure('forbidden: webhook')), undefined, [false, false]],
    ['a worker that was refused', {}, said, [false, true]],
    ['another refusal', {}, 'pods "b-0-0" is forbidden: violates PodSecurity', [false, false]],
  ])('tells %s', (_, found, blocker, expected) => {
    const live = 'metadata' in found ? [found] : [];
    const state = quotaStateOf({ resource: { metadata }, owned: { of: () => live }, reads: {}, blocker } as never);
    expect([state.hasCoordinator, state.isRefused]).toEqual(expected);
  });

  test('has the amounts and scopes of the quota', () => {
    const spec = {
      scopes: ['NotTerminating'],
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
    };
    const status = { hard: { pods: '6', 'requests.memory': '4Gi', odd: '-1x' }, used: { pods: '2' } };
    expect(quotaOf({ metadata: { name: 'team' }, spec, status } as never)).toEqual({
      ...{ name: 'team', hard: { pods: 6, 'requests.memory': 2 ** 32 }, used: { pods: 2 } },
      scopes: [
        { name: 'NotTerminating', operator: 'Exists', values: [] },
        { name: 'PriorityClass', operator: 'In', values: ['high'] },
      ],
    });
    expect(quotaOf({ metadata: { name: 'new' } } as never)).toEqual({ name: 'new', hard: {}, used: {}, scopes: [] });
  });
});
