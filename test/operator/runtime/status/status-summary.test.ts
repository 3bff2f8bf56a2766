import { describe, expect, it } from 'vitest';
import type { BlockerReason } from '../../../../operator/runtime/controller/blocker.js';
import type { Condition } from '../../../../operator/runtime/controller/conditions.js';
import { conditionEvents } from '../../../../operator/runtime/status/condition-events.js';
import { statusSummary } from '../../../../operator/runtime/status/status-summary.js';
import { widgetController } from '../given/widgets.js';

const nothing = { blockers: [] };
const blocker = (reason: BlockerReason, message: string) => ({ reason, message, requeueAfter: 1 });
const rejected = { reason: 'NotPossible', message: 'set size to 1' };
const spoken = (found: readonly { type: string; status: string; reason: string }[]) =>
  found.map(({ type, status, reason }) => `${type}=${status} ${reason}`);

it('a rejected write is told by the first condition of a controller without Ready', () => {
  const controller = { ...widgetController(), isPrimary: false };
  const found = (reason: BlockerReason) =>
    spoken(
      statusSummary(
        controller,
        { conditions: { Sized: { reason: 'Fits' } } },
        { blockers: [blocker(reason, 'quota')] },
      ),
    );
  expect(found('ApplyRejected')).toEqual(['Sized=False ApplyRejected']);
  expect(found('ObjectTerminating')).toEqual(['Sized=True Fits']);
});

describe('a verdict', () => {
  it.each([
    {
      says: ['Accepted=True Valid', 'Sized=True Fits', 'Ready=True Ready'],
      when: 'all is well',
      mark: 'Fits',
      result: nothing,
    },
    {
      says: ['Accepted=True Valid', 'Sized=False TooSmall', 'Ready=False TooSmall'],
      when: 'a condition is False',
      mark: 'TooSmall',
      result: nothing,
    },
    {
      says: ['Accepted=False NotPossible', 'Sized=True Fits', 'Ready=False NotPossible', 'Stalled=True NotPossible'],
      when: 'the spec was rejected',
      mark: 'Fits',
      result: { ...nothing, rejected },
    },
    {
      says: [
        'Accepted=True Valid',
        'Sized=True Fits',
        'Ready=False NotOwned',
        'Stalled=True NotOwned',
        'Conflicted=True NotOwned',
      ],
      when: "an object is somebody else's, though another leaves",
      mark: 'Fits',
      result: { blockers: [blocker('ObjectTerminating', 'c'), blocker('NotOwned', 'b'), blocker('NotOwned', 'a')] },
    },
    {
      says: [
        'Accepted=True Valid',
        'Sized=True Fits',
        'Ready=Unknown ObjectTerminating',
        'Reconciling=True ObjectTerminating',
      ],
      when: 'an object must go first',
      mark: 'Fits',
      result: { blockers: [blocker('ObjectTerminating', 'c')] },
    },
    {
      says: ['Accepted=True Valid', 'Sized=True Fits', 'Ready=Unknown Terminating', 'Reconciling=True Terminating'],
      when: 'it is being deleted and still serves',
      mark: 'Fits',
      result: { ...nothing, departing: 'still there: Job c' },
    },
    {
      says: [
        'Accepted=True Valid',
        'Sized=False TooSmall',
        'Ready=Unknown Terminating',
        'Reconciling=True Terminating',
      ],
      when: 'it is being deleted and serves no more',
      mark: 'TooSmall',
      result: { ...nothing, departing: 'still there: Job c' },
    },
    {
      says: ['Accepted=False NotPossible', 'Sized=True Fits', 'Ready=False NotPossible', 'Stalled=True NotPossible'],
      when: 'it is being deleted and nobody knows how to undo it',
      mark: 'Fits',
      result: { ...nothing, rejected, departing: 'still there: Job c' },
    },
  ])('R24 says $says when $when', ({ says, mark, result }) => {
    const conditions = { Sized: { reason: mark } };
    expect(spoken(statusSummary(widgetController(), { conditions }, result))).toEqual(says);
  });

  it('R24 of what is being deleted says what is bad after what it waits for', () => {
    const result = { ...nothing, departing: 'still there: Job c' };
    const found = statusSummary(widgetController(), { conditions: { Sized: { reason: 'TooSmall' } } }, result);
    const message = 'still there: Job c; it is too small';
    expect(found.find(({ type }) => type === 'Ready')?.message).toBe(message);
  });

  it('R24 leaves out of Ready what only informs', () => {
    const controller = widgetController({ informationalConditions: ['Sized'] });
    const found = statusSummary(controller, { conditions: { Sized: { reason: 'TooSmall' } } }, nothing);
    expect(spoken(found)).toContain('Ready=True Ready');
  });

  it.each([
    { says: 'Ready=True Ready', mark: undefined, when: 'is not reported' },
    { says: 'Ready=False TooSmall', mark: 'TooSmall' as const, when: 'is bad' },
  ])('R24 says $says when a condition that only some resources have $when', ({ says, mark }) => {
    const controller = widgetController({ optionalConditions: ['Sized'] });
    const conditions = mark ? { Sized: { reason: mark } } : {};
    expect(spoken(statusSummary(controller, { conditions }, nothing))).toContain(says);
  });

  it('R24 names the condition that assess forgot, and what to do', () => {
    const found = statusSummary(widgetController(), { conditions: {} }, nothing);
    expect(found.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'Pending',
      message: 'assess does not report Sized: return it there, or list it in optionalConditions',
    });
  });

  it('does not depend on the order of the findings', () => {
    const found = statusSummary(
      widgetController(),
      { conditions: {} },
      { blockers: ['b', 'a'].map((message) => blocker('NotOwned', message)) },
    );
    expect(found.find(({ type }) => type === 'Conflicted')?.message).toBe('a; b');
  });
});

