import { describe, expect, it } from 'vitest';
import { seeds } from '../../../simulation/seeds.js';
import { trainingHistory } from '../../../simulation/training/training-history.js';

/** `npm run simulate -- --controller training` plays more. Those of a commit have every act and every fault. */
const from = seeds(18, 0);
const count = seeds(7, 25);

describe('the plans of two TrainingJobs, in histories with faults', () => {
  const lines: string[] = [];

  it('replaces only what broke, counts each fault once, and ends each job', () => {
    for (let seed = from; seed < from + count; seed++) {
      const history = trainingHistory(seed);
      expect(history.broken, `npm run simulate -- --controller training --seed ${seed}`).toBeUndefined();
      lines.push(...history.lines);
    }
  });

  it('has every act and every fault in some of them', () => {
    const told = lines.join('\n');
    for (const sign of [
      ...['releases Pod', 'deletes Pod', '"begin"', '"restart"', '"suspend"', 'restoreBefore', '"planned":true'],
      ...['operator dies', 'starts again', 'is lost', 'returns', 'deleted', 'fails', 'exits', 'frozen', 'sleeps'],
      ...['Continues with', 'Trains with', 'with a higher priority waits for room'],
      ...['poisoned', '{"suspend":true}', '{"revision":"r2"}', 'Succeeded', 'RestartsExhausted', 'is not ready'],
    ])
      expect(told).toContain(sign);
  });

  it('end when a quota has room for one of the jobs, and both have created a part of their Pods', () => {
    for (const seed of [9, 160]) {
      const history = trainingHistory(seed);
      expect(history.broken, `seed ${seed}`).toBeUndefined();
      for (const sign of ['may not create Pod', 'to the quota']) expect(history.lines.join('\n')).toContain(sign);
    }
  });

  it('is the same for the same seed', () => {
    expect(trainingHistory(3)).toEqual(trainingHistory(3));
  });
});
