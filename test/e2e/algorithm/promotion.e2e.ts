import { afterAll, describe, expect, test } from 'vitest';
import { conditionOf } from '../../../operator/runtime/index.js';
import { serverImage } from '../../images/project-images.js';
import { shareOf, stretchesOf, tallyOf, told } from '../client/tally.js';
import { listed } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { isReady, Pod } from '../cluster/kinds.js';
import { figure, seconds } from './figure.js';
import { isIn, isRouted, quick, specOf, TriedAlgorithm } from './tried-algorithm.js';

const namespace = givenNamespace('promoted');
/** So many that a version stays on trial. */
const never = 1_000_000;
/**
 * Requests a second before there is anybody to answer. A connection that is tried while the Service's address is new, and
 * its nodes do not know it yet, is remembered by the node: for two minutes, each later one of the same port gets lost too. So
 * few take longer to come to a port again.
 */
const earlyRate = 20;
const variants = [{ name: 'b', match: { header: { 'x-variant': 'b' } } }];

describe('a good version', () => {
  const reco = new TriedAlgorithm(namespace, 'reco', {
    ...specOf('1.0.0'),
    lifecycle: { ...quick({ minRequests: never }), variants },
  });
  afterAll(() => reco.stop());
  /** When the image was changed, milliseconds since 1970. */
  let changed: number;

  test('line 1: the first one is no trial, and answers as soon as a pod is ready', async () => {
    const early = new TriedAlgorithm(namespace, 'reco', reco.spec);
    const client = await early.ask('early', { rate: earlyRate, keepAlive: false });
    await reco.apply();
    await reco.until('it runs', isIn('Running'));
    expect((await reco.live()).status?.trial).toBeUndefined();
    await reco.ask('connecting', { rate: 100, keepAlive: false });
    await reco.until('the gateway splits its requests', isRouted);
    await reco.tallyOfNext(1000);

    const periods = await early.periods();
    await client.stop();
    const first = Math.min(...periods.filter(({ answers }) => answers['1.0.0 200']).map(({ to }) => to));
    const pods = await listed(Pod, { namespace, labelSelector: 'app.kubernetes.io/instance=reco' });
    const ready = Math.min(...pods.filter(isReady).map(readySince));
    figure(1, `first answers within ${seconds(ready, first)} of the first pod's readiness`);
    expect(first - ready).toBeLessThan(5000);
    const since = tallyOf([...periods, ...(await reco.periods())], first);
    figure(1, `from the first answer on, while the gateway takes over: ${told(since)}`);
    expect(stretchesOf(since.failed)).toEqual([]);
  });

  test('line 2: a changed image is on trial with its share of the requests, while the stable side keeps its size', async () => {
    // A connection that was open before leads to a pod as long as it is used.
    await reco.ask('keep-alive', { rate: 100, keepAlive: true });
    const outside = await reco.askFromOutside({ rate: 50, keepAlive: true });
    if (!outside) figure(2, 'this machine does not reach pods: nobody asks from outside');
    changed = Date.now();
    await reco.apply({ image: serverImage('1.1.0') });
    for (const canaryWeight of [20, 1, 50, 99]) {
      await reco.apply({ lifecycle: { ...reco.spec.lifecycle, canaryWeight } });
      await reco.untilWeight(canaryWeight);
      const tally = await reco.tallyOfNext(2000);
      figure(2, `weight ${canaryWeight}: ${told(tally)}`);
      expect(Math.abs(shareOf(tally, '1.1.0') - canaryWeight)).toBeLessThanOrEqual(2);
      expect(await reco.ready('reco')).toBe(2);
      expect(await reco.ready('reco-trial')).toBe(Math.ceil((2 * canaryWeight) / 100));
    }
  });

  test('line 8: requests of a variant always reach the version on trial, and the status counts them', async () => {
    await reco.apply({ lifecycle: { ...reco.spec.lifecycle, canaryWeight: 1 } });
    await reco.untilWeight(1);
    const variant = new TriedAlgorithm(namespace, 'reco', reco.spec);
    await variant.ask('variant', { rate: 50, keepAlive: true, headers: { 'X-Variant': 'b' } });
    const tally = await variant.tallyOfNext(500);
    figure(8, told(tally));
    expect(shareOf(tally, '1.1.0')).toBe(100);
    const counted = await variant.until('numbers of the variant', ({ status }) =>
      Boolean(status?.trial?.variants?.some(({ name, requests = 0 }) => name === 'b' && requests > 0)),
    );
    expect(counted).toBeGreaterThan(0);
  });

  test('line 3: it is promoted, and from the change to the end no request has failed', async () => {
    await reco.apply({ lifecycle: { ...quick({ minRequests: 200 }), variants } });
    const promoted = await reco.until('promoted', (algorithm) => {
      return isIn('Running')(algorithm) && algorithm.status?.stable?.version === '1.1.0';
    });
    await reco.until('no trial is left', ({ status }) => status?.trial === undefined);
    const after = await reco.tallyOfNext(1000);
    expect(shareOf(after, '1.1.0')).toBe(100);
    const all = tallyOf(await reco.periods(), changed);
    figure(3, `${seconds(changed, promoted)} from the change to the end: ${told(all)}`);
    expect(stretchesOf(all.failed)).toEqual([]);
    expect((await reco.live()).status?.history?.[0]).toMatchObject({
      image: serverImage('1.1.0'),
      outcome: 'Promoted',
    });
  });
});

/** When a pod became ready, milliseconds since 1970. */
function readySince(pod: {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly lastTransitionTime: string }[] };
}): number {
  const ready = conditionOf(pod, 'Ready');
  return Date.parse(ready?.lastTransitionTime ?? '');
}
