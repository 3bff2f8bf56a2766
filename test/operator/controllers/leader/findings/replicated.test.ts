import { expect, it } from 'vitest';
import { replicatedOf } from '../../../../../operator/controllers/leader/findings/replicated.js';
import { candidate, released, situation } from '../given-situation.js';
import { label, leading } from './given-outcome.js';

const minReplicas = (count: number) => ({ safety: { minReplicas: count } });
const confirmedBy = (...addresses: readonly string[]) => [leading({ confirmedBy: addresses })];

it.each<readonly [string | undefined, string, Parameters<typeof situation>[0]]>([
  [undefined, 'no replica must confirm', { of: minReplicas(0), candidates: confirmedBy() }],
  [undefined, 'the Lease has no holder', { lease: released, candidates: confirmedBy() }],
  [undefined, 'the application has no launcher', { of: label, fencing: 'pod', candidates: confirmedBy() }],
  [
    'WritesRefused: The leader refuses writes until 1 replica confirms them, got 0',
    'the leader names none',
    { candidates: [leading()] },
  ],
  ['ReplicasUnknown', 'the leader does not answer', { candidates: [candidate('a')] }],
  ['Confirmed', 'one confirms', { candidates: confirmedBy('10.0.0.2') }],
  ['Confirmed', 'more confirm than must', { candidates: confirmedBy('10.0.0.2', '10.0.0.3') }],
  [
    'WritesRefused: The leader refuses writes until 1 replica confirms them, got 0',
    'none confirms',
    { candidates: confirmedBy() },
  ],
  [
    'WritesRefused: The leader refuses writes until 2 replicas confirm them, got 1',
    'too few confirm',
    { of: minReplicas(2), candidates: confirmedBy('10.0.0.2') },
  ],
])('Replicated is %s when %s', (expected, _, given) => {
  const { reason, message } = replicatedOf(situation(given)) ?? {};
  expect(message === undefined ? reason : `${reason}: ${message}`).toBe(expected);
});
