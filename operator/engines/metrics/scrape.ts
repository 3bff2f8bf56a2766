import { setMaxListeners } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Dispatcher } from 'undici';
import { Semaphore } from '../../runtime/concurrency/semaphore.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { type Sample, sampleIn } from './exposition.js';
import type { Pod } from './pods.js';
import { bodyOf, linesOf } from './response-body.js';
import type { ScrapeRequest, ScrapeResult, Scraper } from './scraper.js';

/** Milliseconds for one Pod. Less than the timeout of a question, so that one lost Pod does not delay the answer. */
const patience = 3_000;

/** Number of Pods that one question polls at a time. Slow Pods delay only their own question. */
const atATime = 8;

/**
 * Maximum number of samples to keep for one question, of all its Pods together: enough for 1,400 series of a proxy, each
 * with its buckets. Pods choose what they report. Without a limit they could use some hundred megabytes of memory.
 */
const mostSamples = 60_000;

/** The remaining part of a limit. */
interface Allowance {
  samples: number;
}

/** Milliseconds for which a result is shared, because one proxy counts for many Algorithms. */
const fresh = 1_000;

/** Scrapes the Pods directly, each at its `/metrics`. */
export function scraping(place: { readonly dispatcher: Dispatcher; readonly clock: Clock }): Scraper {
  const recent = new Map<string, Promise<ScrapeResult>>();
  const askLately = (pod: Pod, inquest: ScrapeRequest, left: Allowance): Promise<ScrapeResult> => {
    const { port, metrics } = inquest;
    const visit = JSON.stringify([pod.uid, pod.address, port, [...metrics].sort()]);
    const told = recent.get(visit) ?? askOne(pod, inquest, { ...place, left });
    if (!recent.has(visit)) place.clock.after(fresh, () => recent.delete(visit));
    recent.set(visit, told);
    return told;
  };
  return async (inquest, signal) => {
    setMaxListeners(0, signal); // all Pods of a question listen to it, and Node.js reports more than ten listeners as a leak
    const turnstile = new Semaphore(atATime);
    const left: Allowance = { samples: mostSamples };
    const told = inquest.pods.map(async (pod) => {
      const leave = await turnstile.enter(signal);
      if (!leave) throw signal.reason;
      const all = await askLately(pod, inquest, left).finally(leave);
      return [pod.uid, only(all, inquest)] as const;
    });
    return new Map(await Promise.all(told));
  };
}

/** Keeps the samples of the requested Services. */
function only(told: ScrapeResult, { services }: ScrapeRequest): ScrapeResult {
  if ('why' in told || !services) return told;
  const isAskedFor = (service: string | undefined) => service === undefined || services.has(service);
  return { ...told, samples: told.samples.filter(({ labels }) => isAskedFor(labels.get('service'))) };
}

async function askOne(
  pod: Pod,
  inquest: ScrapeRequest,
  { dispatcher, clock, left }: { readonly dispatcher: Dispatcher; readonly clock: Clock; readonly left: Allowance },
): Promise<ScrapeResult> {
  const ending = new AbortController();
  const cancel = clock.after(patience, () => ending.abort(new Error(`no answer within ${patience} ms`)));
  const at = clock.now();
  try {
    return { samples: await samplesOf(pod, inquest, { dispatcher, left, signal: ending.signal }), at };
  } catch (error) {
    return { why: messageOf(ending.signal.aborted ? ending.signal.reason : error) };
  } finally {
    cancel();
  }
}

async function samplesOf(
  { address }: Pod,
  { port, metrics }: ScrapeRequest,
  { left, ...way }: { dispatcher: Dispatcher; left: Allowance; signal: AbortSignal },
): Promise<readonly Sample[]> {
  const url = new URL(`http://${isIPv6(address) ? `[${address}]` : address}:${port}/metrics`);
  const headers = { accept: 'text/plain;version=0.0.4' };
  const samples: Sample[] = [];
  for await (const lines of linesOf(bodyOf({ url, headers, type: 'text/plain', ...way }))) {
    for (const line of lines) {
      const [name = ''] = /^[\w:]*/.exec(line) ?? [];
      const sample = metrics.has(name) ? sampleIn(line) : undefined;
      if (!sample) continue;
      if (--left.samples < 0) throw new Error(`the Pods polled together must report at most ${mostSamples} samples`);
      samples.push(sample);
    }
  }
  return samples;
}
