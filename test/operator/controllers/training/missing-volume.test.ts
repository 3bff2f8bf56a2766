import { describe, expect, test } from 'vitest';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import type { LivePersistentVolume } from '../../../../operator/runtime/index.js';
import { fault, gated, memory, nothing, now, planned, room, situation, worker } from './given-training.js';
import { assessed } from './given-view.js';

const obstacle = 'PersistentVolumeClaim data not found';
const ofAll = { kind: 'PersistentVolumeClaim' as const, obstacle, isOfFirst: false };
const ofFirst = { ...ofAll, isOfFirst: true };
const waits = `queued: ${obstacle}`;
const waiting = [0, 1, 2].map((index) => gated(index));
const unplaced = (index: number, attempt = 0) => worker(index, { attempt, phase: 'Pending', node: undefined });
/** A job of three workers that has not started, with room for all. */
const new_ = (changes: Parameters<typeof situation>[0]) =>
  situation({ workers: waiting, memory: nothing, report: undefined, room: room(10), missingObject: ofAll, ...changes });

describe('a job whose volume is not there', () => {
  test.each<[string, Parameters<typeof situation>[0], readonly string[]]>([
    ['creates no Pods', { workers: [] }, [waits]],
    ['gives its place among those that wait up', {}, [waits]],
    ['gives it up with recovery Restart too', { spec: { recovery: 'Restart' } }, [waits]],
    [
      'lacks only the Pod that mounts it',
      { workers: [], missingObject: ofFirst },
      ['create 1-0 gated', 'create 2-0 gated', waits],
    ],
    ['opens no gate without that Pod', { missingObject: ofFirst }, ['keep 1-0 gated', 'keep 2-0 gated', waits]],
    ['starts when it is there', { missingObject: undefined }, ['open 0-0', 'open 1-0', 'open 2-0']],
  ])('%s', (_, changes, expected) => {
    expect(planned(new_(changes))).toEqual(expected);
  });

  const opened = [worker(0), worker(1), unplaced(2)];
  test.each<[string, Parameters<typeof situation>[0], number]>([
    ['gives the nodes back that it has', { workers: opened }, 1],
    ['gives them back when a killed operator has opened some gates', { workers: [unplaced(0), gated(1), gated(2)] }, 1],
    ['keeps them if the Pod that mounts it has one', { workers: opened, missingObject: ofFirst }, 0],
    ['keeps them if all have one', { workers: [0, 1, 2].map((index) => worker(index)) }, 0],
    ['has none to give back behind its gates', {}, 0],
  ])('%s, without a fault', (_, changes, incarnation) => {
    for (const recovery of ['InPlace', 'Restart']) {
      const next = nextMemory(new_({ ...changes, spec: { recovery } }));
      expect([next.incarnation, next.total], recovery).toEqual([incarnation, 0]);
    }
  });

  test('deletes no part of a start with recovery Restart before it is written down that all go', () => {
    const workers = [unplaced(0), gated(1), gated(2)];
    const keeps = ['keep 0-0', 'keep 1-0 gated', 'keep 2-0 gated'];
    expect(planned(new_({ workers, spec: { recovery: 'Restart' } }))).toEqual([...keeps, waits]);
  });

  test.each([
    ['waits for a node', [unplaced(0, 1)]],
    ['waits with a gate', [gated(0, { attempt: 1 })]],
    ['does not exist', []],
  ])('keeps the members of its generation when their first Pod %s', (_, first) => {
    const lost = memory({ faults: [fault('pod-uid-0-0')] });
    const given = situation({ workers: [...first, worker(1), worker(2)], memory: lost, missingObject: ofFirst });
    expect(planned(given)).toEqual(['keep 1-0', 'keep 2-0', waits]);
    const { incarnation, total } = nextMemory(given);
    expect([incarnation, total]).toEqual([0, 0]);
  });
});

