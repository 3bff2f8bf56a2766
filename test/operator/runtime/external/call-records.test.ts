import { beforeEach, describe, expect, test } from 'vitest';
import { CallRecords, type CallView } from '../../../../operator/runtime/external/call-records.js';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';
import type { DesiredCall } from '../../../../operator/runtime/rendering/external-call.js';
import { call, known, unknown, view } from './given-call.js';

let records: CallRecords;
beforeEach(() => {
  records = new CallRecords();
});

/** The call is sent, and ends after 1 s with order 10. */
function sent(one = call(), error?: CallError): void {
  records.begin(one, 0);
  records.end(one, { ended: { at: 1_000, order: 10 }, at: 1_000, random: 0, error, view: view(0, 1) });
}

const next = (calls: readonly DesiredCall[], now: CallView) => records.decide(calls, now).due[0]?.name;

describe('a call', () => {
  const soon = call({ visibleWithin: 0 });
  const other = call({ hash: 'two' });
  const lost = new CallError('unreachable', 'no answer');
  const refused = new CallError('terminal', 'no');
  test.each<{ is: string; when: string; before?: () => void; calls?: readonly DesiredCall[]; now: CallView }>([
    { is: 'sent', when: 'nothing was sent before', now: view(0, 1) },
    { is: 'held back', when: 'its answer is not known', now: view(0, 1, { answers: { found: unknown } }) },
    { is: 'held back', when: 'its poll is not asked', now: view(0, 1, { answers: {} }) },
    { is: 'held back', when: 'an earlier process may have sent it', now: view(9, 1, { inherited: () => 10 }) },
    { is: 'sent', when: 'the effects of an earlier process have to show', now: view(10, 1, { inherited: () => 10 }) },
    {
      is: 'held back',
      when: 'its port is unreachable',
      now: view(0, 1, { unreachable: () => ({ why: 'away', since: 0, retryIn: 1 }) }),
    },
    {
      is: 'held back',
      when: 'the answer is older than the last call, though its effect has to show',
      before: () => sent(soon),
      calls: [soon],
      now: view(99_000, 9),
    },
    {
      is: 'sent',
      when: 'the answer is newer, and its effect has to show',
      before: () => sent(soon),
      calls: [soon],
      now: view(99_000, 11),
    },
    { is: 'held back', when: 'its effect need not show yet', before: sent, now: view(30_999, 11) },
    { is: 'sent', when: 'its effect had to show', before: sent, now: view(31_000, 11) },
    { is: 'sent', when: 'another request was answered', before: sent, calls: [other], now: view(2_000, 11) },
    {
      is: 'held back',
      when: 'another request has no known result',
      before: () => sent(call(), lost),
      calls: [other],
      now: view(2_000, 11),
    },
    { is: 'held back', when: 'it was refused for good', before: () => sent(call(), refused), now: view(9_000_000, 11) },
    {
      is: 'sent',
      when: 'it was refused for good, and edited',
      before: () => sent(call(), refused),
      now: view(9_000_000, 11, { stamp: '2' }),
    },
    {
      is: 'held back',
      when: 'a call is in progress',
      before: () => records.begin(call({ name: 'other' }), 0),
      now: view(0, 1),
    },
  ])('R36 R37 R38 is $is when $when', ({ is, before = () => {}, calls = [call()], now }) => {
    before();
    expect(next(calls, now)).toBe(is === 'sent' ? 'address' : undefined);
  });

  test('R36 goes one by one, and after those that it names', () => {
    const calls = [call({ name: 'b', after: ['a'] }), call({ name: 'a' }), call({ name: 'c' })];
    expect(next(calls, view(0, 1))).toBe('a');
    records.begin(call({ name: 'a' }), 0);
    expect(next(calls, view(0, 1))).toBeUndefined();
  });
});

test('R36 the polls of a call are asked anew at once, if those of the last call were others', () => {
  const other = call({ name: 'other', refreshes: ['seen'] });
  const answers = { found: known, seen: known };
  const asked = new Map([
    ['found', { at: 2_000, order: 11 }],
    ['seen', { at: 0, order: 2 }],
  ]);
  sent();
  const {
    due: [due],
    look,
  } = records.decide([other], view(2_000, 11, { answers, asked }));
  expect(due).toBeUndefined();
  expect(look).toEqual({ after: 0, polls: ['seen'] });
  // Those of the last call are asked anew already.
  expect(records.decide([call({ name: 'third' })], view(2_000, 9)).look).toBeUndefined();
});

