import { describe, expect, test } from 'vitest';
import { increaseOf } from '../../../../operator/controllers/algorithm/judgement/index.js';
import type { RequestMetricsQuestion } from '../../../../operator/controllers/algorithm/ports/request-metrics.js';
import { serviceLabel } from '../../../../operator/engines/metrics/counters.js';
import { sampleIn } from '../../../../operator/engines/metrics/exposition.js';
import { requestMetricsSource } from '../../../../operator/engines/metrics/request-metrics-source.js';
import type { ScrapeRequest, ScrapeResult } from '../../../../operator/engines/metrics/scraper.js';
import type { ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { FakeClock } from '../../fake-clock.js';

const podKind: ObjectKind = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

const question: RequestMetricsQuestion = {
  namespace: 'team',
  proxies: { labels: { app: 'proxy' }, port: 9100 },
  sides: {
    stable: { services: ['web-stable'], pods: { labels: { app: 'stable' }, port: 8080 } },
    trial: { services: ['web-trial', 'web-trial-b'], pods: { labels: { app: 'trial' }, port: 8080 } },
    'variant b': { services: ['web-trial-b'] },
  },
  drift: 'score',
};

/** The answer of each Pod by name: lines, or an error. */
type Telling = Readonly<Record<string, readonly string[] | { readonly why: string }>>;

const present = 'traefik_config_reloads_total 1';
const requests = (service: string, count: number, code = '200') =>
  `traefik_service_requests_total{code="${code}",service="${serviceLabel('team', service)}"} ${count}`;
const score = (count: number) => `score_bucket{le="+Inf"} ${count}`;

/** A world of pods `proxy-1`, `stable-1`: their label is what stands before the dash. */
async function world(names: readonly string[]) {
  const cluster = new MemoryCluster({
    uid: (
      () => () =>
        names[index++] ?? ''
    )(),
  });
  let index = 0;
  for (const [number, name] of names.entries()) {
    const metadata = { name, namespace: 'team', labels: { app: name.split('-')[0] ?? '' } };
    const status = { phase: 'Running', podIP: `10.0.0.${number + 1}` };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: {}, status } as Manifest;
    await cluster.apply(podKind, pod, { manager: 'kubelet' });
    await cluster.apply(podKind, pod, { manager: 'kubelet', subresource: 'status' });
  }
  const clock = new FakeClock();
  const inquests: ScrapeRequest[] = [];
  const ask = (telling: Telling, asked: RequestMetricsQuestion = question, late = 0) => {
    const tell = async (inquest: ScrapeRequest) => {
      inquests.push(inquest);
      return new Map(inquest.pods.map(({ uid, name }) => [uid, told(telling[name] ?? [], clock.now() - late)]));
    };
    return requestMetricsSource({ cluster, clock, tell })(asked, { signal: new AbortController().signal });
  };
  return { ask, clock, inquests };
}

function told(lines: readonly string[] | { readonly why: string }, at: number): ScrapeResult {
  return 'why' in lines ? lines : { samples: lines.flatMap((line) => sampleIn(line) ?? []), at };
}

