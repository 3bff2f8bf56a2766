import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../chaos/wait.js';
import { serverImage } from '../../images/project-images.js';
import { failuresBut, stretchesOf, tallyOf, told } from '../client/tally.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { Killer } from '../cluster/killer.js';
import { kubectl } from '../cluster/kubectl.js';
import { killLeader } from '../cluster/operator-pods.js';
import { figure, seconds } from './figure.js';
import { isIn, isRouted, quick, specOf, TriedAlgorithm } from './tried-algorithm.js';

const namespace = givenNamespace('killed');
const bad = '1.2.0';
/** Seconds that a trial may take: for most of the time nobody leads, since a lease that is not given up runs for 15 s. */
const patience = 480;
const timeout = 2 * patience * 1000;
/** Everything that an Algorithm may become, and what its namespace gets for it. */
const kinds = [
  ...['algorithms.ai.alien6.io', 'deployments', 'services', 'configmaps', 'poddisruptionbudgets'],
  ...['horizontalpodautoscalers', 'controllerrevisions', 'httproutes', 'gateways', 'roles', 'rolebindings'],
  ...['serviceaccounts', 'endpointslices', 'pods'],
];
/** What is in every namespace, or is the clients'. */
const others = /\/(kube-root-ca\.crt|default|counting-client|keep-alive|connecting)$/;

describe('while the operator is killed again and again', () => {
  const reco = new TriedAlgorithm(namespace, 'reco', {
    ...specOf('1.0.0'),
    lifecycle: { ...quick(), canaryWeight: 50 },
  });
  let killer: Killer;

  beforeAll(async () => {
    await reco.apply();
    await reco.until('it runs', isIn('Running'));
    await reco.until('the gateway splits its requests', isRouted);
    await reco.ask('keep-alive', { rate: 100, keepAlive: true });
    await reco.ask('connecting', { rate: 100, keepAlive: false });
    await reco.tallyOfNext(500);
    killer = new Killer({ kill: killLeader, between: [5_000, 20_000] });
  });
  afterAll(() => killer.stop());

  test('line 11: a good version is promoted, and no request fails', { timeout }, async () => {
    const changed = Date.now();
    await reco.apply({ image: serverImage('1.1.0') });
    const promoted = await reco.until('promoted', ({ status }) => status?.stable?.version === '1.1.0', patience);
    await reco.until('no trial is left', ({ status }) => status?.trial === undefined, 120);
    await reco.tallyOfNext(1000);
    const tally = tallyOf(await reco.periods(), changed);
    figure(11, `good: ${seconds(changed, promoted)} and ${killer.kills} kills so far, ${told(tally)}`);
    expect(stretchesOf(tally.failed)).toEqual([]);
  });

  test('line 11: a bad version is rolled back, and no request to the stable version fails', { timeout }, async () => {
    const changed = Date.now();
    await reco.apply({ image: serverImage(bad) });
    const back = await reco.until('taken back', isIn('RolledBack'), patience);
    await reco.tallyOfNext(1000);
    const tally = tallyOf(await reco.periods(), changed);
    figure(11, `bad: ${seconds(changed, back)} and ${killer.kills} kills so far, ${told(tally)}`);
    expect(stretchesOf(failuresBut(tally, bad))).toEqual([]);
    expect((await reco.tallyOfNext(1000)).answers[bad]).toBeUndefined();
  });

  test('line 11: an Algorithm that is deleted in the middle of a trial leaves nothing behind', {
    timeout,
  }, async () => {
    await reco.apply({ image: serverImage('1.0.0'), lifecycle: quick({ minRequests: 1_000_000 }) });
    await reco.untilWeight(20, patience);
    const deleted = Date.now();
    await kubectl(['--namespace', namespace, 'delete', 'algo', reco.name]);
    let left: readonly string[] = [];
    const nothing = async () => {
      const own = await kubectl(['--namespace', namespace, 'get', kinds.join(','), '--output=name']);
      const bindings = await kubectl(['get', 'clusterrolebindings', '--output=name']);
      left = [
        ...own.split('\n').filter((name) => name !== '' && !others.test(name)),
        ...bindings.split('\n').filter((name) => name.endsWith(`:${namespace}`)),
      ];
      return left.length === 0;
    };
    await until(nothing, { what: 'nothing is left', within: 120_000, every: 1000 }).catch((error: unknown) => {
      throw new Error(`${error}: there are ${left.join(', ')}`);
    });
    figure(11, `nothing is left ${seconds(deleted, Date.now())} after the deletion`);
  });
});
