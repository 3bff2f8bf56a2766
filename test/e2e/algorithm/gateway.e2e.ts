import { describe, expect, test } from 'vitest';
import { gatewayPorts } from '../../../src/index.js';
import { until } from '../../chaos/wait.js';
import { ClientPod } from '../client/client-pod.js';
import { stretchesOf, tallyOf, told } from '../client/tally.js';
import { listed } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { onEachNode } from '../cluster/install.js';
import { EndpointSlice, isReady, type LivePod, Pod } from '../cluster/kinds.js';
import { kubectl } from '../cluster/kubectl.js';
import { power, powerless, powerNote } from '../cluster/power.js';
import { figure, seconds } from './figure.js';
import { isIn, isRouted, quick, specOf, TriedAlgorithm } from './tried-algorithm.js';

const namespace = givenNamespace('gateway');

/** Milliseconds until every node goes by an endpoint's change: kube-proxy waits for up to one second, and writes its rules then. */
const heard = 2000;

describe('the proxies', () => {
  // A pod on each node, so that one is lost with any of them.
  const reco = new TriedAlgorithm(namespace, 'reco', { ...specOf('1.0.0'), replicas: 3, lifecycle: quick() });
  const proxies = (): Promise<readonly LivePod[]> =>
    listed(Pod, { namespace, labelSelector: 'gateway.networking.k8s.io/gateway-name' });
  const oneOfThem = async (wanted: (proxy: LivePod) => boolean = () => true) => {
    const proxy = (await proxies()).filter(isReady).find(wanted);
    if (proxy) return proxy;
    throw new Error(`no such proxy is ready in ${namespace}`);
  };
  const twoReadyBut = (name: string) =>
    until(async () => (await proxies()).filter((one) => isReady(one) && one.metadata.name !== name).length >= 2, {
      what: 'two proxies are ready',
      within: 120_000,
    });

  /** Requests that are on their way at a time, at the most, while nothing happens. */
  const flying = async () => {
    const since = Date.now();
    await reco.tallyOfNext(1000);
    const calm = (await reco.periods()).filter(({ from }) => from >= since);
    return reco.clients.length * Math.max(...calm.map((period) => period.flying));
  };

  test('line 12: they roll without a failed request', async () => {
    await reco.apply();
    await reco.until('it runs', isIn('Running'));
    await reco.until('the gateway splits its requests', isRouted);
    await twoReadyBut('');
    await reco.ask('keep-alive', { rate: 100, keepAlive: true });
    await reco.ask('connecting', { rate: 100, keepAlive: false });
    await reco.tallyOfNext(500);

    const began = Date.now();
    const rolled = [onEachNode ? 'daemonset' : 'deployment', '--selector=gateway.networking.k8s.io/gateway-name'];
    await kubectl(['--namespace', namespace, 'rollout', 'restart', ...rolled]);
    await kubectl(['--namespace', namespace, 'rollout', 'status', ...rolled, '--timeout=120s']);
    await reco.tallyOfNext(1000);
    const tally = tallyOf(await reco.periods(), began);
    figure(12, `rolled: ${told(tally)}`);
    expect(stretchesOf(tally.failed)).toEqual([]);
  });

  test('line 12: one is killed, and no more fails than was on its way', async () => {
    const { metadata } = await oneOfThem();
    const onTheirWay = await flying();
    const began = Date.now();
    await kubectl(['--namespace', namespace, 'delete', 'pod', metadata.name, '--force', '--grace-period=0']);
    await twoReadyBut(metadata.name);
    await reco.tallyOfNext(1000);
    const tally = tallyOf(await reco.periods(), began);
    figure(12, `killed, with ${onTheirWay} requests on their way: ${told(tally)}`);
    expect(tally.failed.length).toBeLessThanOrEqual(onTheirWay);
  });

  test.skipIf(powerless)(
    `line 12: the node of one is lost: of what the other takes nothing fails that was sent afterwards, and of the rest nothing once the cluster has noticed${powerNote}`,
    async () => {
      const [client] = await listed(Pod, { namespace, labelSelector: 'app=counting-client' });
      const { metadata, spec } = await oneOfThem(({ spec }) => spec.nodeName !== client?.spec.nodeName);
      const node = spec.nodeName ?? '';
      const { status } = await oneOfThem(({ spec }) => spec.nodeName !== node);
      const url = `http://${status?.podIP}:${gatewayPorts.http}/`;
      const headers = { Host: reco.name };
      const other = await ClientPod.start(namespace, 'other', { url, headers, rate: 100, keepAlive: false });
      const began = Date.now();
      await power('kill', node);
      // It takes a moment to go, in which what it was sent stays on its way.
      const gone = Date.now();
      try {
        const slices = () => listed(EndpointSlice, { namespace });
        const stillThere = async () =>
          (await slices()).some(({ endpoints = [] }) =>
            endpoints.some(({ nodeName, conditions }) => nodeName === node && conditions?.ready !== false),
          );
        await until(async () => !(await stillThere()), { what: `no endpoint is on ${node}`, within: 120_000 });
        const noticed = Date.now();
        await reco.tallyOfNext(2000);
        const taken = tallyOf(await other.periods(), began);
        figure(12, `node lost in ${seconds(began, gone)}, of what the other proxy took: ${told(taken)}`);
        expect(stretchesOf(taken.failed.filter(({ at }) => at > gone))).toEqual([]);
        const { failed } = tallyOf(await reco.periods(), began);
        const last = Math.max(began, ...failed.map(({ at }) => at));
        figure(
          12,
          `node lost, by the address of both: noticed after ${seconds(began, noticed)}, ${failed.length} failed in ${seconds(began, last)}`,
        );
        // The clients are on other nodes.
        expect(stretchesOf(failed.filter(({ at }) => at > (onEachNode ? gone : noticed + heard)))).toEqual([]);
      } finally {
        await power('start', node);
      }
      await twoReadyBut(metadata.name);
    },
  );
});
