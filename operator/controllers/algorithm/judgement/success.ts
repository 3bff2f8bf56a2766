import type { Finding } from './finding.js';
import type { Requests } from './sample.js';
import type { Risks } from './statistics/risk.js';
import { shareAtLeast, shareAtMost } from './statistics/share.js';
import { counted, percent, percentBound, sure } from './wording.js';

/** The sentence for missing request metrics. */
export const noRequests = 'No proxy reports how many requests were answered';

/** Analyzes the share of requests that succeeded. @param threshold minimum share, from 0 to 1 */
export function successOf(requests: Requests | undefined, threshold: number, risks: Risks): Finding {
  if (!requests) return { verdict: 'missing', sentence: noRequests, count: 0 };
  const { total, failed } = requests;
  if (total === 0) return { verdict: 'undecided', sentence: 'No request was answered yet', count: 0 };
  const failures = { hits: failed, total };
  const value = 1 - failed / total;
  const atMost = 1 - shareAtLeast(failures, risks.bad);
  const atLeast = 1 - shareAtMost(failures, risks.good);
  const numbers = { value, atLeast, atMost, count: total };
  const seen = `${percent(value)} of ${counted(total)} requests succeeded`;
  const limit = percent(threshold);
  if (atMost < threshold) {
    const sentence = `${seen} (at most ${percentBound('atMost', atMost, threshold)} ${sure}), below the threshold of ${limit}`;
    return { verdict: 'bad', sentence, ...numbers };
  }
  if (atLeast >= threshold) {
    const sentence = `${seen} (at least ${percentBound('atLeast', atLeast, threshold)} ${sure}), meeting the threshold of ${limit}`;
    return { verdict: 'good', sentence, ...numbers };
  }
  const range = `between ${percentBound('atLeast', atLeast, threshold)} and ${percentBound('atMost', atMost, threshold)}`;
  return {
    verdict: 'undecided',
    sentence: `${seen} (${range} ${sure}); more requests are needed to compare it with the threshold of ${limit}`,
    ...numbers,
  };
}
