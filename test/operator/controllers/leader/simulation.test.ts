import { describe, expect, it } from 'vitest';
import { leaderHistory } from '../../../simulation/leader/leader-history.js';
import { seeds } from '../../../simulation/seeds.js';

/** `npm run simulate -- --controller leader` plays more. Those of a commit have every act and every fault. */
const count = seeds(12, 100);

describe('the plan of a LeaderElection, in histories with faults', () => {
  const lines: string[] = [];

  it('loses no confirmed write, has one leader in a term, and leads when all is calm', () => {
    for (let seed = 0; seed < count; seed++) {
      const history = leaderHistory(seed);
      expect(history.broken, `npm run simulate -- --controller leader --seed ${seed}`).toBeUndefined();
      lines.push(...history.lines);
    }
  });

  it('has every act and every fault in some of them', () => {
    const told = lines.join('\n');
    for (const sign of [
      ...['fence', 'elects', 'leader', 'replica', 'dies', 'to=cache', 'creates it again'],
      ...['freezes true', 'freezes false', 'is cut off true', 'is cut off false', 'restarts'],
    ])
      expect(told).toContain(sign);
  });
});
