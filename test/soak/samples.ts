/** The measurements of a process at one moment. */
export interface Sample {
  /** Minutes since the process was at work. */
  readonly minute: number;
  /** Values of gauges by name, added up over their labels. */
  readonly gauges: ReadonlyMap<string, number>;
  /** Of each metric the labels of its series. */
  readonly series: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads metrics in the Prometheus format. */
export function sampleOf(text: string, minute: number): Sample {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  const gauges = new Map<string, number>();
  const series = new Map<string, Set<string>>();
  for (const [, name = '', labels = '', value] of text.matchAll(/^([a-zA-Z_:][\w:]*)(\{.*\})? (\S+)$/gm)) {
    series.set(name, (series.get(name) ?? new Set()).add(labels));
    if (types.get(name) === 'gauge') gauges.set(name, (gauges.get(name) ?? 0) + Number(value));
  }
  return { minute, gauges, series };
}

/** The slope of the line that is nearest to the points, by least squares; 0 for fewer than two. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / Math.max(points.length, 1);
  const [mx, my] = [mean(([x]) => x), mean(([, y]) => y)];
  const covariance = mean(([x, y]) => (x - mx) * (y - my));
  const variance = mean(([x]) => (x - mx) ** 2);
  return variance === 0 ? 0 : covariance / variance;
}

/** A heap that has lost so much of itself from one sample to the next was cleared in between. */
const cleared = 0.75;

/**
 * The points right after each fall: what is left of a heap when it was cleared. Between two falls it grows by what is
 * thrown away next time, and a line through that says at which tooth the run ended.
 */
export function afterFalls(
  points: readonly (readonly [x: number, y: number])[],
): readonly (readonly [number, number])[] {
  return points.filter(([, y], index) => y < cleared * (points[index - 1]?.[1] ?? 0));
}

/** Gauges that come and go, or grow by their nature; memory is judged by its slope. */
const restless = /(_bytes|_seconds|_age|_time|_lag.*|leader_election_master_status)$/;

/** Series of which there are only few: an answer that comes for the first time late in a run is no growth. */
const few: Readonly<Record<string, RegExp>> = {
  rest_client_requests_total:
    /^\{code="(<error>|[1-5]\d\d)",method="(GET|POST|PUT|PATCH|DELETE)",host="127\.0\.0\.1:\d+"\}$/,
};

/** Samples that it takes to tell a beginning from an end. */
const enough = 5;

/**
 * What is more at the end than at the beginning, in a line each: gauges, and numbers of series, of which some that came
 * since are named; or that this cannot be told.
 */
export function grown(samples: readonly Sample[]): readonly string[] {
  const [start, end] = [samples.at(0), samples.at(-1)];
  if (samples.length < enough || !start || !end) {
    return [`${samples.length} samples are too few to tell what grows: run it for longer`];
  }
  const fifth = Math.max(1, Math.floor(samples.length / 5));
  const [first, last] = [samples.slice(0, fifth), samples.slice(-fifth)];
  const compare = (what: string, names: Iterable<string>, value: (sample: Sample, name: string) => number) =>
    [...names].flatMap((name) => {
      const [before, after] = [first, last].map((some) => median(some.map((sample) => value(sample, name))));
      const isMore = (after ?? 0) > (before ?? 0) * 1.1 + 3;
      return isMore ? [{ name, line: `${what} ${name}: ${before} at first, ${after} at last` }] : [];
    });
  const gauges = [...end.gauges.keys()].filter((name) => !restless.test(name) || isCache(name));
  return [
    ...compare('gauge', gauges, (sample, name) => sample.gauges.get(name) ?? 0).map(({ line }) => line),
    ...compare('series of', end.series.keys(), (sample, name) => counted(sample, name).length).map(
      ({ name, line }) => `${line}, ${examples(counted(start, name), counted(end, name))}`,
    ),
  ];
}

/** The labels of a metric's series, those left out of which there can be only few. */
function counted({ series }: Sample, name: string): readonly string[] {
  return [...(series.get(name) ?? [])].filter((labels) => !few[name]?.test(labels));
}

function examples(before: readonly string[], after: readonly string[]): string {
  const since = after.filter((labels) => !before.includes(labels));
  return `such as ${since.slice(-3).join(' ')}`;
}

/** Methods and status codes of the API server's answers that came for the first time after the first sample. */
export function newAnswers(samples: readonly Sample[]): readonly string[] {
  const answers = (sample: Sample | undefined) =>
    [...(sample?.series.get('rest_client_requests_total') ?? [])].map((labels) => {
      const [, code, method] = /code="([^"]*)",method="([^"]*)"/.exec(labels) ?? [];
      return `${method} ${code}`;
    });
  const before = new Set(answers(samples.at(0)));
  return answers(samples.at(-1)).filter((answer) => !before.has(answer));
}

/** The same objects are in the caches all the time. */
function isCache(name: string): boolean {
  return name.startsWith('reconstruct_cache_');
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
