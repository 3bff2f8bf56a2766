import { type Mark, pollFailureOf } from '../../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Situation } from '../situation.js';
import type { PublicationOutcome } from '../view.js';

/** Whether the addresses are those that the source has now. */
export function freshOf(
  { list, pods }: Situation,
  { polled: { lookup } }: PublicationOutcome,
): Mark<keyof (typeof conditions)['Fresh']> {
  const { problem, state, host } = list;
  if (problem) return { reason: problem.reason, message: `${problem.message}${suffixes[state]}` };
  if (host !== undefined && lookup) {
    const failure = pollFailureOf(lookup);
    if (failure !== undefined) return { reason: 'LookupFailed', message: `Host name ${host}: ${failure}` };
    if (lookup.known && lookup.value.ipv4.length + lookup.value.ipv6.length === 0)
      return { reason: 'LookupFailed', message: `Host name ${host} has no address` };
  }
  const missing = pods?.find(({ isMissing }) => isMissing);
  if (missing)
    return { reason: 'EndpointsStale', message: `EndpointSlices name Pod ${missing.name}, which does not exist` };
  return { reason: 'Current' };
}

const suffixes = {
  current: '',
  kept: ', so the last known addresses stay published',
  unknown: ', and no earlier address is known',
  withdrawn: ', so no address is published',
} as const;
