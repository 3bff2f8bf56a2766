import type { Dispatcher } from 'undici';
import { numberIn, type Sample } from './exposition.js';
import { bodyOf } from './response-body.js';
import type { ScrapeRequest, ScrapeResult, Scraper } from './scraper.js';

/**
 * Range of the query. The query reads counters as they were scraped, with their timestamps. An instant query would
 * return samples up to five minutes old with the current time, and a rate would depend on the scrapes and on guessed
 * restarts. Samples older than this are not returned.
 */
const window = '60s';

/** A connection to Prometheus. */
export interface PrometheusAccess {
  readonly url: URL;
  readonly dispatcher: Dispatcher;
  /** Headers of each request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One series of a response. */
interface Series {
  readonly metric: Readonly<Record<string, string>>;
  /** The latest sample: seconds since 1970, and its value as text. */
  readonly last: readonly [number, string];
}

/**
 * Queries Prometheus for the metrics that it scraped from the Pods. Prometheus must set the target labels `namespace`
 * and `pod`. Labels of a Pod with these names are ignored, unless Prometheus is configured with `honor_labels`.
 *
 * @throws {Error} if Prometheus does not answer
 */
export function askingPrometheus(access: () => Promise<PrometheusAccess>): Scraper {
  return async (inquest, signal) => {
    const { url, dispatcher, headers } = await access();
    const pieces = bodyOf({
      url: new URL('api/v1/query', url.href.endsWith('/') ? url : `${url}/`),
      dispatcher,
      headers: { accept: 'application/json', ...headers },
      form: { query: queryFor(inquest) },
      type: 'application/json',
      signal,
    });
    let text = '';
    for await (const piece of pieces) text += piece;
    return toldBy(seriesIn(text), inquest);
  };
}

/** The query for the samples of all requested Pods in the range. */
export function queryFor({ namespace, pods, metrics, services }: ScrapeRequest): string {
  const matchers = [
    `__name__=~${oneOf([...metrics])}`,
    `namespace="${quoted(namespace)}"`,
    `pod=~${oneOf(pods.map(({ name }) => name))}`,
    ...(services ? [`service=~${oneOf([...services, ''])}`] : []),
  ];
  return `{${matchers.join(',')}}[${window}]`;
}

function oneOf(texts: readonly string[]): string {
  return `"${quoted(texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'))}"`;
}

function quoted(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n');
}

function toldBy(series: readonly Series[], { pods }: ScrapeRequest): ReadonlyMap<string, ScrapeResult> {
  const byPod = new Map<string, { samples: Sample[]; at: number }>();
  for (const { metric, last } of series) {
    const { __name__: name = '', pod = '', namespace: _, ...labels } = metric;
    const known = byPod.get(pod) ?? { samples: [], at: 0 };
    byPod.set(pod, known);
    const [seconds, text] = last;
    known.samples.push({ name, labels: new Map(Object.entries(labels)), value: numberIn(text) ?? Number.NaN });
    known.at = Math.max(known.at, Math.round(seconds * 1000));
  }
  const why = `Prometheus scraped no samples of it in the last ${window}`;
  return new Map(pods.map(({ uid, name }) => [uid, byPod.get(name) ?? { why }]));
}

/** @throws {Error} if the response is not in the format of Prometheus */
function seriesIn(text: string): readonly Series[] {
  const data = dataIn(text);
  if (data?.resultType !== 'matrix' || !Array.isArray(data.result)) throw new Error('the response is not a matrix');
  return data.result.map((one: { readonly metric?: unknown; readonly values?: readonly unknown[] }) => {
    const last = one?.values?.at(-1);
    const isPair = Array.isArray(last) && typeof last[0] === 'number' && typeof last[1] === 'string';
    if (!isPair || typeof one.metric !== 'object' || one.metric === null)
      throw new Error('the response has a series without a value');
    return { metric: one.metric as Series['metric'], last: [last[0], last[1]] as const };
  });
}

/** Replaces the error of the JSON parser, which quotes the text. The text may be anything. */
function dataIn(text: string): { readonly resultType?: unknown; readonly result?: unknown } | undefined {
  try {
    return (JSON.parse(text) as { readonly data?: object } | null)?.data;
  } catch {
    throw new Error('the response is not JSON');
  }
}
