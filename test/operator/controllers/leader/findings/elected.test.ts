import { describe, expect, it } from 'vitest';
import { electedOf } from '../../../../../operator/controllers/leader/findings/elected.js';
import { type Step, stepOf } from '../../../../../operator/controllers/leader/plan/index.js';
import type { ElectionOutcome } from '../../../../../operator/controllers/leader/view.js';
import { candidate, released, situation } from '../given-situation.js';
import { failed, following, hooks, label, leading, outcomeOf } from './given-outcome.js';

type Given = Parameters<typeof situation>[0];

/** The reason and the message, as `Reason: message`. */
function said(
  given: Given,
  { step, outcome = outcomeOf() }: { readonly step?: Step | undefined; readonly outcome?: ElectionOutcome } = {},
): string {
  const facts = situation(given);
  const { reason, message } = electedOf(outcome, facts, step ?? stepOf(facts));
  return message === undefined ? reason : `${reason}: ${message}`;
}

describe('Elected, while an election waits,', () => {
  const silent = candidate('b', undefined, { silence: 'connection refused' });
  it.each<readonly [string, Step]>([
    ['LeaseUnknown', { does: 'wait', why: 'lease' }],
    ['NoCandidates', { does: 'wait', why: 'candidates' }],
    [
      'CandidatesSilent: a, b do not answer the operator: connection refused',
      { does: 'wait', why: 'reports', names: ['a', 'b'] },
    ],
    ['CandidatesSilent', { does: 'wait', why: 'reports' }],
    ['Fencing: a have not detached from the earlier leader yet', { does: 'wait', why: 'fence', names: ['a'] }],
    ['LeadingByPromises', { does: 'wait', why: 'promises' }],
    ['WaitingForLease', { does: 'wait', why: 'expiry' }],
    [
      'TooFewReplicas: b may have confirmed writes that no other candidate has, and do not answer: connection refused',
      { does: 'wait', why: 'replicas', names: ['b'] },
    ],
    ['NoCompleteCopy', { does: 'wait', why: 'copy', names: ['a'] }],
    [
      'DifferentData: a, b have data of different histories: connection refused',
      { does: 'wait', why: 'histories', names: ['a', 'b'] },
    ],
    [
      'WaitingForPod: a may still lead until the Pod does not exist any more',
      { does: 'wait', why: 'end', names: ['a'] },
    ],
    ['NoneReady: a are not ready', { does: 'wait', why: 'ready', names: ['a'] }],
  ])('is %s for %j', (expected, step) => {
    expect(said({ lease: released, candidates: [candidate('a'), silent] }, { step })).toBe(expected);
  });

  it.each(['lease', 'roles'])('says why the %s cannot be read', (poll) => {
    const outcome = outcomeOf({ [poll]: failed('forbidden') });
    expect(said({ lease: undefined }, { outcome })).toBe(
      'LeaseUnknown: The Lease or the Pods cannot be read: forbidden',
    );
  });
});

describe('Elected', () => {
  const waits: Step = { does: 'wait', why: 'fence' };
  it.each<readonly [string, string, object]>([
    ['CallFailed: A request that elects a leader is refused: no rights', 'a call is refused', { kind: 'unauthorized' }],
    ['Fencing', 'a call is repeated', { kind: 'retryable' }],
  ])('is %s when %s', (expected, _, call) => {
    for (const name of ['elect', 'assign', 'hook']) {
      const outcome = outcomeOf({}, { [name]: { state: 'failed', why: 'no rights', ...call } });
      expect(said({}, { outcome, step: waits })).toBe(expected);
    }
  });

  const stuck = candidate('a', { problem: 'it has no rights for the Lease' });
  const promoted = candidate('a', undefined, { hook: { role: 'leader', term: 5 } });
  it.each<readonly [string, string, Given, Step | undefined]>([
    ['Leading: a leads in term 5', 'its launcher says so', { candidates: [leading(), following('b')] }, undefined],
    [
      'Leading: a leads in term 5',
      'roles are written beside',
      { candidates: [leading()] },
      { does: 'assign', pods: [], why: 'roles' },
    ],
    ['Electing', 'a fence is written', { candidates: [leading()] }, { does: 'assign', pods: [], why: 'fence' }],
    ['Electing', 'the Lease has no holder', { lease: released, candidates: [leading()] }, { does: 'rest' }],
    ['Electing', 'the Lease does not exist', { lease: { state: 'absent' }, candidates: [leading()] }, { does: 'rest' }],
    [
      'Promoting: a does not lead yet: it has no rights for the Lease',
      'its launcher names a cause',
      { candidates: [stuck] },
      { does: 'rest' },
    ],
    [
      'Promoting: a does not lead yet',
      'its launcher has not opened',
      { candidates: [candidate('a', {})] },
      { does: 'rest' },
    ],
    [
      'Leading: a leads in term 5, and its launcher does not answer: timed out',
      'only the launcher is silent',
      { candidates: [candidate('a', undefined, { silence: 'timed out' })] },
      { does: 'rest' },
    ],
    [
      'Leading: a leads in term 5, and its launcher does not answer: not asked yet',
      'launchers were not asked',
      { candidates: [candidate('a')] },
      { does: 'rest' },
    ],
    [
      'Leading: a leads in term 5',
      'a label is all',
      { of: label, fencing: 'pod', candidates: [candidate('a')] },
      { does: 'rest' },
    ],
    [
      'Leading: a leads in term 5',
      'its hook says so',
      { of: hooks, fencing: 'pod', candidates: [promoted] },
      { does: 'rest' },
    ],
    [
      'Promoting: a does not lead yet',
      'its hook does not say so',
      { of: hooks, fencing: 'pod', candidates: [candidate('a')] },
      { does: 'rest' },
    ],
  ])('is %s when %s', (expected, _, given, step) => {
    expect(said(given, { step })).toBe(expected);
  });
});
