import { describe, expect, it } from 'vitest';
import { type Before, endpointsOf } from '../../../../operator/controllers/leader/endpoints.js';
import { candidate, held, situation } from './given-situation.js';

const leading = candidate('a', { term: 5, role: 'leader', leads: true, authority: 'Lease', fencedAt: 5 });
const following = candidate('b', { term: 5, role: 'replica' });
const silent = candidate('c');
const none: Before = { leader: [], replicas: [] };
const known: Before = { leader: ['uid-a'], replicas: ['uid-b', 'uid-c'] };

describe('the endpoints of an election', () => {
  it.each<readonly [string, string, string, Parameters<typeof situation>[0], Before]>([
    ['a', 'b', 'all are known', { candidates: [leading, following] }, none],
    ['', 'b', 'the leader has never answered', { candidates: [candidate('a'), following] }, none],
    ['a', 'b', 'the leader does not answer any more', { candidates: [candidate('a'), following] }, known],
    ['a', 'b', 'a replica has never answered', { candidates: [leading, following, silent] }, none],
    ['a', 'b,c', 'a replica does not answer any more', { candidates: [leading, following, silent] }, known],
    ['a', 'b,c', 'no Pod answers any more', { candidates: [candidate('a'), candidate('b'), silent] }, known],
    [
      'a',
      'b',
      'a silent replica is not ready',
      { candidates: [leading, following, { ...silent, isReady: false }] },
      known,
    ],
    ['a', 'b', 'a silent replica ends', { candidates: [leading, following, { ...silent, isEnding: true }] }, known],
    [
      'a',
      '',
      'a replica has begun a new copy',
      { candidates: [leading, candidate('b', { role: 'replica', application: { isComplete: false } })] },
      known,
    ],
    [
      '',
      'b',
      'the Lease has expired',
      { lease: { ...held, state: 'expired', since: 1 } as never, candidates: [candidate('a'), following] },
      known,
    ],
  ])('are %j and %j when %s', (leader, replicas, _, given, before) => {
    const found = endpointsOf(situation(given), before);
    const names = (of: readonly { readonly name: string }[] = []) => of.map(({ name }) => name).join();
    expect([names(found?.leader), names(found?.replicas)]).toEqual([leader, replicas]);
  });

  it('stay as they are while the Lease is not known', () => {
    expect(endpointsOf(situation({ lease: undefined, candidates: [leading] }), known)).toBeUndefined();
  });
});
