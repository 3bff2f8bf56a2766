import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { assess } from '../../../../operator/controllers/database-backup/assess.js';
import { desire } from '../../../../operator/controllers/database-backup/desire.js';
import type { BackupView } from '../../../../operator/controllers/database-backup/view.js';
import type { LivePod } from '../../../../operator/runtime/index.js';
import { factsOf } from '../../../../operator/testing/index.js';
import { givenBackup, givenDatabase, givenWorker } from './given-backup.js';

type Backup = ReturnType<typeof givenBackup>;

interface World {
  readonly database?: ReturnType<typeof givenDatabase>;
  readonly siblings?: readonly Backup[];
  readonly pods?: readonly LivePod[];
}

function factsAbout(backup: Backup, { database = givenDatabase(), siblings = [], pods = [] }: World): BackupView {
  const reads = { database, siblings: [backup, ...siblings] };
  return factsOf(backup, { owned: pods, reads, now: new Date('2026-11-21T03:10:00Z') }) as unknown as BackupView;
}

const failing = (name: string) => givenWorker(name, { problem: 'no route' }, 1);
const twice = { attempts: 2, tried: '2026-11-21T03:00:00Z', problem: 'no route' };

describe('line 6: a backup', () => {
  test('goes on while it is being made, though the Database has no primary for a moment', () => {
    const world = { database: givenDatabase({}, { status: {} }), pods: [givenWorker('nightly-make-1')] };
    const chart = new Chart(new App(), 'resource');
    desire(chart, factsAbout(givenBackup('nightly'), world));
    expect(chart.toJson().map(({ metadata }) => metadata.name)).toEqual(['nightly-make-1']);
  });

  test('is not outdated by those that need it: what changed since', () => {
    const spec = { backup: { target: { volume: {} }, retention: { full: 1 } } };
    const made = { label: '20261121-030000F', finished: '2026-11-21T03:00:09Z', state: 'Completed' as const };
    const changes = { ...made, label: '20261121-030000F_20261121-040000I', finished: '2026-11-21T04:00:09Z' };
    const sibling = givenBackup('changes', { spec: { type: 'Incremental' }, status: changes });
    const world = { database: givenDatabase(spec), siblings: [sibling] };
    expect(assess(factsAbout(givenBackup('full', { status: made }), world)).status?.state).toBe('Completed');
  });

  test('is tried again when its Pod was taken away with its node', () => {
    const { status, ...pod } = givenWorker('nightly-make-1');
    const taken = { ...pod, status: { phase: 'Failed' as const, reason: status ? 'Evicted' : '' } };
    const problem = 'the Pod of the worker was removed before the worker finished';
    expect(assess(factsAbout(givenBackup('nightly'), { pods: [taken] })).status).toMatchObject({
      attempts: 1,
      problem,
    });
  });
});

describe('line 8: a last backup', () => {
  test('is tried as often as it takes, where another one is given up', () => {
    const state = (origin: 'Snapshot' | 'Manual') => {
      const backup = givenBackup('last', { spec: { origin }, status: twice });
      return assess(factsAbout(backup, { pods: [failing('last-make-3')] })).status?.state;
    };
    expect(state('Manual')).toBe('Failed');
    expect(state('Snapshot')).not.toBe('Failed');
  });
});
