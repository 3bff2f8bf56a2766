import { describe, expect, it } from 'vitest';
import {
  candidate,
  expired,
  fenced,
  following,
  leading,
  memory,
  noMemory,
  released,
  type situation,
  toldRole,
} from '../given-situation.js';
import { lineOf } from '../given-step.js';

const b = fenced('b', 90);
const c = fenced('c', 95);
const silent = candidate('a');
/** The Lease that `a` has released, and who has all of its writes. */
const handedTo = (name: string, release: object = {}) =>
  ({
    ...released,
    release: {
      ...{ by: memory.historian, term: 5, reason: 'Shutdown', replicationId: 'h1', offset: 99 },
      ...{ to: { name, uid: `uid-${name}`, boot: `boot-of-${name}` }, ...release },
    },
  }) as never;

describe('the plan of an election with launchers', () => {
  it.each<readonly [string, string, Parameters<typeof situation>[0]]>([
    ['waits: lease', 'the Lease is not known', { lease: undefined }],
    ['waits: lease', 'the annotations are not known', { existing: undefined }],
    ['elects nobody in term 5', 'somebody has deleted the Lease', { lease: { ...released, term: 0 } as never }],
    ['waits: candidates', 'no Pod matches', { lease: released }],
    ['waits: rival other', 'an older election has the Pods', { rival: 'other', candidates: [leading] }],
    // A leader that may lead.
    [
      'tells a leader 5, b replica 5, c replica 5',
      'roles are not told yet',
      { candidates: [leading, following('b'), following('c')] },
    ],
    ['rest', 'only the leader is silent, and its Lease is valid', { candidates: [silent] }],
    [
      'tells a leader 5',
      'the status does not have a replica yet',
      { candidates: [leading, following('b')], memory: { ...memory, members: [] } },
    ],
    [
      'tells a leader 5, d none 5',
      'a Pod has data of another history',
      {
        candidates: [leading, fenced('d', 7, { term: 5 }, { replicationId: 'other' })],
        memory: { ...memory, members: [] },
      },
    ],
    // Orderly ends.
    [
      'elects b in term 6',
      'the leader has ended, and it had all writes',
      { lease: handedTo('b'), candidates: [following('b'), following('c')] },
    ],
    [
      'tells b none 6, c none 6',
      'a person has left the release of an earlier leader',
      { lease: handedTo('b', { term: 4 }), candidates: [following('b'), following('c')] },
    ],
    [
      'tells b none 6, c none 6',
      'the status has not seen the leader that has ended',
      {
        lease: handedTo('b'),
        candidates: [following('b'), following('c')],
        memory: { ...memory, historyTerm: 4 },
      },
    ],
    [
      'tells b none 6, c none 6',
      'the container of the one that had all writes was restarted',
      {
        lease: handedTo('b', { to: { name: 'b', uid: 'uid-b', boot: 'x' } }),
        candidates: [following('b'), following('c')],
      },
    ],
    [
      'tells b none 6, c none 6',
      'the application of the one that had all writes does not answer',
      { lease: handedTo('b'), candidates: [following('b', { isRunning: false }), following('c')] },
    ],
    [
      'tells b none 6, c none 6',
      'the Pod of the one that had all writes ends',
      { lease: handedTo('b'), candidates: [{ ...following('b'), isEnding: true }, following('c')] },
    ],
    ['waits: fence c', 'a fence of the next term has begun', { lease: handedTo('c'), candidates: [b, following('c')] }],
    [
      'tells b none 6, c none 6',
      'a candidate has promised the leader to wait',
      {
        lease: handedTo('b'),
        candidates: [
          following('b'),
          {
            ...following('c'),
            report: { ...following('c').report, promisedTo: { term: 5, boot: 'boot-of-a' } },
          } as never,
        ],
      },
    ],
    // Fences.
    [
      'tells b none 6, c none 6',
      'the Lease has expired',
      { lease: expired, candidates: [silent, following('b'), following('c')] },
    ],
    [
      'tells a none 6, b none 6',
      'the container of the leader was restarted',
      { candidates: [candidate('a', { boot: 'other' }), following('b')] },
    ],
    ['tells b none 6', 'the Pod of the leader is gone', { candidates: [following('b')], existing: ['uid-b', 'uid-c'] }],
    [
      'tells a none 6, b none 6',
      'a Pod of the same name has replaced that of the leader',
      { candidates: [candidate('a', {}, { uid: 'new' }), following('b')], existing: ['new', 'uid-b'] },
    ],
    [
      'rest',
      'the Pod of the leader is not in the list, and was not asked for',
      { candidates: [following('b')], memory: { ...memory, leaderUid: 'other' } },
    ],
    [
      'waits: expiry',
      'the launchers were not asked since the Lease has expired',
      { lease: expired, candidates: [silent, b, c], reportsAt: 999 },
    ],
    [
      'waits: promises',
      'the leader leads by promises',
      {
        lease: expired,
        candidates: [{ ...leading, report: { ...leading.report, authority: 'Promises' } } as never, b],
      },
    ],
    [
      'waits: promises',
      'a candidate has promised not to lead',
      { lease: expired, candidates: [silent, fenced('b', 1, { promisedTo: { term: 5, boot: 'boot-of-a' } })] },
    ],
    [
      'tells b none 6',
      'the fence was interrupted in term 6',
      { lease: released, candidates: [{ ...following('b'), told: toldRole({ role: 'none', term: 6 }) }] },
    ],
    [
      'tells b none 7',
      'a leader of another Lease led in term 6',
      { lease: released, candidates: [{ ...following('b'), told: toldRole({ role: 'replica', term: 6 }) }] },
    ],
    [
      'tells b none 7',
      'an election that was deleted has begun the fence of term 6',
      { lease: released, candidates: [{ ...following('b'), told: toldRole({ uid: 'old', role: 'none', term: 6 }) }] },
    ],
    [
      'tells b none 6',
      'the election was created again after term 5',
      { lease: { ...released, term: 0 } as never, memory: noMemory, candidates: [following('b')] },
    ],
    [
      'waits: fence c',
      'a candidate has not detached',
      { lease: expired, candidates: [silent, b, fenced('c', 95, { fencedAt: 5 })] },
    ],
    ['waits: reports a', 'nobody answers', { lease: expired, candidates: [silent] }],
    // Choices.
    ['elects c in term 6', 'it has the most data', { lease: expired, candidates: [silent, b, c] }],
    [
      'elects b in term 6',
      'the one with the most data has no complete copy',
      {
        lease: expired,
        candidates: [silent, b, fenced('c', 95, {}, { isComplete: false })],
        memory: { ...memory, members: memory.members.map(({ isComplete: _, ...one }) => one) },
      },
    ],
    [
      'waits: replicas c',
      'one with a copy has begun a new one, so its writes are lost',
      { lease: expired, candidates: [silent, b, fenced('c', 95, {}, { isComplete: false })] },
    ],
    [
      'waits: replicas c',
      'a replica that may have confirmed writes is silent',
      { lease: expired, candidates: [silent, b, candidate('c')] },
    ],
    [
      'elects b in term 6',
      'a replica is silent, and two must confirm',
      { lease: expired, candidates: [silent, b, candidate('c')], of: { safety: { minReplicas: 2 } } },
    ],
    [
      'elects b in term 6',
      'nothing is confirmed',
      { lease: expired, candidates: [silent, b, candidate('c')], of: { safety: { minReplicas: 0 } } },
    ],
    [
      'waits: copy',
      'all data is of another history',
      { lease: expired, candidates: [silent, fenced('b', 90, {}, { replicationId: 'other' })] },
    ],
    [
      'elects a in term 6',
      'the last leader itself is fenced',
      { lease: released, candidates: [fenced('a', 100), candidate('b'), candidate('c')] },
    ],
    [
      'elects b in term 6',
      'the leader has released the Lease, and it has all of its writes',
      {
        lease: {
          ...released,
          release: { by: memory.historian, term: 5, reason: 'Shutdown', replicationId: 'h1', offset: 90 },
        } as never,
        candidates: [b, candidate('c')],
      },
    ],
    [
      'waits: replicas c',
      'the leader has released the Lease with more writes than it has',
      {
        lease: {
          ...released,
          release: { by: memory.historian, term: 5, reason: 'Shutdown', replicationId: 'h1', offset: 91 },
        } as never,
        candidates: [b, candidate('c')],
      },
    ],
    [
      'elects c in term 6',
      'the status has missed a leader that went on from the history',
      {
        lease: released,
        candidates: [
          fenced('b', 99),
          fenced('c', 95, {}, { replicationId: 'h2', secondReplicationId: 'h1', secondOffset: 90 }),
        ],
        memory: { ...memory, historyTerm: 4, members: [] },
      },
    ],
    [
      'elects b in term 6',
      'another one has diverged from the history',
      {
        lease: released,
        candidates: [b, fenced('c', 99, {}, { replicationId: 'h2', secondReplicationId: 'h1', secondOffset: 80 })],
        memory: { ...memory, members: [] },
      },
    ],
    // First leaders.
    [
      'elects a in term 6',
      'nobody has data',
      {
        lease: released,
        memory: noMemory,
        candidates: [fenced('a', 0, {}, { hasData: false }), fenced('b', 0, {}, { hasData: false })],
      },
    ],
    [
      'elects b in term 6',
      'only it has data',
      { lease: released, memory: noMemory, candidates: [fenced('a', 0, {}, { hasData: false }), b] },
    ],
    [
      'waits: histories b c',
      'two have data of different histories',
      { lease: released, memory: noMemory, candidates: [b, fenced('c', 9, {}, { replicationId: 'other' })] },
    ],
    [
      'waits: ready c',
      'the one with the most data does not answer its launcher',
      { lease: released, memory: noMemory, candidates: [b, fenced('c', 99, {}, { isRunning: false })] },
    ],
    [
      'waits: reports c',
      'a Pod has not answered yet',
      { lease: released, memory: noMemory, candidates: [fenced('b', 0, {}, { hasData: false }), candidate('c')] },
    ],
  ])('%s when %s', (expected, _, given) => {
    expect(lineOf(given)).toBe(expected);
  });
});