describe('the status of a job that names PersistentVolumeClaims', () => {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const there = { isEnding: false };
  const ending = { isEnding: true };
  const gone = (name: string) => `The workers wait: PersistentVolumeClaim ${name} not found`;
  const leaving = (name: string) => `The workers wait: PersistentVolumeClaim ${name} is being deleted`;
  const pods = [{ index: 0 }, { index: 1 }];
  test.each<[string, Partial<Parameters<typeof assessed>[0]>, string | undefined]>([
    ['that of the checkpoints is missing', { claims: [undefined, there] }, gone('models')],
    ['that of all Pods is missing', { claims: [there, undefined] }, gone('data')],
    ['that of the checkpoints is being deleted', { claims: [ending, there] }, leaving('models')],
    ['that of all Pods is being deleted', { claims: [there, ending] }, leaving('data')],
    ['both are being deleted', { claims: [ending, ending] }, leaving('data')],
    ['all are there', { claims: [there, there] }, undefined],
    ['one is missing that only the first Pod mounts', { claims: [ending, there], pods: pods.slice(0, 1) }, undefined],
    [
      'it is missing and all Pods mount it',
      { claims: [ending, there], pods: pods.slice(0, 1), isShared: true },
      leaving('models'),
    ],
  ])('says so when %s', (_, changes, message) => {
    const { conditions } = assessed({
      spec: { workers: 2, checkpoint: { claimName: 'models' }, podTemplate: { volumes } },
      ...{ status: { startTime: new Date(now).toISOString() }, pods: [], ...changes },
    });
    expect(conditions.Scheduled?.message).toBe(message);
    expect(conditions.Scheduled?.reason === 'ClaimNotFound').toBe(message !== undefined);
  });
});

describe('the status of a job whose volume no free node can mount', () => {
  const unbound = '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims';
  const unfound = "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind";
  const conflict = '0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had volume node affinity conflict';
  const newer = "0/3 nodes are available: 3 node(s) didn't match PersistentVolume's node affinity";
  const zone = 'topology.kubernetes.io/zone';
  const volume = (name: string, key: string, ...values: readonly string[]): LivePersistentVolume => ({
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: `pv-${name}`, uid: 'u', resourceVersion: '1' } },
    spec: {
      claimRef: { namespace: 'ml', name },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key, values }] }] } },
    },
  });
  const own = { checkpoint: { size: '1Gi' } };
  const named = { checkpoint: { claimName: 'models' } };
  const pending = { isEnding: false, isBound: false };
  const bound = { isEnding: false, isBound: true };
  type Given = Partial<Parameters<typeof assessed>[0]>;
  test.each<[string, string, Given, string]>([
    [
      'has no volume yet',
      unbound,
      { spec: own, ownClaim: 'Pending' },
      `PersistentVolumeClaim ranking-checkpoints has no volume yet for Pod ranking-0-0`,
    ],
    [
      'is named and has no volume yet',
      unfound,
      { spec: named, claims: [pending] },
      `PersistentVolumeClaim models has no volume yet for Pod ranking-0-0`,
    ],
    [
      'has its volume in another zone',
      conflict,
      {
        spec: own,
        ownClaim: 'Bound',
        volumes: [volume('other', zone, 'eu-1b'), volume('ranking-checkpoints', zone, 'eu-1a')],
      },
      `the volume of PersistentVolumeClaim ranking-checkpoints is at ${zone}=eu-1a, and no node there can run Pod ranking-0-0`,
    ],
    [
      'is named, and has its volume on another machine',
      newer,
      { spec: named, claims: [bound], volumes: [volume('models', 'kubernetes.io/hostname', 'n1')] },
      'the volume of PersistentVolumeClaim models is at kubernetes.io/hostname=n1, and no node there can run Pod ranking-0-0',
    ],
    [
      'has its volume elsewhere, and the operator may not read where',
      conflict,
      { spec: own, ownClaim: 'Bound' },
      'the volume of PersistentVolumeClaim ranking-checkpoints is elsewhere than the free nodes for Pod ranking-0-0',
    ],
  ])('names the claim that %s, and waits without a fault', (_, unschedulable, { spec, ...given }, told) => {
    const { conditions, status } = assessed({
      ...{ spec: { workers: 2, ...spec }, status: {}, pods: [{ index: 0, unschedulable }, { index: 1 }], ...given },
    });
    const { reason, message } = conditions.Scheduled ?? {};
    expect([reason, message]).toEqual([
      'Queued',
      `The workers wait: ${told}: no node can run the Pod: ${unschedulable}`,
    ]);
    expect([status?.phase, status?.restarts?.total, status?.incarnation]).toEqual(['Queued', 0, 0]);
  });

  test('counts no restart when the workers have waited for gang.timeout', () => {
    const waits = worker(0, { phase: 'Pending', node: undefined, lacks: 'Volume' });
    const late = { ...nothing, openedTime: now - 600_000 };
    const { incarnation, total, partial, full } = nextMemory(
      new_({ workers: [waits, worker(1), worker(2)], memory: late, missingObject: undefined }),
    );
    expect({ incarnation, total, partial, full }).toEqual({ incarnation: 1, total: 0, partial: 0, full: 0 });
  });
});
