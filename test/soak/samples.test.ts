import { describe, expect, it } from 'vitest';
import { afterFalls, grown, newAnswers, sampleOf, slopeOf } from './samples.js';

/** Metrics as a process serves them. */
function metrics({ handles = 5, labels = 1, codes = 1, host = '127.0.0.1:1', cache = 1000, age = 1 }): string {
  const counters = Array.from({ length: labels }, (_, label) => `requests_total{code="${label}"} 3`);
  const requests = Array.from(
    { length: codes },
    (_, code) => `rest_client_requests_total{code="${200 + code}",method="GET",host="${host}"} 3`,
  );
  return [
    ...['# HELP requests_total Requests.', '# TYPE requests_total counter', ...counters],
    ...['# TYPE rest_client_requests_total counter', ...requests],
    ...['# TYPE handles gauge', `handles{type="a"} ${handles}`, 'handles{type="b"} 1'],
    ...['# TYPE reconstruct_cache_bytes gauge', `reconstruct_cache_bytes{kind="Service"} ${cache}`],
    ...['# TYPE watch_age_seconds gauge', `watch_age_seconds ${age}`, ''],
  ].join('\n');
}

describe('a sample', () => {
  it('adds up gauges over their labels, and counts series', () => {
    const { gauges, series } = sampleOf(metrics({ labels: 4 }), 1);
    expect(Object.fromEntries(gauges)).toEqual({ handles: 6, reconstruct_cache_bytes: 1000, watch_age_seconds: 1 });
    expect(series.get('requests_total')?.size).toBe(4);
  });
});

describe('growth', () => {
  it.each([
    { found: [], when: 'all stays', last: {} },
    { found: [], when: 'something comes and goes', last: { handles: 7 } },
    { found: ['gauge handles: 6 at first, 31 at last'], when: 'handles leak', last: { handles: 30 } },
    {
      found: ['series of requests_total: 1 at first, 40 at last, such as {code="37"} {code="38"} {code="39"}'],
      when: 'a label has ever new values',
      last: { labels: 40 },
    },
    { found: [], when: 'answers come that never came before', last: { codes: 9 } },
    {
      found: [
        'series of rest_client_requests_total: 0 at first, 4 at last, such as {code="201",method="GET",host="a"} {code="202",method="GET",host="a"} {code="203",method="GET",host="a"}',
      ],
      when: 'answers come of hosts that are not asked',
      last: { codes: 4, host: 'a' },
    },
    {
      found: ['gauge reconstruct_cache_bytes: 1000 at first, 2000 at last'],
      when: 'a cache grows',
      last: { cache: 2000 },
    },
    { found: [], when: 'news is older', last: { age: 60 } },
  ])('is $found when $when', ({ found, last }) => {
    const samples = Array.from({ length: 20 }, (_, minute) => sampleOf(metrics(minute < 10 ? {} : last), minute));
    expect(grown(samples)).toEqual(found);
  });

  it('cannot be told by four samples', () => {
    const samples = [0, 1, 2, 3].map((minute) => sampleOf('', minute));
    expect(grown(samples)).toEqual(['4 samples are too few to tell what grows: run it for longer']);
  });
});

describe('answers', () => {
  it('are new that came after the first sample', () => {
    const samples = [1, 3].map((codes, minute) => sampleOf(metrics({ codes }), minute));
    expect(newAnswers(samples)).toEqual(['GET 201', 'GET 202']);
    expect(newAnswers([])).toEqual([]);
  });
});

describe('the heap after a collection', () => {
  it.each([
    { left: [40, 41], of: [40, 50, 60, 40, 55, 41], when: 'it is cleared twice' },
    { left: [], of: [40, 41, 39, 42], when: 'it comes and goes a little' },
    { left: [], of: [], when: 'nothing is known' },
  ])('is $left when $when', ({ left, of }) => {
    expect(afterFalls(of.map((value, minute) => [minute, value] as const)).map(([, value]) => value)).toEqual(left);
  });
});

describe('a slope', () => {
  it.each([
    { slope: 0, of: [] },
    { slope: 0, of: [[1, 5]] },
    { slope: 2, of: [[0, 1], [1, 3], [2, 5]] }, // biome-ignore format: points
    { slope: 0, of: [[0, 1], [1, 3], [2, 1]] }, // biome-ignore format: points
    { slope: -1, of: [[0, 3], [1, 2], [3, 0]] }, // biome-ignore format: points
  ] as const)('is $slope of $of', ({ slope, of }) => {
    expect(slopeOf(of)).toBeCloseTo(slope);
  });
});
