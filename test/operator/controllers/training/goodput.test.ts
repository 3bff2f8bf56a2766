import { describe, expect, test } from 'vitest';
import { type Goodput, goodputAfter } from '../../../../operator/controllers/training/progress/goodput.js';
import { progressOf } from '../../../../operator/controllers/training/progress/progress.js';

const start = Date.parse('2026-11-27T12:00:00Z');
type Activity = Goodput['activity'];

/** Observations: seconds since the start, the activity, the step, and whether a rank is stalled. */
type Seen = readonly [number, Activity, number, 'stalled'?];

function goodputWith(...seen: readonly Seen[]): Goodput | undefined {
  return seen.reduce<Goodput | undefined>(
    (goodput, [second, activity, step, stalled]) =>
      goodputAfter(goodput, { now: start + 1_000 * second, activity, step, isStalled: stalled !== undefined }),
    undefined,
  );
}
/** Seconds that are not 0. */
const secondsOf = (...seen: readonly Seen[]) =>
  Object.fromEntries(Object.entries(goodputWith(...seen)?.seconds ?? {}).filter(([, seconds]) => seconds !== 0));

describe('the time since the first step', () => {
  test.each<[string, readonly Seen[], Readonly<Record<string, number>>]>([
    [
      'is kept while steps are done',
      [
        [0, 'Training', 1],
        [2, 'Training', 10],
        [10, 'Training', 50],
      ],
      { kept: 10 },
    ],
    [
      'is counted up to the last step',
      [
        [0, 'Training', 1],
        [2, 'Training', 10],
        [10, 'Training', 10],
      ],
      { kept: 2 },
    ],
    [
      'is kept while the operator is away and steps are done',
      [
        [0, 'Training', 1],
        [600, 'Training', 900],
      ],
      { kept: 600 },
    ],
    [
      'recovers from the last step until all train again',
      [
        [0, 'Training', 1],
        [10, 'Training', 50],
        [13, 'Recovering', 50],
        [20, 'Recovering', 50],
        [25, 'Training', 50],
      ],
      { kept: 10, recovering: 15 },
    ],
    [
      'was stalled until a stall is seen',
      [
        [0, 'Training', 1],
        [10, 'Training', 50],
        [70, 'Recovering', 50, 'stalled'],
        [75, 'Training', 50],
      ],
      { kept: 10, stalled: 60, recovering: 5 },
    ],
    [
      'is repeated up to the highest step, and kept beyond it',
      [
        [0, 'Training', 1],
        [100, 'Training', 101],
        [105, 'Recovering', 101],
        [110, 'Training', 61],
        [130, 'Training', 81],
        [170, 'Training', 121],
      ],
      { kept: 120, recovering: 10, repeated: 40 },
    ],
    [
      'recovers if a step was lost between two observations',
      [
        [0, 'Training', 1],
        [10, 'Training', 50],
        [14, 'Training', 40],
      ],
      { kept: 10, recovering: 4 },
    ],
    [
      'is suspended, and then starts',
      [
        [0, 'Training', 1],
        [10, 'Training', 50],
        [12, 'Suspended', 50],
        [112, 'Starting', 50],
        [130, 'Training', 50],
      ],
      { kept: 10, suspended: 102, starting: 18 },
    ],
    [
      'ends with the job',
      [
        [0, 'Training', 1],
        [10, 'Training', 50],
        [14, 'Ended', 60],
        [99, 'Ended', 60],
      ],
      { kept: 14 },
    ],
    [
      'was lost if the job failed for it',
      [
        [0, 'Training', 1],
        [10, 'Training', 50],
        [14, 'Recovering', 50],
        [20, 'Ended', 50],
      ],
      { kept: 10, recovering: 10 },
    ],
  ])('%s', (_, seen, expected) => {
    expect(secondsOf(...seen)).toEqual(expected);
  });

  test('begins with the first step, not with the job', () => {
    expect(goodputWith([0, 'Starting', 0], [60, 'Training', 0])).toBeUndefined();
    expect(goodputWith([0, 'Starting', 0], [60, 'Training', 3])?.startTime).toBe('2026-11-27T12:01:00Z');
  });

  test('is all in one of the causes, to the second', () => {
    const { seconds, startTime, updateTime } = goodputWith(
      [0, 'Training', 1],
      [7, 'Training', 8],
      [9, 'Recovering', 8],
      [20, 'Training', 3],
      [27, 'Training', 11],
      [31, 'Suspended', 11],
      [40, 'Starting', 11],
      [43, 'Training', 11],
      [50, 'Ended', 20],
    ) as Goodput;
    const all = Object.values(seconds).reduce((sum, one) => sum + one, 0);
    expect(all).toBe((Date.parse(updateTime) - Date.parse(startTime)) / 1_000);
    expect(all).toBe(50);
  });

  test('has the share of what was kept', () => {
    expect(goodputWith([0, 'Training', 1])?.ratio).toBe(1);
    expect(
      goodputWith([0, 'Training', 1], [30, 'Training', 9], [30, 'Recovering', 9], [40, 'Training', 9])?.ratio,
    ).toBe(0.75);
  });

  test('does not change while nothing does, so that no status is written', () => {
    for (const activity of ['Training', 'Recovering', 'Suspended', 'Starting', 'Ended'] as const) {
      const before = goodputWith([0, 'Training', 1], [5, 'Training', 5], [6, activity, 5]) as Goodput;
      expect(goodputAfter(before, { now: start + 999_000, activity, step: 5 }), activity).toBe(before);
    }
  });
});

describe('the speed', () => {
  const trained: readonly Seen[] = [
    [0, 'Training', 101],
    [20, 'Training', 201],
  ];
  test.each<[string, readonly Seen[], number | undefined, ReturnType<typeof progressOf>]>([
    ['is told with the end', trained, 301, { stepsPerSecond: 5, estimatedCompletion: '2026-11-27T12:00:40Z' }],
    ['is told alone without a number of steps', trained, undefined, { stepsPerSecond: 5 }],
    ['is not told in the first seconds', trained.slice(0, 1), 301, {}],
    [
      'is that of kept steps, and the end comes later',
      [...trained, [30, 'Recovering', 151], [40, 'Training', 151], [50, 'Training', 201]],
      301,
      { stepsPerSecond: 5, estimatedCompletion: '2026-11-27T12:01:10Z' },
    ],
    ['has no end while the job recovers', [...trained, [30, 'Recovering', 201]], 301, { stepsPerSecond: 5 }],
    ['has no end after all steps', [...trained, [40, 'Training', 301]], 301, { stepsPerSecond: 5 }],
    ['has no end that is beyond all calendars', trained, Number.MAX_SAFE_INTEGER, { stepsPerSecond: 5 }],
  ])('%s', (_, seen, total, expected) => {
    expect(progressOf(goodputWith(...seen), total)).toEqual(expected);
  });

  test('is not told of a job whose first step an earlier release did not write down', () => {
    const { startStep: _, ...before } = goodputWith(...trained) ?? expect.fail('it has trained');
    expect(progressOf(before, 301)).toEqual({});
  });
});
