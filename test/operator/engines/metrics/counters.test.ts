import { describe, expect, test } from 'vitest';
import { histogramIn, proxyCounters, serviceLabel } from '../../../../operator/engines/metrics/counters.js';
import { sampleIn } from '../../../../operator/engines/metrics/exposition.js';

const samplesOf = (...lines: readonly string[]) => lines.flatMap((line) => sampleIn(line) ?? []);

const stable = serviceLabel('team', 'web-stable');
const present = 'traefik_config_reloads_total 3';
const requests = (service: string, code: string, count: number | string, method = 'GET') =>
  `traefik_service_requests_total{code="${code}",method="${method}",protocol="http",service="${service}"} ${count}`;
const bucket = (service: string, le: string, count: number | string, code = '200') =>
  `traefik_service_request_duration_seconds_bucket{code="${code}",method="GET",protocol="http",service="${service}",le="${le}"} ${count}`;

describe('what a proxy has counted for a Service', () => {
  const other = serviceLabel('team', 'web-trial');
  test.each<{ is: object; when: string; lines: readonly string[] }>([
    { is: { codes: {} }, when: 'nobody called it yet', lines: [] },
    { is: { codes: { 200: 7 } }, when: 'one code was answered', lines: [requests(stable, '200', 7)] },
    {
      is: { codes: { 200: 9, 503: 1 } },
      when: 'methods and codes differ',
      lines: [requests(stable, '200', 7), requests(stable, '200', 2, 'POST'), requests(stable, '503', 1)],
    },
    {
      is: { codes: { 200: 7 } },
      when: 'another Service was called',
      lines: [
        requests(stable, '200', 7),
        requests(other, '500', 3),
        requests(serviceLabel('other', 'web-stable'), '500', 3),
      ],
    },
    {
      is: { codes: {}, latency: { bounds: [0.1, 0.3], counts: [5, 3, 2] } },
      when: 'it tells how long requests took',
      lines: [
        ...[bucket(stable, '0.1', 4), bucket(stable, '0.3', 7), bucket(stable, '+Inf', 8)],
        ...[bucket(stable, '0.1', 1, '500'), bucket(stable, '0.3', 1, '500'), bucket(stable, '+Inf', 2, '500')],
      ],
    },
    { is: { codes: {} }, when: 'the bucket without an end is missing', lines: [bucket(stable, '0.1', 4)] },
  ])('is $is when $when', ({ is, lines }) => {
    expect(proxyCounters(samplesOf(present, ...lines), new Set([stable]))).toEqual({ latency: undefined, ...is });
  });

  test.each<{ fault: string; when: string; lines: readonly string[] }>([
    { fault: 'only Traefik metrics are supported', when: 'it is another proxy', lines: ['envoy_requests 3'] },
    {
      fault: 'traefik_service_requests_total has the value NaN, must be a non-negative integer',
      when: 'a count is none',
      lines: [present, requests(stable, '200', 'NaN')],
    },
    {
      fault: 'traefik_service_requests_total has the value -1',
      when: 'a count is negative',
      lines: [present, requests(stable, '200', -1)],
    },
    { fault: 'has the value 0.5', when: 'a count is a part of one', lines: [present, requests(stable, '200', 0.5)] },
    { fault: 'has the value 1e+300', when: 'nobody counts that far', lines: [present, requests(stable, '200', 1e300)] },
    {
      fault: 'has 257 buckets, must have at most 256',
      when: 'a histogram is finer than a status has room for',
      lines: [present, ...Array.from({ length: 257 }, (_, bound) => bucket(stable, `${bound}`, bound))],
    },
    { fault: 'has the value Infinity', when: 'a count has no end', lines: [present, bucket(stable, '0.1', '+Inf')] },
    {
      fault: 'traefik_service_requests_total has two samples with the same labels',
      when: 'a sample is told twice',
      lines: [present, requests(stable, '200', 1), requests(stable, '200', 1)],
    },
    {
      fault: 'has the invalid bucket boundary "wide"',
      when: 'a bucket has no bound',
      lines: [present, bucket(stable, 'wide', 1)],
    },
    {
      fault: 'has the invalid bucket boundary ""',
      when: 'a bucket has an empty bound',
      lines: [present, bucket(stable, '', 1)],
    },
  ])('is not known when $when', ({ fault, lines }) => {
    expect(() => proxyCounters(samplesOf(...lines), new Set([stable]))).toThrow(fault);
  });
});

describe('a histogram', () => {
  const score = (labels: string, count: number) => `score_bucket{${labels}} ${count}`;

  test('is over all labels, whatever its bounds are written like', () => {
    const lines = [score('model="a",le="0.5"', 1), score('model="a",le="+Inf"', 3)];
    const more = [score('model="b",le="5e-1"', 2), score('model="b",le="+Inf"', 2)];
    expect(histogramIn(samplesOf(...lines, ...more), 'score_bucket')).toEqual({ bounds: [0.5], counts: [3, 2] });
  });

  test('is none while nothing is told of it', () => {
    expect(histogramIn(samplesOf('other_bucket{le="+Inf"} 3'), 'score_bucket')).toBeUndefined();
  });
});