describe('what an Algorithm is told', () => {
  test('is what each proxy counted for a side, and what its own pods did, by their UID', async () => {
    const { ask, clock } = await world(['proxy-1', 'proxy-2', 'stable-1', 'trial-1', 'else-1']);
    const answer = await ask({
      'proxy-1': [present, requests('web-stable', 80), requests('web-trial', 18), requests('web-trial-b', 2, '500')],
      'proxy-2': [present, requests('web-stable', 8)],
      'stable-1': [score(88)],
      'trial-1': [score(20)],
    });
    const drift = (count: number) => ({ drift: { bounds: [], counts: [count] } });
    const codes = (counted: object) => ({ codes: counted, latency: undefined });
    expect(answer).toEqual({
      sides: {
        stable: {
          at: clock.now(),
          sources: { 'proxy-1': codes({ 200: 80 }), 'proxy-2': codes({ 200: 8 }), 'stable-1': drift(88) },
        },
        trial: {
          at: clock.now(),
          sources: { 'proxy-1': codes({ 200: 18, 500: 2 }), 'proxy-2': codes({}), 'trial-1': drift(20) },
        },
        'variant b': { at: clock.now(), sources: { 'proxy-1': codes({ 500: 2 }), 'proxy-2': codes({}) } },
      },
      proxies: ['proxy-1', 'proxy-2'],
      silent: [],
    });
  });

  test('is asked of the pods that have the labels, at the port that is named, and only for what is wanted', async () => {
    const { ask, inquests } = await world(['proxy-1', 'stable-1', 'trial-1', 'else-1']);
    await ask({ 'proxy-1': [present] });
    expect(inquests.map(({ pods, port }) => `${pods.map(({ name }) => name)}:${port}`)).toEqual([
      'proxy-1:9100',
      'stable-1:8080',
      'trial-1:8080',
    ]);
    const [ofProxies, ...ofPods] = inquests;
    expect([...(ofProxies?.services ?? [])]).toEqual(
      ['web-stable', 'web-trial', 'web-trial-b'].map((name) => serviceLabel('team', name)),
    );
    expect(ofPods.map(({ metrics }) => [...metrics])).toEqual([['score_bucket'], ['score_bucket']]);
  });

  test('is asked of proxies alone where drift is not judged', async () => {
    const { ask, inquests } = await world(['proxy-1', 'stable-1', 'trial-1']);
    const { drift: _, ...withoutDrift } = question;
    await ask({ 'proxy-1': [present] }, withoutDrift);
    expect(inquests).toHaveLength(1);
  });

  test('is of the time that all have told of', async () => {
    const { ask, clock } = await world(['proxy-1']);
    const answer = await ask({ 'proxy-1': [present] }, question, 7_000);
    expect(answer.sides['stable']?.at).toBe(clock.now() - 7_000);
  });

  test('is added up from one answer to the next', async () => {
    const { ask, clock } = await world(['proxy-1', 'proxy-2']);
    const first = await ask({ 'proxy-1': [present, requests('web-trial', 10)], 'proxy-2': [present] });
    await clock.advance(10_000);
    const next = await ask({
      'proxy-1': [present, requests('web-trial', 15), requests('web-trial', 1, '503')],
      'proxy-2': [present, requests('web-trial', 4)],
    });
    const readings = [first, next].flatMap(({ sides }) => sides['trial'] ?? []);
    expect(increaseOf(readings)?.sample.requests).toEqual({ total: 10, failed: 1 });
  });
});

describe('line 7: what nobody tells is missing, and not bad', () => {
  test.each<{ when: string; telling: Telling; silent: string }>([
    {
      when: 'it does not answer',
      telling: { 'proxy-2': { why: 'no answer within 3000 ms' } },
      silent: 'no answer within 3000 ms',
    },
    {
      when: 'it tells a count that is none',
      telling: { 'proxy-2': [present, requests('web-trial', Number.NaN)] },
      silent: 'traefik_service_requests_total has the value NaN, must be a non-negative integer',
    },
    {
      when: 'it is another proxy',
      telling: { 'proxy-2': ['envoy_up 1'] },
      silent: 'it reports no traefik_config_reloads_total: only Traefik metrics are supported',
    },
  ])('a proxy is silent when $when, and the others are counted', async ({ telling, silent }) => {
    const { ask } = await world(['proxy-1', 'proxy-2']);
    const answer = await ask({ 'proxy-1': [present, requests('web-trial', 3)], ...telling });
    expect(answer.sides['trial']?.sources).toMatchObject({ 'proxy-1': { codes: { 200: 3 } }, 'proxy-2': 'silent' });
    expect(answer.silent).toEqual([`pod proxy-2: ${silent}`]);
  });

  test('a pod is silent that tells nonsense, and its requests are counted', async () => {
    const { ask } = await world(['proxy-1', 'trial-1']);
    const answer = await ask({ 'proxy-1': [present, requests('web-trial', 3)], 'trial-1': ['score_bucket{le="x"} 1'] });
    expect(answer.sides['trial']?.sources).toMatchObject({ 'proxy-1': { codes: { 200: 3 } }, 'trial-1': 'silent' });
  });

  test.each<{ fault: string; when: string; names: readonly string[]; telling: Telling }>([
    {
      fault: 'no Pod of the gateway is running, so requests are not counted',
      when: 'there is no proxy',
      names: ['trial-1'],
      telling: {},
    },
    {
      fault: 'no Pod reported the number of requests: pod proxy-1: refused; pod proxy-2: late',
      when: 'no proxy tells',
      names: ['proxy-1', 'proxy-2', 'trial-1'],
      telling: { 'proxy-1': { why: 'refused' }, 'proxy-2': { why: 'late' }, 'trial-1': [score(1)] },
    },
  ])('nothing is known when $when', async ({ fault, names, telling }) => {
    const { ask } = await world(names);
    await expect(ask(telling)).rejects.toThrow(fault);
  });
});
