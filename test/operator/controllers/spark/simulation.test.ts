import { describe, expect, it } from 'vitest';
import { seeds } from '../../../simulation/seeds.js';
import { sparkHistory } from '../../../simulation/spark/spark-history.js';

/** `npm run simulate -- --controller spark` plays more. Those of a commit have every act and every fault. */
const count = seeds(15, 200);

describe('the plan of a SparkJob, in histories with faults', () => {
  const lines: string[] = [];

  it('runs one driver at a time, counts each failure once, and ends each job for good', () => {
    for (let seed = 0; seed < count; seed++) {
      const history = sparkHistory(seed);
      expect(history.broken, `npm run simulate -- --controller spark --seed ${seed}`).toBeUndefined();
      lines.push(...history.lines);
    }
  });

  it('has every act and every fault in some of them', () => {
    const told = lines.join('\n');
    for (const sign of [
      ...['creates clean', 'deletes clean', 'operator dies', 'is lost', 'returns', 'is off for good', 'evicts'],
      ...['"suspend":true', '"args"', 'creates it again', 'hangs', 'ends with 0', 'ends with 137', 'OtherDriver'],
      ...['Succeeded', 'RuleFails', 'Stopping', 'WaitingForRetry', 'Suspended'],
    ])
      expect(told).toContain(sign);
  });

  it('is the same for the same seed', () => {
    expect(sparkHistory(3)).toEqual(sparkHistory(3));
  });
});
