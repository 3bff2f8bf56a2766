import { describe, expect, it } from 'vitest';
import { withdrawals } from '../../../../operator/controllers/leader/election/roles.js';
import { candidate, toldRole } from './given-situation.js';

describe('the end of an election', () => {
  it('removes what its Pods were told, and leaves the role of another election', () => {
    const pods = [
      candidate('a', undefined, { told: { ...toldRole({ role: 'leader' }), text: '{}', isLabelled: true } }),
      candidate('b', undefined, { told: { term: '5', isLabelled: false } }),
      candidate('c', undefined, { told: { ...toldRole({ uid: 'other', role: 'replica' }), text: '{}' } }),
      candidate('d'),
    ];
    expect(withdrawals(pods, 'election').map(({ name }) => name)).toEqual(['a', 'b']);
  });
});