describe('the message', () => {
  type Told = readonly [type: string, status: 'True' | 'False' | 'Unknown', message?: string, reason?: string];
  const of = ([type, status, message = 'so', reason = 'Why']: Told): Condition => ({
    ...{ type, status, reason, message },
    ...{ lastTransitionTime: '2030-01-01T00:00:00Z', observedGeneration: 1 },
  });

  it.each([
    { told: ['Normal Why: so'], when: 'a condition is met', before: ['Sized', 'Unknown'], after: ['Sized', 'True'] },
    { told: ['Warning Why: so'], when: 'one is met no more', before: ['Sized', 'True'], after: ['Sized', 'False'] },
    { told: ['Warning Why: so'], when: 'one turns bad', before: ['Sized', 'Unknown'], after: ['Sized', 'False'] },
    { told: [], when: 'one is said for the first time', before: undefined, after: ['Sized', 'False'] },
    { told: [], when: 'one stays as it is', before: ['Sized', 'True'], after: ['Sized', 'True', 'new'] },
    { told: [], when: 'one is on its way', before: ['Sized', 'True'], after: ['Sized', 'Unknown'] },
    { told: [], when: 'one that only informs changes', before: ['Hint', 'True'], after: ['Hint', 'False'] },
    {
      told: ['Normal Why: so'],
      when: 'passes fail no more',
      before: ['Ready', 'Unknown', 'so', 'ReconcileFailed'],
      after: ['Ready', 'True'],
    },
    { told: [], when: 'Ready follows from the others', before: ['Ready', 'True'], after: ['Ready', 'False'] },
    {
      told: ['Normal Why: so'],
      when: 'it is accepted again',
      before: ['Accepted', 'False'],
      after: ['Accepted', 'True'],
    },
    { told: ['Warning Why: so'], when: 'it is rejected', before: ['Accepted', 'True'], after: ['Accepted', 'False'] },
    { told: [], when: 'it stays rejected', before: ['Accepted', 'False'], after: ['Accepted', 'False'] },
    {
      told: ['Warning Why: new'],
      when: 'it is rejected for something else',
      before: ['Accepted', 'False'],
      after: ['Accepted', 'False', 'new'],
    },
    { told: ['Warning Why: so'], when: 'a conflict comes up', before: undefined, after: ['Conflicted', 'True'] },
    { told: [], when: 'a conflict stays', before: ['Conflicted', 'True'], after: ['Conflicted', 'True'] },
  ] as { told: string[]; when: string; before: Told | undefined; after: Told }[])(
    'is $told when $when',
    ({ told, before, after }) => {
      const controller = { conditions: { Sized: {}, Hint: {} }, informationalConditions: ['Hint'] };
      const heard = conditionEvents(controller, before ? [of(before)] : [], [{ ...of(after), reason: 'Why' }]);
      expect(heard.map(({ type, reason, note }) => `${type} ${reason}: ${note}`)).toEqual(told);
    },
  );
});
