import { describe, expect, test } from 'vitest';
import type { LivePersistentVolumeClaim } from '../../../../operator/index.js';
import { live } from '../../../given.js';
import type { LivePod } from '../../cluster/kinds.js';
import { claimsGoLast, noPrimaryGoes, oneAway, seenDuring } from './observed-moments.js';
import type { TriedDatabase } from './tried-database.js';

interface Given {
  readonly isGoing?: boolean;
  readonly role?: string;
  readonly isReady?: boolean;
}

const deleted = { deletionTimestamp: '2026-11-22T03:00:00Z' };

function pod(name: string, { isGoing = false, role = 'replica', isReady = true }: Given = {}): LivePod {
  const conditions = [
    { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: '2026-11-22T02:59:00Z' },
  ];
  const metadata = { name, labels: { role }, ...(isGoing && deleted) };
  return live({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [] }, status: { conditions } });
}

function claim(name: string, { isGoing = false }: Given = {}): LivePersistentVolumeClaim {
  return live({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, ...(isGoing && deleted) } });
}

const going = { isGoing: true };

test.each([
  { broken: undefined, when: 'nothing goes', claims: [claim('a-1')], pods: [pod('a-1')] },
  { broken: undefined, when: 'its Pod is gone', claims: [claim('a-1', going)], pods: [pod('a-2')] },
  {
    broken: 'claim a-1 is deleted while its pod is there',
    when: 'its Pod goes as well',
    claims: [claim('a-1', going)],
    pods: [pod('a-1', going)],
  },
])('a claim goes last: $broken, when $when', async ({ broken, claims, pods }) => {
  expect(await claimsGoLast({ claims, pods })).toBe(broken);
});

test.each([
  { broken: undefined, when: 'a replica goes', role: 'replica', isGoing: true },
  { broken: undefined, when: 'the primary stays', role: 'master', isGoing: false },
  { broken: 'a-1 is deleted while it is the primary', when: 'the primary goes', role: 'master', isGoing: true },
])('no primary goes: $broken, when $when', async ({ broken, role, isGoing }) => {
  expect(await noPrimaryGoes({ claims: [], pods: [pod('a-1', { role, isGoing }), pod('a-2')] })).toBe(broken);
});

test.each([
  { broken: undefined, when: 'all are ready', ready: [true, true, true] },
  { broken: undefined, when: 'one is not', ready: [true, false, true] },
  { broken: undefined, when: 'one is not there', ready: [true, true] },
  { broken: '1 of 3 instances are ready', when: 'two are not', ready: [true, false, false] },
  { broken: '1 of 3 instances are ready', when: 'one is not there, and one not ready', ready: [true, false] },
])('one is away at the most: $broken, when $when', async ({ broken, ready }) => {
  const pods = ready.map((isReady, index) => pod(`a-${index}`, { isReady }));
  expect(await oneAway(3)({ claims: [], pods })).toBe(broken);
});

describe('the observations during an act', () => {
  let looks = 0;
  const database = {
    claims: async () => [],
    pods: async () => [pod(`a-${++looks}`, { isReady: false })],
  } as unknown as TriedDatabase;

  test('list each broken rule once while it lasts', async () => {
    const rule = oneAway(3);
    const seen = await seenDuring(database, rule, async () => {
      const before = looks;
      while (looks < before + 3) await new Promise((resolve) => setTimeout(resolve, 10));
    });
    expect(seen).toEqual(['0 of 3 instances are ready']);
  });

  test('is of no interest where that fails', async () => {
    const act = async () => {
      throw new Error('it did not come to pass');
    };
    await expect(seenDuring(database, () => undefined, act)).rejects.toThrow('it did not come to pass');
  });
});
