import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  advanceOf,
  beginning,
  type TrialAdvance,
  type TrialSettings,
  type TrialState,
  weightOf,
} from '../../../../../operator/controllers/algorithm/judgement/index.js';
import { plan, tenSeconds } from './given-trial.js';

/** What ten seconds bring: so many requests and failures; or No source answered; or the split is not yet as wanted. */
type Ten = readonly [total: number, failed: number] | 'nobody' | 'unrouted';

const fine: Ten = [2000, 0];
const bad: Ten = [2000, 100];
const unclear: Ten = [2000, 20];
const few: Ten = [19, 0];

describe('a trial', () => {
  it.each<{ acts: string; when: string; given: readonly Ten[]; of?: Partial<TrialSettings> }>([
    { acts: 'wait wait wait wait wait promote', when: 'the version is good', given: Array(6).fill(fine) },
    {
      acts: 'wait step 20 wait promote wait finish',
      when: 'it has two steps and a bake',
      given: Array(6).fill(fine),
      of: {
        steps: [
          { weight: 5, seconds: 20 },
          { weight: 20, seconds: 20 },
        ],
        bake: 20,
      },
    },
    { acts: 'wait takeBack Bad', when: 'two verdicts are bad', given: [bad, bad] },
    { acts: 'takeBack Bad', when: 'one verdict is bad and none may be', given: [bad], of: { failureLimit: 0 } },
    {
      acts: 'wait wait takeBack Bad',
      when: 'two verdicts are bad with a good one in between',
      given: [bad, fine, bad],
    },
    {
      acts: 'wait wait wait wait wait promote',
      when: 'one verdict is bad, and then it is good',
      given: [bad, fine, fine, fine, fine, fine],
    },
    {
      acts: 'wait wait wait takeBack Deadline',
      when: 'nothing is proved until the deadline',
      given: Array(4).fill(unclear),
      of: { deadline: 40 },
    },
    {
      acts: 'wait wait wait takeBack Deadline',
      when: 'there are too few requests until the deadline',
      given: Array(4).fill(few),
      of: { deadline: 40 },
    },
    {
      acts: 'wait wait wait takeBack Deadline',
      when: 'there is no number until the deadline: missing is not bad, but nothing is promoted unseen',
      given: Array(4).fill('nobody'),
      of: { deadline: 40 },
    },
    {
      acts: 'wait wait wait takeBack Deadline',
      when: 'it never gets requests',
      given: Array(4).fill('unrouted'),
      of: { deadline: 40 },
    },
    {
      acts: 'wait wait wait promote',
      when: 'the split is late: the time of a step begins with it',
      given: ['unrouted', fine, fine, fine],
      of: { steps: [{ weight: 20, seconds: 30 }] },
    },
    {
      acts: 'wait wait wait promote',
      when: 'nobody can be asked for a while: no more requests for who is not seen',
      given: [fine, 'nobody', 'nobody', fine],
      of: { steps: [{ weight: 20, seconds: 20 }] },
    },
    {
      acts: 'promote wait takeBack Bad',
      when: 'it turns bad in the bake',
      given: [fine, bad, bad],
      of: { steps: [{ weight: 20, seconds: 10 }], bake: 600 },
    },
    {
      acts: 'promote wait finish',
      when: 'there is no number in the bake: missing is not bad',
      given: [fine, 'nobody', 'nobody'],
      of: { steps: [{ weight: 20, seconds: 10 }], bake: 20 },
    },
    {
      acts: 'wait promote',
      when: 'it is bad, and that is said alone',
      given: [bad, bad],
      of: { steps: [{ weight: 20, seconds: 20 }], actsOnVerdict: false },
    },
    {
      acts: 'wait wait takeBack Deadline',
      when: 'verdicts are said alone, and there is none',
      given: [few, few, few],
      of: { steps: [{ weight: 20, seconds: 20 }], actsOnVerdict: false, deadline: 30 },
    },
    { acts: 'wait wait wait', when: 'it is paused', given: [bad, bad, fine], of: { isPaused: true, deadline: 20 } },
  ])('is $acts when $when', ({ acts, given, of }) => {
    expect(courseOf(given, plan(of)).map(told).join(' ')).toBe(acts);
  });

  it('goes on after a pause with what was seen in it, and without its time', () => {
    const paused = courseOf([bad, bad], plan({ isPaused: true })).at(-1);
    expect(paused).toMatchObject({ act: { do: 'wait' }, state: { seconds: 0, failures: 2 } });
    expect(paused?.sentence).toMatch(/^95% of 2,000 requests succeeded/);
    const next = advanceOf(stateOf(paused), { now: 30_000, isRouted: true, numbers: numbers(30, fine) }, plan());
    expect(next).toMatchObject({
      act: { do: 'takeBack', because: 'Bad' },
      sentence: expect.stringMatching(/^95% of 2,000/),
    });
  });

  it('says what was proved when it acts upon it, not what is counted at the moment', () => {
    const promoted = courseOf([fine, fine, fine, fine, fine, few], plan()).at(-1);
    expect(promoted).toMatchObject({
      act: { do: 'promote' },
      sentence: expect.stringMatching(/^100% of 2,000 requests/),
    });
    expect(promoted?.verdict?.sentence).toBe('19 of the 200 requests that the next analysis needs were answered');
    expect(promoted?.state.requests).toEqual({ total: 10_019, failed: 0 });
    const late = courseOf([few, few], plan({ deadline: 20 })).at(-1);
    expect(late?.sentence).toBe(
      'Not proved good within 20 s: 38 of the 200 requests that the next analysis needs were answered',
    );
  });

  it('says how many consecutive intervals had no number, and forgets it when there is one', () => {
    const said = courseOf(['nobody', 'nobody', 'nobody', fine, 'nobody'], plan({ errorLimit: 3 }));
    expect(said.map(({ sentence }) => sentence)).toEqual([
      'No metrics: No source answered',
      'No metrics: No source answered',
      'No metrics for 3 consecutive intervals: No source answered',
      expect.stringContaining('100% of 2,000 requests'),
      'No metrics: No source answered',
    ]);
    expect(said.map(({ verdict }) => verdict?.verdict)).toEqual(['missing', 'missing', 'missing', 'good', 'missing']);
  });

  it('says how many requests the next look takes', () => {
    const said = courseOf(
      [
        [150, 0],
        [150, 1],
        [100, 0],
      ],
      plan(),
    );
    expect(said.map(({ sentence }) => sentence)).toEqual([
      '150 of the 200 requests that the next analysis needs were answered',
      expect.stringMatching(/^99.7% of 300 requests succeeded .*needed to compare it with the threshold of 99%$/),
      '400 of the 450 requests that the next analysis needs were answered',
    ]);
  });

  it('takes what drift is judged by as missing where only one side tells it, and does not ask for it in the bake', () => {
    const drifting = plan({ standards: { success: 0.99, drift: { method: 'KS', threshold: 0.2 } }, bake: 60 });
    const trial = { requests: { total: 2000, failed: 0 }, drift: { bounds: [1], counts: [1, 1] } };
    const interval = { now: 10_000, isRouted: true, numbers: tenSeconds(10, trial) };
    const inSteps = advanceOf(beginning(0), interval, drifting);
    expect(inSteps).toMatchObject({ verdict: { verdict: 'missing' }, state: { errors: 1 } });
    const inBake = advanceOf({ ...beginning(0), stage: 'bake' }, interval, drifting);
    expect(inBake).toMatchObject({ verdict: { verdict: 'good' }, state: { errors: 0 } });
  });
});

