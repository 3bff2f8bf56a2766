import { type Counters, type Histogram, histogramOf } from '../../controllers/algorithm/judgement/index.js';
import type { Sample } from './exposition.js';

/** The metrics to read from a proxy. */
export const proxyMetrics = {
  requests: 'traefik_service_requests_total',
  latency: 'traefik_service_request_duration_seconds_bucket',
  /** Reported by every proxy, even before its first request. */
  presence: 'traefik_config_reloads_total',
} as const;

/** The label value that a proxy uses for a Service on port 80 in a route of a Gateway. */
export function serviceLabel(namespace: string, service: string): string {
  return `${namespace}-${service}-http-80@kubernetesgateway`;
}

/**
 * The counters of a proxy for some Services.
 * @throws {Error} if the metrics are not those of a supported proxy, or have values that no counter can have
 */
export function proxyCounters(samples: readonly Sample[], services: ReadonlySet<string>): Counters {
  if (!samples.some(({ name }) => name === proxyMetrics.presence)) {
    throw new Error(`it reports no ${proxyMetrics.presence}: only Traefik metrics are supported`);
  }
  const ours = samples.filter(({ labels }) => services.has(labels.get('service') ?? ''));
  const codes = new Map<string, number>();
  for (const { labels, value } of counted(ours, proxyMetrics.requests)) {
    const code = labels.get('code') ?? '';
    codes.set(code, (codes.get(code) ?? 0) + value);
  }
  return { codes: Object.fromEntries(codes), latency: histogramIn(ours, proxyMetrics.latency) };
}

/** The metric name of the buckets of a histogram. */
export function bucketsOf(metric: string): string {
  return `${metric}_bucket`;
}

/** Maximum number of buckets of a histogram. The state of a trial is stored in the status, which must stay small. */
const mostBuckets = 256;

/** A histogram, summed over its labels; undefined if there are no samples. @param name metric name of its buckets */
export function histogramIn(samples: readonly Sample[], name: string): Histogram | undefined {
  const buckets = new Map<string, number>();
  for (const { labels, value } of counted(samples, name)) {
    const le = labels.get('le') ?? '';
    const bound = le === '+Inf' ? le : String(Number(le));
    if (le === '' || bound === 'NaN') throw new Error(`${name} has the invalid bucket boundary ${JSON.stringify(le)}`);
    buckets.set(bound, (buckets.get(bound) ?? 0) + value);
  }
  if (buckets.size > mostBuckets)
    throw new Error(`${name} has ${buckets.size} buckets, must have at most ${mostBuckets}`);
  return buckets.size === 0 ? undefined : histogramOf(Object.fromEntries(buckets));
}

/** The samples of a counter, which must have distinct labels. */
function counted(samples: readonly Sample[], name: string): readonly Sample[] {
  const seen = new Set<string>();
  return samples.filter((sample) => {
    if (sample.name !== name) return false;
    const labels = JSON.stringify([...sample.labels].sort());
    if (seen.has(labels)) throw new Error(`${name} has two samples with the same labels`);
    seen.add(labels);
    if (sample.value >= 0 && Number.isSafeInteger(sample.value)) return true;
    throw new Error(`${name} has the value ${sample.value}, must be a non-negative integer`);
  });
}
