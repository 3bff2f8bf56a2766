import { expect, it } from 'vitest';
import type { Candidate } from '../../../../../operator/controllers/leader/election/candidate.js';
import { joinedOf } from '../../../../../operator/controllers/leader/findings/joined.js';
import { candidate, situation } from '../given-situation.js';
import { following, leading } from './given-outcome.js';

const foreign = following('d', { replicationId: 'other', hasData: true });

it.each<readonly [string | undefined, string, readonly Candidate[]]>([
  [undefined, 'no launcher reports that it leads', [following('b')]],
  ['AllFollow', 'the leader is alone', [leading()]],
  ['AllFollow', 'each other one follows', [leading(), following('b'), following('c')]],
  [
    'SomeMissing: b, c do not follow the leader yet',
    'they copy or have lost the link',
    [leading(), following('b', { isComplete: false }), following('c', { isLinked: false })],
  ],
  ['SomeMissing: b do not follow the leader yet', 'one is silent', [leading(), candidate('b')]],
  ['SomeMissing: b do not follow the leader yet', 'one has no role', [leading(), candidate('b', {})]],
  [
    'OtherData: d have data that does not belong to the election',
    'a Pod has data of its own',
    [leading(), candidate('b'), foreign],
  ],
])('Joined is %s when %s', (expected, _, candidates) => {
  const { reason, message } = joinedOf(situation({ candidates })) ?? {};
  expect(message === undefined ? reason : `${reason}: ${message}`).toBe(expected);
});