describe('numbers', () => {
  it('are counted once, however often they are told', () => {
    const once = advanceOf(beginning(0), { now: 10_000, isRouted: true, numbers: numbers(10, [150, 1]) }, plan());
    const again = advanceOf(once.state, { now: 10_000, isRouted: true, numbers: numbers(10, [150, 1]) }, plan());
    expect(again.state).toEqual(once.state);
    expect(again).toMatchObject({
      act: { do: 'wait' },
      sentence: 'No newer metrics are available',
      verdict: undefined,
    });
  });

  it('that are older than three intervals are none', () => {
    const old = advanceOf(beginning(0), { now: 41_000, isRouted: true, numbers: numbers(10, fine) }, plan());
    expect(old).toMatchObject({
      sentence: 'No metrics: The latest metrics are older than 3 intervals',
      state: { sample: { trial: {} } },
    });
    const recent = advanceOf(beginning(0), { now: 40_000, isRouted: true, numbers: numbers(10, fine) }, plan());
    expect(recent.verdict?.verdict).toBe('good');
  });

  it('of the time before a step do not count for it', () => {
    const two = plan({
      steps: [
        { weight: 5, seconds: 10 },
        { weight: 20, seconds: 10 },
      ],
    });
    const { state, act } = advanceOf(beginning(0), { now: 12_000, isRouted: true, numbers: numbers(10, fine) }, two);
    expect(act).toEqual({ do: 'step', weight: 20 });
    const overlap = advanceOf(state, { now: 22_000, isRouted: true, numbers: numbers(20, bad) }, two);
    expect(overlap).toMatchObject({ verdict: undefined, state: { sample: { trial: {} } } });
  });

  // With all numbers in one sample it would take 150 intervals until its average is bad.
  it('of a version that turns bad late are not hidden by those of the time when it was good', () => {
    const long = plan({ steps: [{ weight: 20, seconds: 3600 }], deadline: 7200 });
    const good = courseOf(Array(300).fill([400, 0]), long);
    const after = courseOf(Array(60).fill([400, 12]), long, good.at(-1)?.state);
    expect(after.findIndex(({ act }) => act.do === 'takeBack')).toBeLessThan(25);
  });
});

