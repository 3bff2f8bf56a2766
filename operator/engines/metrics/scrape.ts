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

/** Milliseconds for one pod: fewer than a question has, so that one that is lost makes no answer late. */
const patience = 3_000;

/** Pods of one question that are asked at a time: whoever has many that are slow waits himself. */
const atATime = 8;

/**
 * Samples of one question that are kept at the most, of all its pods together: those of 1,400 series of a proxy, each with
 * its buckets. What pods tell is theirs to choose, and without a limit a few hundred megabytes of the operator's memory.
 */
const mostSamples = 60_000;

/** What is left of a limit. */
interface Allowance {
  samples: number;
}

/** Milliseconds for which what a pod told is told to others too: a proxy counts for many Algorithms. */
const fresh = 1_000;

/** Asks the pods themselves, each at its `/metrics`. */
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
    setMaxListeners(0, signal); // all its pods wait for it: Node takes more than ten for a leak
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

/** What was told of the services that are asked for. */
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
      if (--left.samples < 0) throw new Error(`the pods that are asked together tell more than ${mostSamples} samples`);
      samples.push(sample);
    }
  }
  return samples;
}
