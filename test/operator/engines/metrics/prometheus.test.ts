import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { Agent } from 'undici';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { askingPrometheus, queryFor } from '../../../../operator/engines/metrics/prometheus.js';
import type { ScrapeRequest, ScrapeResult } from '../../../../operator/engines/metrics/scraper.js';
import { GivenTellers } from './given-scrapers.js';

const dispatcher = new Agent();
let given: GivenTellers | undefined;
afterEach(() => given?.close());
afterAll(() => dispatcher.close());

const inquest: ScrapeRequest = {
  namespace: 'team',
  pods: ['web-a', 'web-b'].map((name) => ({ name, uid: `uid of ${name}`, address: '10.0.0.1' })),
  port: 9100,
  metrics: new Set(['requests_total']),
};

/** What a Prometheus that answers so has asked, on one line each. */
async function asked(listener: RequestListener, path = ''): Promise<ReadonlyMap<string, ScrapeResult>> {
  given = await GivenTellers.at(listener);
  const url = new URL(`${given.url}${path}`);
  const access = async () => ({ url, dispatcher, headers: { authorization: 'Bearer secret' } });
  return askingPrometheus(access)(inquest, new AbortController().signal);
}

function answering(body: unknown, type = 'application/json'): RequestListener {
  return (_, response) =>
    response.writeHead(200, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body));
}

const matrix = (...result: readonly unknown[]) => ({ status: 'success', data: { resultType: 'matrix', result } });
const series = (pod: string, code: string, ...values: readonly (readonly [number, string])[]) => ({
  metric: { __name__: 'requests_total', namespace: 'team', pod, code },
  values,
});

describe('a query', () => {
  test('is for the samples of the last minute, of these pods of one namespace alone', () => {
    expect(queryFor(inquest)).toBe('{__name__=~"requests_total",namespace="team",pod=~"web-a|web-b"}[60s]');
  });

  test('is for what is told of some services, and what is told of none', () => {
    const query = queryFor({ ...inquest, services: new Set(['team-web-http-80@kubernetesgateway']) });
    expect(query).toContain(',service=~"team-web-http-80@kubernetesgateway|"}');
  });

  test('takes no name for a pattern, nor for the end of a text', () => {
    const pods = [{ name: 'a.b"}\\', uid: '1', address: '10.0.0.1' }];
    expect(queryFor({ ...inquest, namespace: 'x"\n', pods })).toBe(
      '{__name__=~"requests_total",namespace="x\\"\\n",pod=~"a\\\\.b\\"\\\\}\\\\\\\\"}[60s]',
    );
  });

  test.each<[path: string, to: string]>([
    ['', '/api/v1/query'],
    ['/prometheus', '/prometheus/api/v1/query'],
    ['/prometheus/', '/prometheus/api/v1/query'],
  ])('is sent below the path %j, with what it takes to be let in', async (path, to) => {
    const heard: unknown[] = [];
    await asked(async (request, response) => {
      const { method, url, headers } = request;
      heard.push(method, url, headers.authorization, new URLSearchParams(await text(request)).get('query'));
      answering(matrix())(request, response);
    }, path);
    expect(heard).toEqual(['POST', to, 'Bearer secret', queryFor(inquest)]);
  });
});

describe('what a Prometheus scraped', () => {
  test('is the newest of each series, and of the time of the newest of a pod', async () => {
    const told = await asked(
      answering(
        matrix(
          series('web-a', '200', [1700000000, '1'], [1700000015.5, '4']),
          series('web-a', '500', [1700000000, '2']),
        ),
      ),
    );
    const sample = (code: string, value: number) => ({
      name: 'requests_total',
      labels: new Map([['code', code]]),
      value,
    });
    expect(told.get('uid of web-a')).toEqual({ samples: [sample('200', 4), sample('500', 2)], at: 1700000015500 });
    expect(told.get('uid of web-b')).toEqual({ why: 'Prometheus scraped no samples of it in the last 60s' });
  });

  test('is of no pod that was not asked for', async () => {
    const told = await asked(answering(matrix(series('web-x', '200', [1700000000, '1']))));
    expect([...told.keys()]).toEqual(['uid of web-a', 'uid of web-b']);
  });

  test('is no number where it is none', async () => {
    const told = await asked(answering(matrix(series('web-a', '200', [1700000000, 'many']))));
    expect(told.get('uid of web-a')).toMatchObject({ samples: [{ value: Number.NaN }] });
  });

  test.each<{ fault: string; when: string; listener: RequestListener }>([
    {
      fault: 'the response has status 401, must be 200',
      when: 'it does not let in',
      listener: (_, r) => r.writeHead(401).end(),
    },
    {
      fault: 'the response has status 302, must be 200',
      when: 'it sends elsewhere',
      listener: (_, r) => r.writeHead(302, { location: '/' }).end(),
    },
    { fault: 'the response is not JSON', when: 'its answer is broken off', listener: answering('{"status":') },
    {
      fault: 'the response has content type "text/html", must be application/json',
      when: 'its answer is a page',
      listener: answering('<p>', 'text/html'),
    },
    { fault: 'the response is not a matrix', when: 'its answer is null', listener: answering('null') },
    {
      fault: 'the response is not a matrix',
      when: 'it is a vector',
      listener: answering({ data: { resultType: 'vector', result: [] } }),
    },
    {
      fault: 'the response is not a matrix',
      when: 'its result is none',
      listener: answering({ data: { resultType: 'matrix' } }),
    },
    ...[
      null,
      'series',
      {},
      { metric: {} },
      { metric: {}, values: [] },
      { metric: null, values: [[1, '1']] },
      { metric: {}, values: [['1', 1]] },
    ].map((one) => ({
      fault: 'the response has a series without a value',
      when: `a series is ${JSON.stringify(one)}`,
      listener: answering(matrix(one)),
    })),
  ])('is not known, with "$fault", when $when', async ({ fault, listener }) => {
    await expect(asked(listener)).rejects.toThrow(fault);
  });
});
