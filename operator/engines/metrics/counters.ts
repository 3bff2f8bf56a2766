import { type Counters, type Histogram, histogramOf } from '../../controllers/algorithm/judgement/index.js';
import type { Sample } from './exposition.js';

/** What a proxy is asked for. */
export const proxyMetrics = {
  requests: 'traefik_service_requests_total',
  latency: 'traefik_service_request_duration_seconds_bucket',
  /** Told by every proxy, whether somebody called it or not. */
  presence: 'traefik_config_reloads_total',
} as const;

/** What a proxy calls a Service that a route of a Gateway names as a backend on port 80. */
export function serviceLabel(namespace: string, service: string): string {
  return `${namespace}-${service}-http-80@kubernetesgateway`;
}

/**
 * What a proxy has counted for some Services.
 * @throws {Error} when it is none of the proxies that are understood, or tells what no counter can be
 */
export function proxyCounters(samples: readonly Sample[], services: ReadonlySet<string>): Counters {
  if (!samples.some(({ name }) => name === proxyMetrics.presence)) {
    throw new Error(`it tells no ${proxyMetrics.presence}: only the metrics of Traefik are understood`);
  }
  const ours = samples.filter(({ labels }) => services.has(labels.get('service') ?? ''));
  const codes = new Map<string, number>();
  for (const { labels, value } of counted(ours, proxyMetrics.requests)) {
    const code = labels.get('code') ?? '';
    codes.set(code, (codes.get(code) ?? 0) + value);
  }
  return { codes: Object.fromEntries(codes), latency: histogramIn(ours, proxyMetrics.latency) };
}

/** The name of the buckets of a histogram. */
export function bucketsOf(metric: string): string {
  return `${metric}_bucket`;
}

/** Buckets of a histogram at the most: what a trial goes on with is kept in a status, which has room for so many. */
const mostBuckets = 256;

/** A histogram, over all of its labels; nothing while it tells none. @param name that of its buckets */
export function histogramIn(samples: readonly Sample[], name: string): Histogram | undefined {
  const buckets = new Map<string, number>();
  for (const { labels, value } of counted(samples, name)) {
    const le = labels.get('le') ?? '';
    const bound = le === '+Inf' ? le : String(Number(le));
    if (le === '' || bound === 'NaN') throw new Error(`${name} has a bucket that ends at ${JSON.stringify(le)}`);
    buckets.set(bound, (buckets.get(bound) ?? 0) + value);
  }
  if (buckets.size > mostBuckets) throw new Error(`${name} has ${buckets.size} buckets, of at most ${mostBuckets}`);
  return buckets.size === 0 ? undefined : histogramOf(Object.fromEntries(buckets));
}

/** The samples of a counter, each of other labels. */
function counted(samples: readonly Sample[], name: string): readonly Sample[] {
  const seen = new Set<string>();
  return samples.filter((sample) => {
    if (sample.name !== name) return false;
    const labels = JSON.stringify([...sample.labels].sort());
    if (seen.has(labels)) throw new Error(`${name} is told twice for the same labels`);
    seen.add(labels);
    if (sample.value >= 0 && Number.isSafeInteger(sample.value)) return true;
    throw new Error(`${name} counts ${sample.value}`);
  });
}
