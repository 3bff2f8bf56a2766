import { afterAll, describe, expect, test } from 'vitest';
import { httpRouteKind } from '../../../imports/index.js';
import { until } from '../../chaos/wait.js';
import { serverImage } from '../../images/project-images.js';
import { shareOf, stretchesOf, tallyOf, told } from '../client/tally.js';
import { read } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { kubectl } from '../cluster/kubectl.js';
import { figure, seconds } from './figure.js';
import { isIn, isRouted, quick, said, specOf, TriedAlgorithm } from './tried-algorithm.js';

const namespace = givenNamespace('moves');

describe('a host that two Algorithms claim', () => {
  const host = 'reco.example.com';
  const spec = (version: string) => ({ ...specOf(version), replicas: 1, lifecycle: quick(), host });
  const older = new TriedAlgorithm(namespace, 'older', spec('1.0.0'));
  const newer = new TriedAlgorithm(namespace, 'newer', spec('1.1.0'));
  const headers = { host };

  test('line 1: stays with the older one, the newer one is told, and gets it when the older one is gone', async () => {
    await older.apply();
    await older.until('the gateway splits its requests', isRouted);
    await older.ask('asks-host', { rate: 100, keepAlive: false, headers });
    expect(shareOf(await older.tallyOfNext(300), '1.0.0')).toBe(100);
    await newer.apply();
    await newer.until('the gateway splits its requests', isRouted);
    await newer.until('it is told', (live) => said(live, 'HostAccepted').startsWith('HostTaken: '));
    expect(said(await newer.live(), 'HostAccepted')).toContain(`Algorithm ${namespace}/older`);
    expect(said(await newer.live(), 'Ready')).toMatch(/^HostTaken: /);
    const both = await older.tallyOfNext(1000);
    figure(1, `two Algorithms with the host: ${told(both)}`);
    expect(shareOf(both, '1.0.0')).toBe(100);
    expect(stretchesOf(both.failed)).toEqual([]);

    await kubectl(['--namespace', namespace, 'delete', 'algo', 'older']);
    await newer.until('it has the host', (live) => said(live, 'HostAccepted').startsWith('Accepted: '));
    await newer.ask('asks-heir', { rate: 50, keepAlive: false, headers });
    // The proxies take the route up within some seconds.
    const heard = async () => shareOf(await newer.tallyOfNext(50), '1.1.0') === 100;
    await until(heard, { what: 'the newer one answers', within: 60_000, every: 500 });
  });
});

describe('with an autoscaler', () => {
  const most = 4;
  const busy = new TriedAlgorithm(namespace, 'busy', {
    ...specOf('1.0.0'),
    // Any request keeps all Pods busy.
    resources: { requests: { cpu: '50m', memory: '128Mi' } },
    scaling: { minReplicas: 1, maxReplicas: most, targetCpuPercent: 4 },
    lifecycle: { ...quick(), steps: [{ weight: 90, for: '30s' }] },
  });
  afterAll(() => busy.stop());

  // The autoscaler looks every 15 seconds at numbers of the last minute.
  test('line 2: no side gets more requests before it has the Pods for them', { timeout: 600_000 }, async () => {
    await busy.apply();
    await busy.until('the gateway splits its requests', isRouted);
    await busy.ask('asks-busy', { rate: 60, keepAlive: true });
    await busy.until('all Pods are busy', ({ status }) => status?.readyReplicas === most, 240);
    const changed = Date.now();
    await busy.apply({ image: serverImage('1.1.0') });
    await busy.untilWeight(90);
    const tried = await busy.ready('busy-trial');
    expect(tried).toBe(most);
    // What the autoscaler does with a side that has a tenth of the requests, five minutes later.
    await kubectl(['--namespace', namespace, 'scale', 'deployment', 'busy', '--replicas=1']);
    let ready = 0;
    const moved = async () => {
      const route = await read(httpRouteKind, { namespace, name: 'busy' });
      const trial = route?.spec.rules?.at(-1)?.backendRefs?.find(({ name }) => name === 'busy-trial');
      ready = await busy.ready('busy');
      return (trial?.weight ?? 0) === 0;
    };
    await until(moved, { what: 'all requests go to the stable Pods', within: 180_000, every: 100 });
    figure(2, `${seconds(changed, Date.now())} after the change all requests go to ${ready} stable Pods, which were 1`);
    expect(ready).toBe(most);
    await busy.until('promoted', isIn('Running'));
    expect((await busy.live()).status?.stable?.version).toBe('1.1.0');
    const all = tallyOf(await busy.periods(), changed);
    figure(2, told(all));
    expect(stretchesOf(all.failed)).toEqual([]);
  });
});
