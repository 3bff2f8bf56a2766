import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  RequestMetricsAnswer,
  RequestMetricsQuestion,
} from '../../../operator/controllers/algorithm/ports/request-metrics.js';
import { openMetrics } from '../../../operator/engines/metrics/open-metrics.js';
import { systemClock } from '../../../operator/runtime/ports/clock.js';
import { gatewayName, gatewayPorts, proxyLabels } from '../../../src/index.js';
import { until } from '../../chaos/wait.js';
import { serverImage } from '../../images/project-images.js';
import { findPrometheus, type Prometheus, startPrometheus } from '../../operator/engines/metrics/given-prometheus.js';
import { answered, stretchesOf, tallyOf } from '../client/tally.js';
import { api, listed } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { isReady, Pod } from '../cluster/kinds.js';
import { operatorTargets, targetsOf } from '../monitoring/targets.js';
import { figure } from './figure.js';
import { isIn, isRouted, quick, specOf, TriedAlgorithm } from './tried-algorithm.js';

const namespace = givenNamespace('watched');
const found = await findPrometheus();
const note = 'absent' in found ? ` (left out: ${found.absent})` : '';
const question: RequestMetricsQuestion = {
  namespace,
  sides: { stable: { services: ['reco-stable'] } },
  proxies: { labels: proxyLabels(gatewayName), port: gatewayPorts.metrics },
};

describe.skipIf('absent' in found)(`a Prometheus that scrapes proxies and the operator${note}`, () => {
  const reco = new TriedAlgorithm(namespace, 'reco', {
    ...specOf('1.0.0'),
    replicas: 1,
    lifecycle: { ...quick(), canaryWeight: 50 },
  });
  let prometheus: Prometheus;

  beforeAll(async () => {
    await reco.apply();
    await reco.until('it runs', isIn('Running'));
    await reco.until('the gateway splits its requests', isRouted);
    const proxies = await listed(Pod, { namespace, labelSelector: 'gateway.networking.k8s.io/gateway-name' });
    prometheus = await startPrometheus('program' in found ? found.program : '', {
      ...{ pods: targetsOf(proxies.filter(isReady)), port: gatewayPorts.metrics, namespace },
      others: await operatorTargets(),
      rules: await readFile('docs/monitoring/rules.yaml', 'utf8'),
    });
  });
  afterAll(() => prometheus?.stop());

  test('the metrics count the same requests as the proxies and the client', async () => {
    const client = await reco.ask('asks-before', { rate: 50, keepAlive: true });
    const { failed } = await reco.tallyOfNext(500);
    expect(stretchesOf(failed)).toEqual([]);
    await client.rest();
    const sent = answered(tallyOf(await client.periods()));
    const told = async () => [await countedBy(prometheus.url.href), await countedBy('')];
    const isTold = async () => (await told()).every((count) => count === sent);
    await until(isTold, { what: 'both tell as many', within: 30_000, every: 1000 }).catch(async ({ message }) => {
      throw new Error(`${message}: Prometheus and the proxies tell ${await told()}, and ${sent} were sent`);
    });
    figure(13, `Prometheus and the proxies tell ${sent} requests`);
  });

  test('the alert fires when a version is rolled back', async () => {
    await reco.ask('asks-after', { rate: 100, keepAlive: true });
    // The operator counts those of all namespaces, and one of another test may be on its way out.
    const fires = async () => (await prometheus.firing()).some(({ alertname }) => alertname === 'TrialRolledBack');
    await until(async () => !(await fires()), { what: 'nothing else was taken back', within: 120_000 });
    await reco.apply({ image: serverImage('1.2.0') });
    await reco.until('it is taken back', isIn('RolledBack'), 180);
    await until(fires, { what: 'the alert fires', within: 60_000 });
  });

  /** Answers that were counted at the proxies. @param url of the Prometheus that is asked; empty for the proxies */
  async function countedBy(url: string): Promise<number> {
    const open = openMetrics({ url, tokenFile: '', caFile: '' }, { cluster: await api(), clock: systemClock });
    try {
      const ask = open.provided.source as (
        asked: RequestMetricsQuestion,
        options: object,
      ) => Promise<RequestMetricsAnswer>;
      const { sides } = await ask(question, { signal: new AbortController().signal });
      const counters = Object.values(sides['stable']?.sources ?? {});
      const codes = counters.flatMap((one) => (one === 'silent' ? [] : Object.values(one.codes ?? {})));
      return codes.reduce((sum, count) => sum + count, 0);
    } finally {
      await open.close();
    }
  }
});
