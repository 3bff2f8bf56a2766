import { describe, expect, it } from 'vitest';
import { problemsOf, type ReportingResource } from '../../../cli/status/problems.js';
import { condition, good, now } from './given-conditions.js';

/** What the kind of these resources declares. */
const vocabulary = {
  conditions: {
    Valid: {
      Valid: ['True', 'It is valid'],
      Expired: ['False', 'It has expired', 'Renew it: see [Renew](docs/a.md#b).'],
    },
    UpToDate: { OrderFailed: ['False', 'The order failed', 'None, the operator tries again.'] },
    Unsafe: { Lost: ['True', 'A row is lost', 'Restore it.'] },
  },
  rejections: { NoListener: 'Add a listener.' },
} as const;

/** A resource without problems, with other fields of its status. */
const reporting = (status: object): ReportingResource => ({
  metadata: { generation: 3 },
  status: { observedGeneration: 3, conditions: good, ...status },
});

describe('a problem of a resource', () => {
  const certificate = (status: object) => problemsOf(reporting(status), now, vocabulary);
  it.each<{ found: readonly string[]; when: string; status: object }>([
    { found: [], when: 'all is well', status: {} },
    {
      found: ['!Valid Expired'],
      when: 'a condition is False',
      status: { conditions: [...good, condition('Valid', 'False', 'Expired')] },
    },
    {
      found: ['Adopted RollingOut'],
      when: 'a condition is Unknown',
      status: { conditions: [...good, condition('Adopted', 'Unknown', 'RollingOut')] },
    },
    {
      found: ['!Conflicted NotOwned'],
      when: 'an object of another owner blocks it',
      status: { conditions: [...good, condition('Conflicted', 'True', 'NotOwned')] },
    },
    {
      found: ['!Accepted Invalid'],
      when: 'its spec is rejected, which the summaries repeat',
      status: {
        conditions: [
          condition('Ready', 'False', 'Invalid'),
          condition('Accepted', 'False', 'Invalid'),
          condition('Stalled', 'True', 'Invalid'),
        ],
      },
    },
    {
      found: [],
      when: 'generic tools wait for it, and no other condition is in progress',
      status: { conditions: [...good, condition('Reconciling', 'True', 'Progressing')] },
    },
    { found: ['!Operator NotObserved'], when: 'no operator has seen the spec', status: { observedGeneration: 2 } },
    {
      found: ['!Paused Paused'],
      when: 'a person paused it before an edit',
      status: { observedGeneration: 2, conditions: [...good, condition('Paused', 'True', 'Paused')] },
    },
    { found: ['!Operator NotObserved'], when: 'no operator has seen it', status: { observedGeneration: -1 } },
    { found: [], when: 'a renewal has just begun', status: { renewalTime: '2029-12-31T23:55:01Z' } },
    {
      found: ['!Operator Overdue'],
      when: 'a renewal is due, and nothing reports why',
      status: { renewalTime: '2029-12-31T23:55:00Z' },
    },
    {
      found: ['!UpToDate OrderFailed'],
      when: 'a renewal is due, and a condition reports why',
      status: {
        renewalTime: '2029-12-31T00:00:00Z',
        conditions: [...good, condition('UpToDate', 'False', 'OrderFailed')],
      },
    },
  ])('is $found when $when', ({ found, status }) => {
    const shown = certificate(status).map(
      ({ isProgress, type, reason }) => `${isProgress ? '' : '!'}${type} ${reason}`,
    );
    expect(shown).toEqual(found);
  });

  it('of a rotation is that it is overdue', () => {
    const late = reporting({ nextRotation: '2029-12-31T22:00:00Z' });
    expect(problemsOf(late, now, vocabulary).map(({ message }) => message)).toEqual([
      'The rotation has been due for 2h, and no condition reports why; check that the operator runs',
    ]);
  });
});

