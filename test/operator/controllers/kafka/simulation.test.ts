import { describe, expect, it } from 'vitest';
import { combinedKafkaHistory, kafkaHistory } from '../../../simulation/kafka/kafka-history.js';
import { seeds } from '../../../simulation/seeds.js';

/** `npm run simulate -- --controller kafka` plays more. Of those of a commit, one has every act and every fault. */
const from = seeds(9, 0);
const count = seeds(5, 14);

describe('the plan of a KafkaCluster, in histories with faults', () => {
  const lines: string[] = [];

  it('line 10: never loses data, takes down one node at a time, and ends as the spec wants it', async () => {
    for (let seed = from; seed < from + count; seed++) {
      const history = await kafkaHistory(seed);
      expect(history.broken, `npm run simulate -- --controller kafka --seed ${seed}`).toBeUndefined();
      lines.push(...history.lines);
    }
  });

  it('has every act and every fault in some of them', () => {
    const told = lines.join('\n');
    for (const sign of [
      ...['plans replace', 'plans stop', 'plans retire', 'plans add', 'plans call'],
      ...['"reassign"', '"unregister"', '"addVoter"', '"removeVoter"', '"finalize"', '"unthrottle"', '"configure"'],
      ...['operator dies', 'is lost', 'is deleted', 'returns', ' dies'],
      ...['{"brokers":5}', '{"brokers":3}', '{"controllers":5}', '{"controllers":3}', '{"version":"4.4"}'],
    ])
      expect(told).toContain(sign);
  });

  it('holds all of it for brokers that are controllers', async () => {
    const combined: string[] = [];
    for (let seed = from; seed < from + count; seed++) {
      const history = await combinedKafkaHistory(seed);
      expect(history.broken, `npm run simulate -- --controller combined-kafka --seed ${seed}`).toBeUndefined();
      combined.push(...history.lines);
    }
    for (const sign of ['plans replace', 'plans stop', 'plans retire', '"addVoter"', '"removeVoter"', 'is deleted'])
      expect(combined.join('\n')).toContain(sign);
  });

  it('is the same for the same seed', async () => {
    expect(await kafkaHistory(13)).toEqual(await kafkaHistory(13));
  });
});
