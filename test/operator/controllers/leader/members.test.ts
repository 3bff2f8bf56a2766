import { describe, expect, it } from 'vitest';
import type { WithData } from '../../../../operator/controllers/leader/election/history.js';
import {
  isAdmissible,
  membersAfter,
  namesAfter,
  type Roll,
} from '../../../../operator/controllers/leader/election/members.js';
import { candidate, memory } from './given-situation.js';

const leader = candidate('a', {
  ...{ term: 5, role: 'leader', leads: true },
  application: { replicationId: 'h1', offset: 100, hasData: true },
}) as WithData;
const replica = (name: string, application: object = {}, report: object = {}) =>
  candidate(name, {
    ...{ term: 5, role: 'replica', ...report },
    application: { replicationId: 'h1', offset: 100, hasData: true, isLinked: true, ...application },
  });
const at = Date.parse('2030-01-01T00:01:00Z');
const roll = (given: Partial<Roll>): Roll => ({
  ...{ members: memory.members, names: memory.names, candidates: [leader], leader, historian: undefined, at },
  ...given,
});
const [b, c] = memory.members;
const gone = { boot: 'old', name: 'c', uid: 'uid-c', isComplete: true, goneSince: '2030-01-01T00:00:00Z' };

/** Members in one line each. */
const lines = (given: Partial<Roll>) =>
  membersAfter(roll(given)).map(({ boot, isComplete, goneSince, goneAt }) =>
    [boot, isComplete ? 'complete' : 'joining', goneSince === undefined ? '' : 'gone', goneAt ?? ''].join(' ').trim(),
  );

describe('the replicas that may have confirmed writes', () => {
  it.each([
    [
      'are recorded before they follow',
      { members: [], candidates: [leader, replica('b', { isComplete: false })] },
      ['boot-of-b joining'],
    ],
    ['are complete once they have a copy', { members: [], candidates: [leader, replica('b')] }, ['boot-of-b complete']],
    [
      'are not complete with a copy of another history',
      { members: [], candidates: [leader, replica('b', { replicationId: 'h0' })] },
      ['boot-of-b joining'],
    ],
    [
      'stay complete while they copy again',
      { members: [b as never], candidates: [leader, replica('b', { isComplete: false })] },
      ['boot-of-b complete'],
    ],
    [
      'stay while they are silent and were told to follow',
      {
        members: [b as never],
        candidates: [
          leader,
          candidate('b', undefined, {
            told: { isLabelled: false, role: { boot: 'boot-of-b', term: 5, role: 'replica' } as never },
          }),
        ],
      },
      ['boot-of-b complete'],
    ],
    [
      'stay after they are gone while no other one has a complete copy',
      {
        members: [{ ...gone, goneAt: 90 }],
        candidates: [leader, replica('b', { isComplete: false, offset: 80 })],
      },
      ['old complete gone 90', 'boot-of-b joining'],
    ],
    ['are gone with their Pod', { members: [b as never] }, ['boot-of-b complete gone']],
    [
      'are gone when another process answers',
      { members: [b as never], candidates: [leader, replica('b', {}, { boot: 'new' })] },
      ['boot-of-b complete gone', 'new complete'],
    ],
    [
      'include the earlier leader',
      { members: [], historian: { name: 'c', uid: 'uid-c', boot: 'boot-of-c' } },
      ['boot-of-c complete gone'],
    ],
    [
      'have the offset of the leader after they were gone',
      { members: [b as never, gone], candidates: [leader, replica('b', { offset: 99 })] },
      ['boot-of-b complete', 'old complete gone 100'],
    ],
    [
      'have no offset in the second in which they were first missed',
      { members: [b as never, { ...gone, goneSince: '2030-01-01T00:00:59Z' }], candidates: [leader, replica('b')] },
      ['boot-of-b complete', 'old complete gone'],
    ],
    [
      'leave when each other one has what they had',
      { members: [b as never, { ...gone, goneAt: 90 }], candidates: [leader, replica('b', { offset: 90 })] },
      ['boot-of-b complete'],
    ],
    [
      'stay while another one lags',
      { members: [b as never, { ...gone, goneAt: 90 }], candidates: [leader, replica('b', { offset: 89 })] },
      ['boot-of-b complete', 'old complete gone 90'],
    ],
    [
      'stay while another one is silent',
      {
        members: [b as never, { ...gone, goneAt: 90 }],
        candidates: [
          leader,
          candidate('b', undefined, {
            told: { isLabelled: false, role: { boot: 'boot-of-b', term: 5, role: 'replica' } as never },
          }),
        ],
      },
      ['boot-of-b complete', 'old complete gone 90'],
    ],
  ] as readonly (readonly [string, Partial<Roll>, readonly string[]])[])('%s', (_, given, expected) => {
    expect(lines(given)).toEqual(expected);
  });

  it('are others than the leader', () => {
    expect(lines({ members: [{ boot: 'boot-of-a', name: 'a', uid: 'uid-a' }] })).toEqual([]);
  });
});

describe('the data of a Pod', () => {
  it.each([
    [true, 'it has none', candidate('z', { application: { hasData: false } })],
    [
      true,
      'the Pod of this name has belonged to the election',
      candidate('b', { application: { replicationId: 'x', hasData: true } }),
    ],
    [
      true,
      'it is of the history of the leader',
      candidate('z', { application: { replicationId: 'h1', hasData: true } }),
    ],
    [false, 'it is of another history', candidate('z', { application: { replicationId: 'x', hasData: true } })],
    [false, 'nobody knows', candidate('z')],
  ])('may be overwritten: %s, when %s', (expected, _, one) => {
    expect(isAdmissible(one, { names: memory.names, leader })).toBe(expected);
  });

  it('is remembered by name, and Pods that exist no more are forgotten first', () => {
    const many = Array.from({ length: 200 }, (_, at) => `old-${at}`);
    const names = namesAfter(roll({ names: many }), [c as never]);
    expect(names).toHaveLength(128);
    expect(names).toContain('a');
  });
});
