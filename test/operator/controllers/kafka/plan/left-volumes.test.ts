import { describe, expect, test } from 'vitest';
import { node, planned, six, stopped } from '../given-kafka.js';

describe('the volumes of nodes that left', () => {
  const gone = (retired: 'removed' | 'lost') => [...six(), node(3, { ...stopped, retired })];
  test.each([
    { ids: [0, 1, 2, 1000, 1001, 1002, 3], when: 'the policy is Retain', is: gone('removed'), keepsRemoved: true },
    { ids: [0, 1, 2, 1000, 1001, 1002], when: 'the policy is Delete', is: gone('removed'), keepsRemoved: false },
    { ids: [0, 1, 2, 1000, 1001, 1002, 3], when: 'the machine was lost', is: gone('lost'), keepsRemoved: false },
    {
      ids: [0, 1, 2, 1000, 1001, 1002, 3],
      when: 'the node has just left: the label is written first',
      is: [...six(), node(3, stopped)],
      keepsRemoved: false,
    },
  ])('$ids stay when $when', ({ ids, is, keepsRemoved }) => {
    expect(planned(is, { keepsRemoved }).claims.map(({ id }) => id)).toEqual(ids);
  });
});
