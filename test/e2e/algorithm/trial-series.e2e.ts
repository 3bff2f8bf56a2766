import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../operator/testing/faults/seeded-random.js';
import { serverImage } from '../../images/project-images.js';
import { failuresBut, stretchesOf, tallyOf, told } from '../client/tally.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { figure } from './figure.js';
import { isIn, isRouted, quick, specOf, TriedAlgorithm } from './tried-algorithm.js';

const namespace = givenNamespace('many');
const trials = Number(process.env['RECONSTRUCT_E2E_TRIALS'] ?? 0);
const note = trials > 0 ? '' : ' (left out: RECONSTRUCT_E2E_TRIALS says how many)';
const seed = 7;
const bad = '1.2.0';

describe('many trials in a row', () => {
  const reco = new TriedAlgorithm(namespace, 'reco', {
    ...specOf('1.0.0'),
    lifecycle: { ...quick(), canaryWeight: 50 },
  });

  test.skipIf(trials === 0)(
    `every verdict is right, and no good version fails${note}`,
    { timeout: 3_600_000 },
    async () => {
      const chance = seededRandom(seed);
      await reco.apply();
      await reco.until('it runs', isIn('Running'));
      await reco.until('the gateway splits its requests', isRouted);
      await reco.ask('keep-alive', { rate: 100, keepAlive: true });
      await reco.ask('connecting', { rate: 100, keepAlive: false });
      await reco.tallyOfNext(500);
      const began = Date.now();
      for (let trial = 1; trial <= trials; trial++) {
        const isGood = chance() < 0.5;
        const version = isGood ? `1.${trial % 2}.0` : bad;
        // A variable that means nothing makes another version of the same image.
        await reco.apply({
          image: serverImage(version),
          podTemplate: { env: [{ name: 'TRIAL', value: String(trial) }] },
        });
        await reco.until(`the end of trial ${trial}`, isIn(isGood ? 'Running' : 'RolledBack'), 240);
        const [last] = (await reco.live()).status?.history ?? [];
        expect(last, `trial ${trial}`).toMatchObject({
          image: serverImage(version),
          outcome: isGood ? 'Promoted' : 'RolledBack',
        });
      }
      const tally = tallyOf(await reco.periods(), began);
      figure(3, `${trials} trials, seed ${seed}: ${told(tally)}`);
      expect(stretchesOf(failuresBut(tally, bad))).toEqual([]);
    },
  );
});
