import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import type { DatabaseResource } from '../../../../../imports/index.js';
import { assess } from '../../../../../operator/controllers/database/assess.js';
import { desire } from '../../../../../operator/controllers/database/desire.js';
import type { Instance } from '../../../../../operator/controllers/database/instances/instances.js';
import { closingIn, nextOf } from '../../../../../operator/controllers/database/plan/shutdown.js';
import type { Loose } from '../../../../given.js';
import { givenDatabase } from '../../database-backup/given-backup.js';
import { databaseView } from '../given-view.js';
import { podless, primary, replica, silent, situation, three } from '../instances/given-instances.js';

const meta = { deletionTimestamp: '2026-11-22T00:00:00Z' };
const said = { type: 'Deletable', status: 'Unknown', reason: 'Closing', message: '' } as const;
const closing = (last?: string, changes: object = {}): DatabaseResource =>
  givenDatabase(
    {},
    { meta, status: { conditions: [{ ...said, ...changes } as never], ...(last && { closing: last }) } },
  );
const ending = { ...silent, pod: 'ending' } as const;
const gone = podless;

describe('line 8: the instance that stops last', () => {
  test.each<{ is: string | undefined; when: string; resource: DatabaseResource; instances: readonly Instance[] }>([
    { is: 'orders-1', when: 'it is the primary', resource: closing(), instances: three() },
    { is: undefined, when: 'no primary is known', resource: closing(), instances: three(silent) },
    {
      is: 'orders-2',
      when: 'it has taken the place of another one meanwhile',
      resource: closing('orders-1'),
      instances: [replica(1, gone), primary(2, [3]), replica(3)],
    },
    {
      is: 'orders-1',
      when: 'it has stopped',
      resource: closing('orders-1'),
      instances: [replica(1, gone), replica(2, gone), replica(3, gone)],
    },
    {
      is: undefined,
      when: 'the last backup is not good yet',
      resource: closing('orders-1', { reason: 'SnapshotRunning' }),
      instances: three(),
    },
    { is: undefined, when: 'it is not being deleted', resource: givenDatabase(), instances: three() },
  ])('is $is when $when', ({ is, resource, instances }) => {
    expect(closingIn(resource, situation(instances))).toBe(is);
  });

  test.each<{ run: readonly string[]; when: string; resource?: DatabaseResource; instances: readonly Instance[] }>([
    {
      run: ['orders-1', 'orders-2', 'orders-3'],
      when: 'it is not written down who stops last',
      resource: closing(),
      instances: three(),
    },
    { run: ['orders-1'], when: 'all run, and it is the primary', instances: three() },
    { run: ['orders-1'], when: 'the others stop', instances: three({}, ending, ending) },
    {
      run: ['orders-1'],
      when: 'the others stop, and it does not answer any more',
      instances: three(silent, ending, ending),
    },
    {
      run: ['orders-1'],
      when: 'another one still stops, and it does not answer any more',
      instances: three(silent, ending, gone),
    },
    { run: [], when: 'it is alone', instances: three({}, gone, gone) },
    {
      run: [],
      when: 'it is alone, and was killed',
      instances: [replica(1, silent), replica(2, gone), replica(3, gone)],
    },
    { run: [], when: 'all have stopped', instances: [replica(1, gone), replica(2, gone), replica(3, gone)] },
    {
      run: ['orders-1', 'orders-2', 'orders-3'],
      when: 'it was killed before the others were to stop',
      instances: [replica(1, gone), replica(2), replica(3)],
    },
    {
      run: ['orders-1', 'orders-2', 'orders-3'],
      when: 'another one is the primary by now',
      instances: [replica(1), primary(2, [1, 3]), replica(3)],
    },
    {
      run: ['orders-1', 'orders-2', 'orders-3'],
      when: 'the last backup is wanted anew',
      resource: closing('orders-1', { reason: 'SnapshotRunning' }),
      instances: [replica(1, gone), replica(2, gone), replica(3, gone)],
    },
  ])('$run run, and every claim stays, when $when', ({ run, resource = closing('orders-1'), instances }) => {
    const { pods, claims } = nextOf(resource, situation(instances));
    expect(pods).toEqual(run);
    expect(claims.map(({ name }) => name)).toEqual(['orders-1', 'orders-2', 'orders-3']);
  });
});

describe('line 8: a Database whose instances stop', () => {
  const spec = { deletionPolicy: 'Snapshot', backup: { target: { volume: {} } } } as const;
  const view = (status: object) => databaseView({ spec, metadata: meta, status: { conditions: [said], ...status } });

  test('says that, and who stops last, and nothing of what would be trouble else', () => {
    const { conditions, status, events } = assess(view({}));
    expect(conditions).toEqual({ Available: { reason: 'Terminating' } });
    expect(status?.closing).toBe('orders-1');
    expect(events ?? []).toEqual([]);
  });

  test('says that too when it is saved', () => {
    const saved = { ...said, status: 'True', reason: 'SnapshotCompleted' };
    const { conditions, status } = assess(view({ conditions: [saved], closing: 'orders-1' }));
    expect(conditions).toEqual({ Available: { reason: 'Terminating' } });
    expect(status).not.toHaveProperty('closing');
  });

  test('keeps the Pod of the last one, and every claim', () => {
    const chart = new Chart(new App(), 'resource', { namespace: 'shop' });
    desire(chart, view({ closing: 'orders-1' }));
    const named = (kind: string) =>
      chart.toJson().flatMap((one: Loose) => (one.kind === kind ? [one.metadata.name] : []));
    expect(named('Pod')).toEqual(['orders-1']);
    expect(named('PersistentVolumeClaim')).toEqual(['orders-1', 'orders-2', 'orders-3']);
  });
});
