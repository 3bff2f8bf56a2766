import { isIPv6 } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Clock } from '../runtime/clock.js';
import { messageOf } from '../runtime/errors.js';
import { linked } from '../runtime/linked.js';
import { Turnstile } from '../runtime/turnstile.js';
import { bodyOf, linesOf } from './body.js';
import { type Sample, sampleIn } from './exposition.js';
import type { Pod } from './pods.js';
import type { Inquest, Teller, Told } from './teller.js';

/** Milliseconds for one pod: fewer than a question has, so that one that is lost makes no answer late. */
const patience = 3_000;

/** Pods that are asked at a time. */
const atATime = 16;

/** Asks the pods themselves, each at its `/metrics`. */
export function scraping({ dispatcher, clock }: { dispatcher: Dispatcher; clock: Clock }): Teller {
  const turnstile = new Turnstile(atATime);
  const askOne = async (pod: Pod, inquest: Inquest, signal: AbortSignal): Promise<Told> => {
    const leave = await turnstile.enter(signal);
    if (!leave) throw signal.reason;
    const { signal: ending, abort, release } = linked(signal);
    const cancel = clock.after(patience, () => abort(new Error(`no answer within ${patience} ms`)));
    const at = clock.now();
    try {
      return { samples: await samplesOf(pod, inquest, { dispatcher, signal: ending }), at };
    } catch (error) {
      return { why: messageOf(ending.aborted ? ending.reason : error) };
    } finally {
      cancel();
      release();
      leave();
    }
  };
  return async (inquest, signal) => {
    const told = inquest.pods.map(async (pod) => [pod.uid, await askOne(pod, inquest, signal)] as const);
    return new Map(await Promise.all(told));
  };
}

async function samplesOf(
  { address }: Pod,
  { port, metrics, services }: Inquest,
  way: { dispatcher: Dispatcher; signal: AbortSignal },
): Promise<readonly Sample[]> {
  const url = new URL(`http://${isIPv6(address) ? `[${address}]` : address}:${port}/metrics`);
  const headers = { accept: 'text/plain;version=0.0.4' };
  const samples: Sample[] = [];
  for await (const line of linesOf(bodyOf({ url, headers, type: 'text/plain', ...way }))) {
    const [name = ''] = /^[\w:]*/.exec(line) ?? [];
    const sample = metrics.has(name) ? sampleIn(line) : undefined;
    const service = sample?.labels.get('service');
    if (sample && (service === undefined || !services || services.has(service))) samples.push(sample);
  }
  return samples;
}
