import type { Dispatcher } from 'undici';
import { numberIn, type Sample } from './exposition.js';
import { bodyOf } from './response-body.js';
import type { ScrapeRequest, ScrapeResult, Scraper } from './scraper.js';

/**
 * How far back a sample is looked for. A counter is asked for as it was scraped, with its time (a range, not a rate):
 * what an instant query gives is up to five minutes old and says that it is of now, and a rate is of what Prometheus
 * happened to scrape, over restarts that it guesses. What was not scraped for this long is not told.
 */
const window = '60s';

/** A way to a Prometheus. */
export interface PrometheusAccess {
  readonly url: URL;
  readonly dispatcher: Dispatcher;
  /** What is sent along. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One series of an answer. */
interface Series {
  readonly metric: Readonly<Record<string, string>>;
  /** The newest: seconds since 1970, and its text. */
  readonly last: readonly [number, string];
}

/**
 * Asks a Prometheus what it scraped from the pods. It must give its targets the labels `namespace` and `pod`: what a
 * pod says of itself under these names does not count, unless it was told to believe it (`honor_labels`).
 *
 * @throws {Error} when the Prometheus does not answer
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

/** The samples of the window of all pods that are asked for. */
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
  const why = `Prometheus has scraped nothing of it in the last ${window}`;
  return new Map(pods.map(({ uid, name }) => [uid, byPod.get(name) ?? { why }]));
}

/** @throws {Error} when it is no answer as Prometheus gives it */
function seriesIn(text: string): readonly Series[] {
  const data = dataIn(text);
  if (data?.resultType !== 'matrix' || !Array.isArray(data.result)) throw new Error('the answer is no matrix');
  return data.result.map((one: { readonly metric?: unknown; readonly values?: readonly unknown[] }) => {
    const last = one?.values?.at(-1);
    const isPair = Array.isArray(last) && typeof last[0] === 'number' && typeof last[1] === 'string';
    if (!isPair || typeof one.metric !== 'object' || one.metric === null)
      throw new Error('the answer has a series without a value');
    return { metric: one.metric as Series['metric'], last: [last[0], last[1]] as const };
  });
}

/** What the engine says of text that is no JSON quotes it, and it may be anything. */
function dataIn(text: string): { readonly resultType?: unknown; readonly result?: unknown } | undefined {
  try {
    return (JSON.parse(text) as { readonly data?: object } | null)?.data;
  } catch {
    throw new Error('the answer is no JSON');
  }
}
