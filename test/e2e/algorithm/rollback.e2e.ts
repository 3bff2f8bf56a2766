import { describe, expect, test } from 'vitest';
import { serverImage } from '../../images/project-images.js';
import { failuresBut, stretchesOf, tallyOf, told } from '../client/tally.js';
import { listed } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { underKills } from '../cluster/kill-mode.js';
import { Pod } from '../cluster/kinds.js';
import { figure, seconds } from './figure.js';
import { isIn, isRouted, quick, said, specOf, TriedAlgorithm } from './tried-algorithm.js';

const namespace = givenNamespace('taken-back');
const bad = '1.2.0';

/** Seconds after the verdict in which requests may still reach a bad version. */
const grace = underKills ? 60 : 5;

describe('a bad version', () => {
  const reco = new TriedAlgorithm(namespace, 'reco', { ...specOf('1.0.0'), lifecycle: quick() });
  const trialPods = () => listed(Pod, { namespace, labelSelector: 'app.kubernetes.io/instance=reco-trial' });
  test('line 4: a failing version is rolled back before its Pods stop, and no request to the stable version fails', async () => {
    await reco.apply();
    await reco.until('it runs', isIn('Running'));
    await reco.until('the gateway splits its requests', isRouted);
    await reco.ask('keep-alive', { rate: 100, keepAlive: true });
    await reco.ask('connecting', { rate: 100, keepAlive: false });
    await reco.tallyOfNext(500);

    const changed = Date.now();
    await reco.apply({ image: serverImage(bad) });
    const verdict = await reco.until('the verdict', isIn('RollingBack', 'RolledBack'), 180);
    await reco.until('taken back', isIn('RolledBack'));
    await reco.tallyOfNext(2000);
    const tally = tallyOf(await reco.periods(), changed);
    const last = tally.last[bad] ?? Number.NaN;
    figure(4, `${seconds(changed, verdict)} to the verdict, the last request ${seconds(verdict, last)} after it`);
    figure(4, told(tally));
    expect(last - verdict).toBeLessThan(grace * 1000);
    expect(stretchesOf(failuresBut(tally, bad))).toEqual([]);
    expect(await trialPods()).toEqual([]);
    const live = await reco.live();
    figure(4, live.status?.history?.[0]?.why ?? said(live, 'Promoted'));
    expect(live.status?.history?.[0]).toMatchObject({ image: serverImage(bad), outcome: 'RolledBack' });
  });

  test('line 4: it is not tried again until its spec changes', async () => {
    const edited = Date.now();
    await reco.apply({ replicas: 3 });
    await reco.until('three replicas', ({ status }) => status?.readyReplicas === 3);
    await reco.tallyOfNext(1000);
    expect(isIn('RolledBack')(await reco.live())).toBe(true);
    expect(tallyOf(await reco.periods(), edited).answers[bad]).toBeUndefined();
    expect(await trialPods()).toEqual([]);
  });

  test('line 4: going back to the stable version is quick and silent', async () => {
    const back = Date.now();
    await reco.apply({ image: serverImage('1.0.0') });
    const running = await reco.until('it runs', isIn('Running'), 20);
    await reco.tallyOfNext(1000);
    figure(4, `back after ${seconds(back, running)}`);
    expect(stretchesOf(tallyOf(await reco.periods(), back).failed)).toEqual([]);
    expect(await trialPods()).toEqual([]);
  });
});

describe('a version that never answers', () => {
  test.concurrent.each([
    {
      name: 'crashes',
      why: 'ends at its start',
      change: { command: ['/usr/local/bin/node', '-e', 'process.exit(3)'] },
      says: /the container exits with code 3$/,
    },
    {
      name: 'no-image',
      why: 'has no image',
      change: { image: 'registry.invalid/nothing:1' },
      says: /the image registry.invalid.nothing:1 cannot be pulled$/,
    },
    {
      name: 'deaf',
      why: 'is never ready',
      change: { podTemplate: { env: [{ name: 'PORT', value: '9999' }] } },
      says: /the container is running but does not pass its probe$/,
    },
  ])('line 5: one that $why gets no request, and ends at the deadline', async ({ name, change, says }) => {
    const algorithm = new TriedAlgorithm(namespace, name, {
      ...specOf('1.0.0'),
      replicas: 1,
      lifecycle: quick({ deadline: '30s' }),
    });
    await algorithm.apply();
    await algorithm.until('it runs', isIn('Running'));
    await algorithm.ask(`asks-${name}`, { rate: 20, keepAlive: false });
    const changed = Date.now();
    await algorithm.apply(change);
    const ended = await algorithm.until('taken back', isIn('RolledBack'), 120);
    const tally = tallyOf(await algorithm.periods(), changed);
    const why = (await algorithm.live()).status?.history?.[0]?.why;
    figure(5, `${name}: over after ${seconds(changed, ended)}, ${told(tally)}: ${why}`);
    expect(stretchesOf(tally.failed)).toEqual([]);
    expect(why).toMatch(says);
  });
});

describe('without numbers', () => {
  test.concurrent('line 7: a version waits, says so, and is promoted when requests come', async () => {
    const algorithm = new TriedAlgorithm(namespace, 'quiet', { ...specOf('1.0.0'), replicas: 1, lifecycle: quick() });
    await algorithm.apply();
    await algorithm.until('it runs', isIn('Running'));
    // A connection that is open before leads to a stable pod as long as it is used.
    await algorithm.until('the gateway splits its requests', isRouted);
    await algorithm.apply({ image: serverImage('1.1.0') });
    await algorithm.until(
      'it says what it waits for',
      ({ status }) => status?.verdict?.verdict === 'undecided' || status?.verdict?.verdict === 'missing',
    );
    figure(7, (await algorithm.live()).status?.verdict?.sentence ?? '');
    expect((await algorithm.live()).status?.phase).toBe('Trial');
    await algorithm.ask('late', { rate: 100, keepAlive: true });
    await algorithm.until('promoted', ({ status }) => status?.stable?.version === '1.1.0', 180);
  });

  test.concurrent('line 7: the deadline decides when none come', async () => {
    const lifecycle = quick({ deadline: '20s' });
    const algorithm = new TriedAlgorithm(namespace, 'silent', { ...specOf('1.0.0'), replicas: 1, lifecycle });
    await algorithm.apply();
    await algorithm.until('it runs', isIn('Running'));
    await algorithm.apply({ image: serverImage('1.1.0') });
    await algorithm.until('taken back', isIn('RolledBack'), 120);
    figure(7, `at the deadline: ${(await algorithm.live()).status?.history?.[0]?.why}`);
    expect((await algorithm.live()).status?.stable?.version).toBe('1.0.0');
  });
});
