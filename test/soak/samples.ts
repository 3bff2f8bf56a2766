/** What a process said about itself at one moment. */
export interface Sample {
  /** Minutes since the process was at work. */
  readonly minute: number;
  /** Values of gauges by name, added up over their labels. */
  readonly gauges: ReadonlyMap<string, number>;
  /** How many series each metric has. */
  readonly series: ReadonlyMap<string, number>;
}

/** Reads metrics in the Prometheus format. */
export function sampleOf(text: string, minute: number): Sample {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  const gauges = new Map<string, number>();
  const series = new Map<string, number>();
  for (const [, name = '', value] of text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{.*\})? (\S+)$/gm)) {
    series.set(name, (series.get(name) ?? 0) + 1);
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

/** Samples that it takes to tell a beginning from an end. */
const enough = 5;

/**
 * What is more at the end than at the beginning, in a line each: gauges, and numbers of series; or that this cannot be
 * told.
 */
export function grown(samples: readonly Sample[]): readonly string[] {
  if (samples.length < enough) return [`${samples.length} samples are too few to tell what grows: run it for longer`];
  const fifth = Math.max(1, Math.floor(samples.length / 5));
  const [first, last] = [samples.slice(0, fifth), samples.slice(-fifth)];
  const compare = (what: string, names: Iterable<string>, value: (sample: Sample, name: string) => number) =>
    [...names].flatMap((name) => {
      const [before, after] = [first, last].map((some) => median(some.map((sample) => value(sample, name))));
      const isMore = (after ?? 0) > (before ?? 0) * 1.1 + 3;
      return isMore ? [`${what} ${name}: ${before} at first, ${after} at last`] : [];
    });
  const end = samples.at(-1);
  const gauges = [...(end?.gauges.keys() ?? [])].filter((name) => !restless.test(name) || isCache(name));
  return [
    ...compare('gauge', gauges, (sample, name) => sample.gauges.get(name) ?? 0),
    ...compare('series of', end?.series.keys() ?? [], (sample, name) => sample.series.get(name) ?? 0),
  ];
}

/** The same objects are in the caches all the time. */
function isCache(name: string): boolean {
  return name.startsWith('reconstruct_cache_');
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