describe('the state', () => {
  const tens = fc.array(
    fc.oneof(fc.constant<Ten>('nobody'), fc.constant<Ten>('unrouted'), fc.tuple(fc.nat(900), fc.nat(20)).map(sane)),
    { maxLength: 40 },
  );
  const steps = [
    { weight: 5, seconds: 20 },
    { weight: 20, seconds: 30 },
  ];

  it('goes through JSON and back at any time, and a trial ends only once', () => {
    fc.assert(
      fc.property(tens, (given) => {
        const one = plan({ steps, bake: 60, deadline: 300 });
        const kept = courseOf(given, one);
        const stored = courseOf(given, one, undefined, (state) => JSON.parse(JSON.stringify(state)));
        expect(stored.map(told)).toEqual(kept.map(told));
        const ends = kept.filter(({ act }) => act.do === 'takeBack' || act.do === 'finish');
        expect(ends.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('never gives fewer requests to a version that is not taken back, and all of them after the promotion', () => {
    fc.assert(
      fc.property(tens, (given) => {
        const one = plan({ steps, bake: 60, deadline: 300 });
        const weights = courseOf(given, one).map(({ state }) =>
          state.stage === 'takenBack' ? [] : [weightOf(state, one)],
        );
        const rising = weights.flat();
        expect(rising).toEqual(rising.toSorted((a, b) => a - b));
      }),
    );
  });

  test.each([
    { weight: 5, stage: 'steps' as const, step: 0 },
    { weight: 20, stage: 'steps' as const, step: 1 },
    { weight: 100, stage: 'bake' as const, step: 1 },
    { weight: 100, stage: 'promoted' as const, step: 1 },
    { weight: 0, stage: 'takenBack' as const, step: 1 },
  ])('gives $weight % in $stage, step $step', ({ weight, stage, step }) => {
    expect(weightOf({ stage, step }, { steps })).toBe(weight);
  });

  it('is small', () => {
    const { state } = advanceOf(beginning(0), { now: 10_000, isRouted: true, numbers: numbers(10, unclear) }, plan());
    expect(JSON.stringify(state).length).toBeLessThan(400);
  });
});

/** One turn after the other, ten seconds apart, until the end of what is given or of the trial. */
function courseOf(
  given: readonly Ten[],
  one: TrialSettings,
  begun?: TrialState,
  store = (state: TrialState) => state,
): TrialAdvance[] {
  const turns: TrialAdvance[] = [];
  let state = begun ?? beginning(0);
  for (const ten of given) {
    const end = state.seenAt / 1000 + 10;
    const next = advanceOf(state, { now: end * 1000, isRouted: ten !== 'unrouted', numbers: numbers(end, ten) }, one);
    turns.push(next);
    state = store(next.state);
  }
  return turns;
}

function numbers(end: number, ten: Ten) {
  if (ten === 'nobody' || ten === 'unrouted') return undefined;
  return tenSeconds(end, { requests: { total: ten[0], failed: ten[1] } });
}

function told({ act }: TrialAdvance): string {
  if (act.do === 'step') return `step ${act.weight}`;
  return act.do === 'takeBack' ? `takeBack ${act.because}` : act.do;
}

function sane([total, failed]: [number, number]): Ten {
  return [total, Math.min(total, failed)];
}

function stateOf(last: TrialAdvance | undefined): TrialState {
  return last?.state ?? beginning(0);
}
