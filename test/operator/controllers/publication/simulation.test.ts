import { describe, expect, it } from 'vitest';
import { publicationHistory } from '../../../simulation/publication/publication-history.js';
import { seeds } from '../../../simulation/seeds.js';

/** `npm run simulate -- --controller publication` plays more. Those of a commit have every act and every fault. */
const count = seeds(6, 60);

describe('the plan of a ServicePublication, in histories with faults', () => {
  const lines: string[] = [];

  it('changes no record of others, publishes when all is calm, and removes exactly its own when it is deleted', () => {
    for (let seed = 0; seed < count; seed++) {
      const history = publicationHistory(seed);
      expect(history.broken, `npm run simulate -- --controller publication --seed ${seed}`).toBeUndefined();
      lines.push(...history.lines);
    }
  }, 120_000);

  it('has every act and every fault in some of them', () => {
    const told = lines.join('\n');
    for (const sign of [
      ...['changes dns', 'changes haproxy', 'changes etcd', 'dies', 'dies after a write', 'is away', 'is back'],
      ...['wants', 'has no addresses', 'write to', 'leave', 'deletes the publication'],
    ])
      expect(told).toContain(sign);
  });
});
