import { type Mark, pollFailureOf } from '../../../../runtime/index.js';
import type { PodShutdown } from '../../ports/pod-shutdown.js';
import type { conditions } from '../conditions.js';
import type { Situation } from '../situation.js';
import type { PublicationOutcome } from '../view.js';

/** Whether the Pods serve on until no client has their addresses. Undefined if nothing is known to be a Pod. */
export function drainedOf(
  { list, pods, drainSeconds }: Situation,
  { polled }: PublicationOutcome,
): Mark<keyof (typeof conditions)['Drained']> | undefined {
  if (drainSeconds === undefined || !polled.pods) return undefined;
  const failure = pollFailureOf(polled.pods);
  if (failure !== undefined) return { reason: 'PodsUnknown', message: `The Pods cannot be read: ${failure}` };
  if (!pods) return { reason: 'PodsUnknown' };
  const numbers = new Set(list.subsets.flatMap(({ ports }) => ports.map(({ port }) => port)));
  const ends = pods
    .filter(({ isMissing }) => !isMissing)
    .map((pod) => ({ pod, seconds: servingSeconds(pod, numbers) }));
  const short = ends.filter(({ seconds = drainSeconds }) => seconds < drainSeconds);
  const [worst] = short.toSorted((one, other) => (one.seconds ?? 0) - (other.seconds ?? 0));
  if (worst) {
    const { pod, seconds } = worst;
    const message = `Pod ${pod.name} serves for ${seconds} s after its withdrawal, and clients may use its address for ${drainSeconds} s; set preStop sleep to ${drainSeconds} seconds and terminationGracePeriodSeconds to ${drainSeconds + 30}`;
    return { reason: 'DrainTooShort', message };
  }
  const unclear = ends.find(({ seconds }) => seconds === undefined);
  if (unclear)
    return {
      reason: 'HookUnknown',
      message: `The preStop hook of Pod ${unclear.pod.name} is no sleep; it must take ${drainSeconds} s`,
    };
  return { reason: 'LongEnough' };
}

/** Seconds for which the containers of the published ports run on. Undefined if a hook is no sleep. */
function servingSeconds(
  { containers, gracePeriodSeconds }: PodShutdown,
  numbers: ReadonlySet<number>,
): number | undefined {
  const declared = containers.filter(({ ports }) => ports.some((port) => numbers.has(port)));
  const serving = declared.length > 0 ? declared : containers;
  const known = serving.flatMap(({ sleep }) => (sleep === undefined ? [] : [Math.min(sleep, gracePeriodSeconds)]));
  if (known.length < serving.length) return undefined;
  return Math.min(...known, gracePeriodSeconds);
}
