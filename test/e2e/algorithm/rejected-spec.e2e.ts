import { beforeAll, describe, expect, test } from 'vitest';
import type { AlgorithmSpecInput } from '../../../imports/index.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { isIn, quick, specOf, TriedAlgorithm } from './tried-algorithm.js';

const namespace = givenNamespace('refused');
const good: AlgorithmSpecInput = { ...specOf('1.0.0'), replicas: 1, lifecycle: quick() };

describe('a bad spec', () => {
  const reco = new TriedAlgorithm(namespace, 'reco', good);
  beforeAll(async () => {
    await reco.apply();
    await reco.until('it runs', isIn('Running'));
  });

  test.each([
    { what: 'weight 120', lifecycle: { canaryWeight: 120 }, says: /canaryWeight.*less than or equal to 100/ },
    {
      what: 'steps that go down',
      lifecycle: { steps: [{ weight: 20 }, { weight: 5 }] },
      says: /must be in ascending order; sort the steps/,
    },
    {
      what: 'an unknown percentile',
      lifecycle: { latency: { percentile: 101 } },
      says: /must be a whole number from 50 to 99/,
    },
    { what: 'a variant without a match', lifecycle: { variants: [{ name: 'b' }] }, says: /required field.*match/ },
    { what: 'drift without a metric', lifecycle: { drift: {} }, says: /required field.*metric/ },
  ])('line 13: $what is refused with what to do, and what runs is untouched', async ({ lifecycle, says }) => {
    const before = await reco.live();
    const edited = new TriedAlgorithm(namespace, 'reco', {
      ...good,
      lifecycle: lifecycle as AlgorithmSpecInput['lifecycle'],
    });
    await expect(edited.apply()).rejects.toThrow(says);
    expect((await reco.live()).metadata).toMatchObject({ generation: before.metadata.generation });
  });
});
