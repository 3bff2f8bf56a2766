import { describe, expect, test } from 'vitest';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
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
