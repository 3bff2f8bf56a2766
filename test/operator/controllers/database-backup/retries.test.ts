import { describe, expect, test } from 'vitest';
import type { DatabaseBackupResource } from '../../../../imports/index.js';
import { assess } from '../../../../operator/controllers/database-backup/assess.js';
import type { LivePod } from '../../../../operator/runtime/index.js';
import { givenBackup, givenWorker, madeResult } from './given-backup.js';
import { factsAbout, leaving, made } from './given-facts.js';

const verify = { annotations: { 'reconstruct.dev/verify': 'true' } };
const failed = { attempts: 1, tried: '2026-11-21T03:00:00Z', problem: 'no route' };

describe('line 6: of a backup whose try failed', () => {
  test.each<{ note: string; when: string; backup?: Parameters<typeof givenBackup>[1]; pod: LivePod }>([
    {
      note: 'attempt 1 to create it failed and is retried: no route',
      when: 'it could not be made',
      pod: givenWorker('nightly-make-1', { problem: 'no route' }, 1),
    },
    {
      note: 'attempt 2 to create it failed and is retried: the worker exited with code 137',
      when: 'its worker was killed',
      backup: { status: failed },
      pod: givenWorker('nightly-make-2', '', 137),
    },
    {
      note: 'attempt 1 to verify it failed and is retried: no room',
      when: 'it could not be restored for want of room',
      backup: { status: { ...made, problem: 'no route' }, meta: verify },
      pod: givenWorker('nightly-verify-1', { problem: 'no room' }, 1),
    },
    {
      note: 'attempt 1 to remove it from the archive failed and is retried: no route',
      when: 'it is deleted, and the archive is away',
      backup: { status: made, meta: leaving },
      pod: givenWorker('nightly-expire-1', { problem: 'no route' }, 1),
    },
  ])('warns once, when $when', ({ note, backup, pod }) => {
    const { events, status } = assess(factsAbout(givenBackup('nightly', backup), { pods: [pod] }));
    expect(events).toEqual([{ type: 'Warning', reason: 'BackupRetried', note: `Backup nightly: ${note}` }]);
    const after = givenBackup('nightly', { ...backup, status: status as DatabaseBackupResource['status'] });
    expect(assess(factsAbout(after, { pods: [pod] })).events).toEqual([]);
  });

  test('its condition alone tells when no other follows', () => {
    const status = { ...failed, attempts: 2 };
    const pods = [givenWorker('nightly-make-3', { problem: 'no route' }, 1)];
    expect(assess(factsAbout(givenBackup('nightly', { status }), { pods })).events).toEqual([]);
  });

  const { attempts: _, ...over } = failed;
  const last = { spec: { origin: 'Snapshot' as const } };
  test.each<{ keeps: object; when: string; backup: Parameters<typeof givenBackup>[1]; said: [string, object] }>([
    { keeps: over, when: 'it was made', backup: { status: failed }, said: ['make-2', madeResult] },
    {
      ...{ keeps: over, when: 'it is good', said: ['verify-2', { good: true }] },
      backup: { status: { ...made, ...failed }, meta: verify },
    },
    {
      ...{ keeps: {}, when: 'it is bad, which matters more', said: ['verify-2', { good: false, problem: 'corrupt' }] },
      backup: { status: { ...made, ...failed }, meta: verify },
    },
    {
      ...{ keeps: {}, when: 'it is the last one, whose Database tells what keeps it', said: ['make-2', madeResult] },
      backup: { ...last, status: failed },
    },
  ])('keeps $keeps when $when', ({ keeps, backup, said: [pod, result] }) => {
    const pods = [givenWorker(`nightly-${pod}`, result)];
    const { attempts, tried, problem } = assess(factsAbout(givenBackup('nightly', backup), { pods })).status ?? {};
    expect({ attempts, tried, problem }).toEqual({
      attempts: undefined,
      tried: undefined,
      problem: undefined,
      ...keeps,
    });
  });

  test('says why there is another try while that runs', () => {
    const { Completed } = assess(factsAbout(givenBackup('nightly', { status: failed }))).conditions;
    expect(Completed).toEqual({
      reason: 'Running',
      message: 'Attempt 2 is running; the previous attempt failed: no route',
    });
  });
});
