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

/** What answering takes. */
export interface NumbersPlace {
  readonly cluster: Pick<Cluster, 'list'>;
  readonly clock: Clock;
  readonly tell: Scraper;
}

interface Asking extends NumbersPlace {
  readonly signal: AbortSignal;
}

/** A pod, and what it told. */
interface Telling {
  readonly pod: Pod;
  readonly told: ScrapeResult;
}

/** A pod, and what it has counted for a side, or why that is not known. */
interface Counting {
  readonly pod: Pod;
  readonly counted: Counters | { readonly why: string };
}

/** Answers what an Algorithm asks of those who count its requests and answers. */
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

/** The pods of each side that is asked for its drift. */
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
  return pods.map((pod) => ({ pod, told: told.get(pod.uid) ?? { why: 'nobody asked it' } }));
}

function servicesOf({ namespace }: RequestMetricsQuestion, { services }: SideQuestion): ReadonlySet<string> {
  return new Set(services.map((service) => serviceLabel(namespace, service)));
}

function driftIn({ drift = '' }: RequestMetricsQuestion): (samples: readonly Sample[]) => Counters {
  return (samples) => ({ drift: histogramIn(samples, bucketsOf(drift)) });
}

/** What makes no sense is not known: a source that tells nonsense is as good as one that tells nothing. */
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
  if (silent.length === 0) throw new Error('no pod of the gateway runs, so nobody counts the requests');
  throw new Error(`nobody told how many requests there were: ${silent.slice(0, 3).join('; ')}`);
}

function readingOf(counts: readonly Counting[], at: number): Reading {
  const sources = counts.map(({ pod: { uid }, counted }) => [uid, 'why' in counted ? 'silent' : counted] as const);
  return { at, sources: Object.fromEntries(sources) };
}