describe('a resource that is deleted', () => {
  const order = () => 20;
  const left = (now: CallView) => {
    records.decide([], now);
    return records.unsettled(now, { order, visibleWithin: 30_000 });
  };
  const gone = { answers: {}, asked: new Map() };
  const lost = new CallError('unreachable', 'no answer');
  const refused = new CallError('terminal', 'never');
  /** The last call is one that the server refused, after one whose effect may show until 31 s. */
  const refusedAfter = (error?: CallError) => () => {
    sent(call(), error);
    records.end(call(), { ended: { at: 2_000, order: 11 }, at: 2_000, random: 0, error: refused, view: view(0, 1) });
  };
  const effect = (result: string, second = 1) =>
    `the effect of call address, which ended at 1970-01-01T00:00:0${second}.000Z${result} and shows by 1970-01-01T00:00:31.000Z if it has one`;
  test.each<{ is: string | undefined; when: string; before?: () => void; now: CallView }>([
    { is: undefined, when: 'a new answer shows that nothing is left', now: view(0, 21) },
    { is: 'a new answer to found', when: 'the answer is older than the deletion', now: view(0, 19) },
    {
      is: 'found, which has not been known since 1970-01-01T00:00:00.000Z: away',
      when: 'the answer is not known',
      now: view(0, 21, { answers: { found: unknown } }),
    },
    {
      is: 'effects of calls of an earlier process, which show by 1970-01-01T00:00:00.010Z if there are any',
      when: 'the process is new',
      now: view(9, 21, { inherited: () => 10 }),
    },
    {
      is: undefined,
      when: 'the process is new, and no poll would show an effect',
      now: view(9, 21, { inherited: () => 10, ...gone }),
    },
    {
      is: 'call address, in progress since 1970-01-01T00:00:00.000Z, which ends at the latest 10 s after it is sent',
      when: 'a call is in progress',
      before: () => records.begin(call(), 0),
      now: view(0, 21),
    },
    {
      is: effect(''),
      when: 'its last call may show later',
      before: sent,
      now: view(30_999, 21, { stamp: 'deleted' }),
    },
    { is: undefined, when: 'its last call had to show', before: sent, now: view(31_000, 21, { stamp: 'deleted' }) },
    {
      is: effect(' without a known result (no answer)'),
      when: 'its last call was lost, and no poll would show the effect',
      before: () => sent(call(), lost),
      now: view(30_999, 21, { stamp: 'deleted', ...gone }),
    },
    {
      is: undefined,
      when: 'its last call was lost and had to show, and no poll would show the effect',
      before: () => sent(call(), lost),
      now: view(31_000, 21, { stamp: 'deleted', ...gone }),
    },
    {
      is: undefined,
      when: 'its last call was refused',
      before: () => sent(call(), refused),
      now: view(1_001, 21, { stamp: 'deleted' }),
    },
    {
      is: undefined,
      when: 'its last call was refused, and no poll would show an effect',
      before: () => sent(call(), refused),
      now: view(1_001, 21, { stamp: 'deleted', ...gone }),
    },
    {
      is: effect('', 2),
      when: 'its last call was refused, and the one before may show later',
      before: refusedAfter(),
      now: view(30_999, 21, { stamp: 'deleted' }),
    },
    {
      is: undefined,
      when: 'its last call was refused, and the one before had to show',
      before: refusedAfter(lost),
      now: view(31_000, 21, { stamp: 'deleted' }),
    },
  ])('R39 waits because of "$is" when $when', ({ is, before = () => {}, now }) => {
    before();
    expect(left(now)).toBe(is);
  });
});

