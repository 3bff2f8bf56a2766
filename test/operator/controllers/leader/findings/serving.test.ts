import { describe, expect, it } from 'vitest';
import { servingOf } from '../../../../../operator/controllers/leader/findings/serving.js';
import { candidate, released, situation } from '../given-situation.js';
import { failed, hooks, known, label, leading, outcomeOf } from './given-outcome.js';

function said(given: Parameters<typeof situation>[0], polled: object = {}): string | undefined {
  const { reason, message } = servingOf(outcomeOf(polled), situation(given)) ?? {};
  return message === undefined ? reason : `${reason}: ${message}`;
}

describe('Serving of Redis', () => {
  it.each<readonly [string, string, object]>([
    ['NotChecked', 'it was not asked', {}],
    ['NotChecked', 'the first answer is awaited', { redis: failed('no answer yet') }],
    ['Serving', 'it serves as the leader', { redis: known({ state: 'serving', role: 'leader' }) }],
    [
      'ClientsRefused: a serves as a replica',
      'it is a replica',
      { redis: known({ state: 'serving', role: 'replica' }) },
    ],
    [
      'ClientsRefused: a refuses a client: WRONGPASS',
      'it refuses the password',
      { redis: known({ state: 'failed', why: 'WRONGPASS' }) },
    ],
    ['ClientsRefused: a does not answer: timed out', 'it does not answer', { redis: failed('timed out') }],
  ])('is %s when %s', (expected, _, polled) => {
    expect(said({ candidates: [leading()] }, polled)).toBe(expected);
  });

  it('is absent without a Pod of the leader', () => {
    expect(said({ lease: released, candidates: [leading()] })).toBeUndefined();
    expect(said({ candidates: [candidate('b')] })).toBeUndefined();
  });
});

describe('Serving of an application without launcher', () => {
  const [a, b] = [candidate('a'), candidate('b')];
  const says = (role: 'leader' | 'replica') => ({ hook: { role, term: 5 } });
  it.each<readonly [string, string, Parameters<typeof situation>[0]]>([
    ['Serving', 'its Pod is ready', { of: label, candidates: [a, b] }],
    ['NotReady: a is not ready', 'its Pod is not ready', { of: label, candidates: [{ ...a, isReady: false }] }],
    ['NotChecked', 'its hook was not asked', { of: hooks, candidates: [a] }],
    ['Serving', 'its hook says so', { of: hooks, candidates: [{ ...a, ...says('leader') }] }],
    [
      'ClientsRefused: a reports that it is replica',
      'its hook says otherwise',
      { of: hooks, candidates: [{ ...a, ...says('replica') }] },
    ],
    [
      'ClientsRefused: The hook of a does not answer: refused',
      'its hook is silent',
      { of: hooks, candidates: [{ ...a, silence: 'refused' }] },
    ],
    [
      'SecondLeader: b also reports that it leads',
      'another Pod says so too',
      {
        of: hooks,
        candidates: [
          { ...a, ...says('leader') },
          { ...b, ...says('leader') },
        ],
      },
    ],
  ])('is %s when %s', (expected, _, given) => {
    expect(said({ fencing: 'pod', ...given })).toBe(expected);
  });
});