describe('what a person can do', () => {
  const actions = (status: object, words?: typeof vocabulary) =>
    problemsOf(reporting(status), now, words).map(({ type, action }) => `${type}: ${action ?? 'nothing'}`);

  it.each([
    {
      action: 'Valid: Renew it: see Renew (docs/a.md#b).',
      when: 'the kind declares it',
      found: condition('Valid', 'False', 'Expired'),
    },
    {
      action: 'Accepted: Add a listener.',
      when: 'the spec is rejected',
      found: condition('Accepted', 'False', 'NoListener'),
    },
    {
      action: 'UpToDate: nothing',
      when: 'the operator needs no person',
      found: condition('UpToDate', 'False', 'OrderFailed'),
    },
    {
      action: 'Other: nothing',
      when: 'no controller declares the condition',
      found: condition('Other', 'False', 'Broken'),
    },
  ])('is "$action" when $when', ({ action, found }) => {
    expect(actions({ conditions: [found] }, vocabulary)).toEqual([action]);
  });

  it('is known of an alarm, which is a problem while it is True', () => {
    const alarm = (status: string) => ({ conditions: [...good, condition('Unsafe', status, 'Lost')] });
    expect(actions(alarm('True'), vocabulary)).toEqual(['Unsafe: Restore it.']);
    expect(problemsOf(reporting(alarm('True')), now, vocabulary)).toMatchObject([{ isProgress: false }]);
    expect(actions(alarm('False'), vocabulary)).toEqual([]);
  });

  it('comes first for the condition that makes the resource not ready', () => {
    const conditions = [
      condition('Valid', 'False', 'Expired'),
      condition('Pending', 'Unknown', 'OrderFailed'),
      condition('UpToDate', 'False', 'OrderFailed'),
      condition('Ready', 'False', 'OrderFailed'),
    ];
    const found = problemsOf(reporting({ conditions }), now, vocabulary);
    expect(found.map(({ type }) => type)).toEqual(['UpToDate', 'Valid', 'Pending']);
  });
});

describe('a problem that only Ready reports', () => {
  it.each([
    { found: ['!Ready ApplyRejected'], status: 'False', reason: 'ApplyRejected' },
    { found: ['Ready ReconcileFailed'], status: 'Unknown', reason: 'ReconcileFailed' },
    { found: [], status: 'True', reason: 'Ready' },
  ])('is $found for $status $reason', ({ found, status, reason }) => {
    const shown = problemsOf(reporting({ conditions: [condition('Ready', status, reason)] }), now, vocabulary);
    expect(shown.map((one) => `${one.isProgress ? '' : '!'}${one.type} ${one.reason}`)).toEqual(found);
  });
});

describe('a resource of a kind without a controller here', () => {
  it.each([
    {
      found: [],
      when: 'it is ready, as what is False may be good news',
      conditions: [...good, condition('Degraded', 'False', 'AsExpected')],
    },
    {
      found: ['Degraded', 'Ready'],
      when: 'it is not ready',
      conditions: [condition('Ready', 'False', 'Down'), condition('Degraded', 'False', 'No')],
    },
    {
      found: ['Available'],
      when: 'it reports only whether it is available',
      conditions: [condition('Available', 'False', 'Down'), condition('MemoryPressure', 'False', 'Enough')],
    },
    {
      found: ['Conflicted'],
      when: 'a runtime reports an object of another owner',
      conditions: [...good, condition('Conflicted', 'True', 'NotOwned')],
    },
  ])('has the problems $found when $when', ({ found, conditions }) => {
    expect(
      problemsOf(reporting({ conditions }), now)
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(found);
  });

  it('may lack an observed generation, but not report an old one', () => {
    const silent = (observedGeneration: number | undefined) =>
      problemsOf({ metadata: { generation: 3 }, status: { conditions: good, observedGeneration } as object }, now);
    expect(silent(undefined)).toEqual([]);
    expect(silent(2)).toMatchObject([{ type: 'Operator', reason: 'NotObserved' }]);
  });
});
