import { describe, expect, test } from 'vitest';
import { serverImage } from '../../images/project-images.js';
import { shareOf, stretchesOf, tallyOf, told } from '../client/tally.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { figure, seconds } from './figure.js';
import { isIn, isRouted, quick, specOf, TriedAlgorithm } from './tried-algorithm.js';

const namespace = givenNamespace('judged');
/** Half of the requests, so that a trial is soon over. */
const half = { ...quick(), canaryWeight: 50 };

describe('a version that answers every request', () => {
  test.concurrent.each([
    {
      name: 'slow',
      why: 'answers too late',
      // What a busy machine takes longer is far from it.
      measure: {
        lifecycle: { ...half, latency: { percentile: 95 } },
        scaling: { minReplicas: 1, maxReplicas: 1, targetLatencyMs: 500 },
      },
      change: [{ name: 'LATENCY_MS', value: '1500' }],
      says: /requests took longer than 500 ms \(at least .*\), more than the allowed 5%/,
    },
    {
      name: 'drifted',
      why: 'predicts something else',
      measure: { lifecycle: { ...half, drift: { metric: 'prediction_score' } } },
      change: [{ name: 'MEAN_SCORE', value: '0.65' }],
      says: /population stability index of .* observations is .*above the threshold of 0\.2/,
    },
  ])('line 4: one that $why is taken back, and no request fails', async ({ name, measure, change, says }) => {
    const { replicas: _, ...spec } = specOf('1.0.0');
    const algorithm = new TriedAlgorithm(namespace, name, { ...spec, ...measure });
    await begun(algorithm);
    const changed = Date.now();
    await algorithm.apply({ image: serverImage('1.1.0'), podTemplate: { env: change } });
    const back = await algorithm.until('taken back', isIn('RolledBack'), 180);
    const after = await algorithm.tallyOfNext(200);
    const tally = tallyOf(await algorithm.periods(), changed);
    const [last] = (await algorithm.live()).status?.history ?? [];
    figure(4, `${name}: back after ${seconds(changed, back)}, ${told(tally)}: ${last?.why}`);
    expect(last).toMatchObject({ image: serverImage('1.1.0'), outcome: 'RolledBack' });
    expect(last?.why).toMatch(says);
    expect(stretchesOf(tally.failed)).toEqual([]);
    expect(shareOf(after, '1.0.0')).toBe(100);
  });

  test.concurrent('line 4: one that takes the place of another in the middle of its trial is tried against the same stable version', async () => {
    const algorithm = new TriedAlgorithm(namespace, 'changed', { ...specOf('1.0.0'), replicas: 1, lifecycle: half });
    await begun(algorithm);
    const changed = Date.now();
    const lifecycle = { ...half, trial: { ...half.trial, minRequests: 1_000_000 } };
    await algorithm.apply({ image: serverImage('1.1.0'), lifecycle });
    await algorithm.untilWeight(50);
    const { trial, stable } = (await algorithm.live()).status ?? {};

    await algorithm.apply({ podTemplate: { env: [{ name: 'TRIAL', value: 'second' }] }, lifecycle: half });
    await algorithm.until('another trial', ({ status }) => (status?.trial?.id ?? trial?.id) !== trial?.id);
    expect((await algorithm.live()).status?.stable?.revision).toBe(stable?.revision);
    const promoted = await algorithm.until(
      'promoted',
      ({ status }) => status?.stable?.version === '1.1.0' && status.trial === undefined,
      180,
    );
    const tally = tallyOf(await algorithm.periods(), changed);
    figure(4, `changed: ${seconds(changed, promoted)} from the first change to the end, ${told(tally)}`);
    expect(stretchesOf(tally.failed)).toEqual([]);
    const history = (await algorithm.live()).status?.history?.map(({ outcome }) => outcome);
    expect(history).toEqual(['Promoted', 'Superseded', 'Promoted']);
  });
});

/** Applies an Algorithm, waits until its requests go through the gateway, and lets clients ask it. */
async function begun(algorithm: TriedAlgorithm): Promise<void> {
  await algorithm.apply();
  await algorithm.until('it runs', isIn('Running'));
  await algorithm.until('the gateway splits its requests', isRouted);
  await algorithm.ask(`asks-${algorithm.name}`, { rate: 50, keepAlive: true });
  await algorithm.tallyOfNext(200);
}
