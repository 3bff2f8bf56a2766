import type { Counters, Reading } from '../../controllers/algorithm/judgement/index.js';
import type {
  MetricsPods,
  RequestMetricsAnswer,
  RequestMetricsQuestion,
  SideQuestion,
} from '../../controllers/algorithm/ports/request-metrics.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import type { Source } from '../../runtime/ports/external-port.js';
import { bucketsOf, histogramIn, proxyCounters, proxyMetrics, serviceLabel } from './counters.js';
import type { Sample } from './exposition.js';
import { type Pod, podsWith } from './pods.js';
import type { ScrapeRequest, ScrapeResult, Scraper } from './scraper.js';

/** The dependencies of the source. */
export interface NumbersPlace {
  readonly cluster: Pick<Cluster, 'list'>;
  readonly clock: Clock;
  readonly tell: Scraper;
}

interface Asking extends NumbersPlace {
  readonly signal: AbortSignal;
}

/** A Pod and its scrape result. */
interface Telling {
  readonly pod: Pod;
  readonly told: ScrapeResult;
}

/** A Pod with its counters for a side, or the reason why they are unknown. */
interface Counting {
  readonly pod: Pod;
  readonly counted: Counters | { readonly why: string };
}

/** The source for the request metrics of an Algorithm. */
export function requestMetricsSource(place: NumbersPlace): Source<RequestMetricsQuestion, RequestMetricsAnswer> {
  return (question, { signal }) => answerTo(question, { ...place, signal });
}

async function answerTo(question: RequestMetricsQuestion, asking: Asking): Promise<RequestMetricsAnswer> {
  const asked = asking.clock.now();
  const [proxies, pods] = await Promise.all([askProxies(question, asking), askPods(question, asking)]);
  const counts = Object.entries(question.sides).map(([name, side]) => {
    const ofProxies = proxies.map((one) =>
      countingOf(one, (samples) => proxyCounters(samples, servicesOf(question, side))),
    );
    const ofPods = (pods.get(name) ?? []).map((one) => countingOf(one, driftIn(question)));
    return { name, ofProxies, all: [...ofProxies, ...ofPods] };
  });
  const silent = [...new Set(counts.flatMap(({ all }) => all.flatMap(complaint)))];
  refuseUnlessAny(
    counts.flatMap(({ ofProxies }) => ofProxies),
    silent,
  );
  const at = Math.min(
    asked,
    ...[proxies, ...pods.values()].flat().flatMap(({ told }) => ('at' in told ? [told.at] : [])),
  );
  const sides = Object.fromEntries(counts.map(({ name, all }) => [name, readingOf(all, at)]));
  return { sides, proxies: proxies.map(({ pod }) => pod.uid), silent };
}

async function askProxies(question: RequestMetricsQuestion, asking: Asking): Promise<readonly Telling[]> {
  const services = new Set(Object.values(question.sides).flatMap((side) => [...servicesOf(question, side)]));
  return ask(question.proxies, { ...question, metrics: new Set(Object.values(proxyMetrics)), services }, asking);
}

/** Polls the Pods of each side for the drift metric. */
async function askPods(
  question: RequestMetricsQuestion,
  asking: Asking,
): Promise<ReadonlyMap<string, readonly Telling[]>> {
  const { drift, sides } = question;
  if (drift === undefined) return new Map();
  const metrics = new Set([bucketsOf(drift)]);
  const told = Object.entries(sides).flatMap(([name, { pods }]) =>
    pods ? [ask(pods, { ...question, metrics }, asking).then((tellings) => [name, tellings] as const)] : [],
  );
  return new Map(await Promise.all(told));
}

async function ask(
  telling: MetricsPods,
  { namespace, metrics, services }: Pick<ScrapeRequest, 'namespace' | 'metrics' | 'services'>,
  { cluster, tell, signal }: Asking,
): Promise<readonly Telling[]> {
  const pods = await podsWith(telling, { cluster, namespace, signal });
  if (pods.length === 0) return [];
  const told = await tell({ namespace, pods, port: telling.port, metrics, ...(services && { services }) }, signal);
  return pods.map((pod) => ({ pod, told: told.get(pod.uid) ?? { why: 'it was not polled' } }));
}

function servicesOf({ namespace }: RequestMetricsQuestion, { services }: SideQuestion): ReadonlySet<string> {
  return new Set(services.map((service) => serviceLabel(namespace, service)));
}

function driftIn({ drift = '' }: RequestMetricsQuestion): (samples: readonly Sample[]) => Counters {
  return (samples) => ({ drift: histogramIn(samples, bucketsOf(drift)) });
}

/** Invalid metrics count as unknown, as if the source had not answered. */
function countingOf({ pod, told }: Telling, countersIn: (samples: readonly Sample[]) => Counters): Counting {
  if ('why' in told) return { pod, counted: told };
  try {
    return { pod, counted: countersIn(told.samples) };
  } catch (error) {
    return { pod, counted: { why: messageOf(error) } };
  }
}

function complaint({ pod, counted }: Counting): readonly string[] {
  return 'why' in counted ? [`pod ${pod.name}: ${counted.why}`] : [];
}

function refuseUnlessAny(counts: readonly Counting[], silent: readonly string[]): void {
  if (counts.some(({ counted }) => !('why' in counted))) return;
  if (silent.length === 0) throw new Error('no Pod of the gateway is running, so requests are not counted');
  throw new Error(`no Pod reported the number of requests: ${silent.slice(0, 3).join('; ')}`);
}

function readingOf(counts: readonly Counting[], at: number): Reading {
  const sources = counts.map(({ pod: { uid }, counted }) => [uid, 'why' in counted ? 'silent' : counted] as const);
  return { at, sources: Object.fromEntries(sources) };
}