describe('the state of a call that is repeated', () => {
  const lost = new CallError('unreachable', 'no answer');
  const stateAt = (at: number) => records.decide([call()], view(at, 99)).states.get('address');
  /** The call is sent again, and ends after 1 s. */
  const again = (at: number, error?: CallError) => {
    records.begin(call(), at);
    const ended = { at: at + 1_000, order: 11 };
    records.end(call(), { ended, at: at + 1_000, random: 0, error, view: view(at, 1) });
  };

  test('R38 has the number of sends and the time of the first, also while it is in progress', () => {
    sent();
    again(31_000);
    const state = { state: 'sent', at: 32_000, count: 2, firstAt: 0 };
    expect(stateAt(33_000)).toEqual(state);
    expect(stateAt(3_600_000)).toEqual(state);
    records.begin(call(), 3_600_000);
    expect(stateAt(3_600_000)).toEqual(state);
  });

  test('R38 counts sends without an answer, and none that the server refused', () => {
    sent(call(), new CallError('unauthorized', 'no such key'));
    again(40_000, new CallError('retryable', 'busy', { mayHaveEffect: false }));
    expect(stateAt(41_000)).toMatchObject({ state: 'failed', count: 0 });
    again(80_000, new CallError('unreachable', 'no answer'));
    expect(stateAt(81_000)).toMatchObject({ state: 'failed', count: 1, firstAt: 80_000 });
    again(200_000, new CallError('unauthorized', 'no such key'));
    expect(stateAt(201_000)).toMatchObject({ state: 'failed', count: 1, firstAt: 80_000 });
    again(400_000);
    expect(stateAt(401_000)).toMatchObject({ state: 'sent', count: 2, firstAt: 80_000 });
  });

  test('R38 counts anew for another request', () => {
    sent();
    again(31_000);
    const other = call({ hash: 'two' });
    records.begin(other, 40_000);
    records.end(other, {
      ...{ ended: { at: 41_000, order: 12 }, at: 41_000, random: 0, error: undefined, view: view(40_000, 1) },
    });
    expect(records.decide([other], view(42_000, 99)).states.get('address')).toMatchObject({
      count: 1,
      firstAt: 40_000,
    });
  });

  test('R37 another request waits until the repeated one had to show, and not until it may be repeated', () => {
    const other = call({ hash: 'two' });
    for (let number = 0; number < 5; number++) again(0, lost);
    expect(next([call()], view(200_000, 99))).toBeUndefined();
    expect(next([other], view(30_999, 99))).toBeUndefined();
    expect(next([other], view(31_000, 99))).toBe('address');
    again(0, new CallError('retryable', 'busy', { retryAfter: 60_000 }));
    expect(next([other], view(60_999, 99))).toBeUndefined();
    expect(next([other], view(61_000, 99))).toBe('address');
  });

  test('R38 has them too while another call is sent first', () => {
    sent();
    const other = call({ name: 'other', hash: 'two' });
    const {
      states,
      due: [first],
    } = records.decide([other, call()], view(40_000, 99));
    expect(first?.name).toBe('other');
    expect(states.get('address')).toMatchObject({ state: 'sent', count: 1, firstAt: 0 });
  });

  test('R38 waits longer after each refusal, and not longer for the effect of a later send', () => {
    const busy = new CallError('retryable', 'busy', { mayHaveEffect: false });
    for (let number = 0; number < 5; number++) again(0, busy);
    expect(next([call()], view(12_999, 99))).toBeUndefined();
    expect(next([call()], view(13_000, 99))).toBe('address');
    again(13_000);
    expect(next([call()], view(43_999, 99))).toBeUndefined();
    expect(next([call()], view(44_000, 99))).toBe('address');
  });

  test('R38 has them too while its port is unreachable', () => {
    sent();
    const away = { unreachable: () => ({ why: 'away', since: 5, retryIn: 1 }) };
    const state = records.decide([call()], view(40_000, 99, away)).states.get('address');
    expect(state).toMatchObject({ state: 'failed', kind: 'unreachable', count: 1, firstAt: 0 });
  });
});

test.each([
  [0, 1_000],
  [1_500, 500],
  [29_000, 1_000],
])('R37 %s ms into a term, the effect of a call of an earlier process is looked for after %s ms', (at, after) => {
  const now = view(at, 1, { inherited: () => 30_000 });
  expect(records.decide([call()], now).look).toEqual({ after, polls: ['found'] });
});
