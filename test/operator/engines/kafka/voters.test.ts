import { describe, expect, it } from 'vitest';
import { obstacleToRemoval } from '../../../../operator/engines/kafka/clusters/voters.js';

/** A quorum whose leader is 1000, by the ends of the logs of its voters. */
function quorum(...ends: readonly number[]) {
  const voters = ends.map((logEndOffset, n) => ({ id: 1000 + n, directoryId: `disk-${n}`, logEndOffset }));
  return { leader: 1000, voters, observers: [] };
}

describe('the removal of voter 1002', () => {
  it.each([
    { expected: undefined, when: 'both others go on', after: [11, 11, 11] },
    { expected: undefined, when: 'it is dead itself', after: [11, 11, 10] },
    {
      expected: 'Without controller 1002, 1 of 2 voters are alive, and 2 must be',
      when: 'another has got nothing new',
      after: [11, 10, 11],
    },
    { expected: undefined, when: 'one of three others is dead', after: [11, 11, 11, 10] },
    {
      expected: 'Without controller 1002, 1 of 3 voters are alive, and 2 must be',
      when: 'two of three others are',
      after: [11, 10, 11, 9],
    },
  ])('$expected: $when', ({ expected, after }) => {
    expect(obstacleToRemoval(1002, quorum(...after.map(() => 10)), quorum(...after))).toBe(expected);
  });

  it('does not leave an empty quorum', () => {
    expect(obstacleToRemoval(1000, quorum(10), quorum(11))).toBe('Controller 1000 is the only voter');
  });
});
