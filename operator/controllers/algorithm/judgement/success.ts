import type { Finding } from './finding.js';
import type { Requests } from './sample.js';
import type { Risks } from './statistics/risk.js';
import { shareAtLeast, shareAtMost } from './statistics/share.js';
import { counted, percent, percentBound, sure } from './wording.js';

/** What is said when requests are missing. */
export const noRequests = 'nobody tells how many requests were answered';

/** Judges the share of requests that succeeded. @param threshold the least that is good, from 0 to 1 */
export function successOf(requests: Requests | undefined, threshold: number, risks: Risks): Finding {
  if (!requests) return { verdict: 'missing', sentence: noRequests, count: 0 };
  const { total, failed } = requests;
  if (total === 0) return { verdict: 'undecided', sentence: 'there was no request yet', count: 0 };
  const failures = { hits: failed, total };
  const value = 1 - failed / total;
  const atMost = 1 - shareAtLeast(failures, risks.bad);
  const atLeast = 1 - shareAtMost(failures, risks.good);
  const numbers = { value, atLeast, atMost, count: total };
  const seen = `${percent(value)} of ${counted(total)} requests succeeded`;
  const limit = percent(threshold);
  if (atMost < threshold) {
    const sentence = `${seen}, at most ${percentBound('atMost', atMost, threshold)} ${sure}: less than ${limit}`;
    return { verdict: 'bad', sentence, ...numbers };
  }
  if (atLeast >= threshold) {
    const sentence = `${seen}, at least ${percentBound('atLeast', atLeast, threshold)} ${sure}: not less than ${limit}`;
    return { verdict: 'good', sentence, ...numbers };
  }
  const range = `between ${percentBound('atLeast', atLeast, threshold)} and ${percentBound('atMost', atMost, threshold)}`;
  return { verdict: 'undecided', sentence: `${seen}, ${range} ${sure}: this may be ${limit} or not`, ...numbers };
}
