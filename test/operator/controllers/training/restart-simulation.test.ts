import { describe, expect, it } from 'vitest';
import { seeds } from '../../../simulation/seeds.js';
import { restartHistory } from '../../../simulation/training/restart-history.js';

const from = seeds(0, 0);
const count = seeds(20, 300);

describe('the plan of a TrainingJob with recovery Restart, in histories with faults', () => {
  const lines: string[] = [];

  it('restarts all workers of a lost one once, after the old ones have ended, and ends the job', () => {
    for (let seed = from; seed < from + count; seed++) {
      const history = restartHistory(seed);
      expect(history.broken, `npm run simulate -- --controller training-restart --seed ${seed}`).toBeUndefined();
      lines.push(...history.lines);
    }
  });

  it('has every act and every fault in some of them', () => {
    const told = lines.join('\n');
    for (const sign of [
      ...['releases Pod', 'deletes Pod', 'operator dies', 'is lost', 'deleted', 'deleted at once', 'fails'],
      ...['{"suspend":true}', '{"revision":"r2"}', 'Succeeded', 'counts pod-', 'counts lost-', 'is not ready'],
    ])
      expect(told).toContain(sign);
  });

  it('is the same for the same seed', () => {
    expect(restartHistory(3)).toEqual(restartHistory(3));
  });
});
