import { describe, expect, it } from 'vitest';
import type { Priority } from '../../../../operator/runtime/concurrency/work-queue.js';
import { GivenQueue } from '../given/queue.js';

const failure = new Error('the server is away');

/** A step of a scenario; what it returns is waited for. */
type Step = (given: GivenQueue) => unknown;

interface Scenario {
  /** The test of another runtime that asserts the same. */
  readonly like: string;
  readonly title: string;
  readonly workers?: number;
  readonly steps: readonly Step[];
  /** The keys of all passes, in the order in which they began. */
  readonly starts: readonly string[];
}

const add =
  (keys: string, priority?: Priority): Step =>
  ({ queue }) => {
    for (const key of keys) queue.add(key, priority);
  };
const addAfter =
  (key: string, ms: number): Step =>
  ({ queue }) =>
    queue.addAfter(key, ms);
const wait =
  (ms: number): Step =>
  ({ clock }) =>
    clock.advance(ms);
const end =
  (outcome: { again?: number } | Error = {}, key?: string): Step =>
  (given) =>
    given.end(outcome, key);
const holds =
  (expected: object): Step =>
  ({ queue }) => {
    expect(queue).toMatchObject(expected);
  };

const scenarios: readonly Scenario[] = [
  {
    like: 'workqueue TestLen',
    title: 'R10 counts a key that waits once, and none that runs or is owed another pass',
    steps: [
      add('abb'),
      holds({ depth: 1, active: 1, size: 2 }),
      add('a'),
      holds({ depth: 1 }),
      end(),
      holds({ depth: 1 }),
    ],
    starts: ['a', 'b'],
  },
  {
    like: 'workqueue TestReinsert',
    title: 'R10 a key that was added during its pass goes to the end of the line, once',
    steps: [add('ab'), add('aaa'), end(), end(), end(), holds({ size: 0 })],
    starts: ['a', 'b', 'a'],
  },
  {
    like: 'workqueue TestCollapseWhileProcessing',
    title: 'R10 a worker that is free does not take a key that runs',
    workers: 4,
    steps: [
      add('aaaa'),
      holds({ active: 1, depth: 0 }),
      end(),
      holds({ active: 1 }),
      end(),
      holds({ active: 0, size: 0 }),
    ],
    starts: ['a', 'a'],
  },
  {
    like: 'workqueue TestGarbageCollection',
    title: 'R10 a key that failed and then did not is forgotten',
    steps: [add('a'), end(failure), holds({ size: 1 }), wait(5), end(), holds({ size: 0 })],
    starts: ['a', 'a'],
  },
  {
    like: 'priorityqueue TestHighPriorityItemThatBecameReadyIsReturnedBeforeLowPriorityItem',
    title: 'R11 a retry that is due goes before the first list',
    steps: [add('a'), end(failure), add('bcd', 'routine'), wait(5), end()],
    starts: ['a', 'b', 'a'],
  },
  {
    like: 'controller-runtime LowPriority of resyncs',
    title: 'R11 a look that is due goes behind what happened since',
    steps: [add('a'), addAfter('b', 10), wait(10), add('c'), end(), end()],
    starts: ['a', 'c', 'b'],
  },
  {
    like: 'priorityqueue TestMultipleItemsWithAfterAreReturnedInCorrectOrder',
    title: 'R13 looks later come in the order of their times',
    steps: [addAfter('c', 30), addAfter('a', 10), addAfter('b', 20), wait(10), end(), wait(10), end(), wait(10)],
    starts: ['a', 'b', 'c'],
  },
  {
    like: 'priorityqueue TestWaitingItemIsReturnedRightAfterReadWithoutAfter',
    title: 'R13 a key that waits for its time runs at once when something happens to it',
    steps: [addAfter('a', 1000), add('a'), end(), wait(1000), holds({ size: 0 })],
    starts: ['a'],
  },
  {
    like: 'delaying queue TestDeduping',
    title: 'R13 of two times the earlier one counts, and fires once',
    steps: [addAfter('a', 50), addAfter('a', 70), wait(60), end(), wait(70), holds({ size: 0 })],
    starts: ['a'],
  },
  {
    like: 'delaying queue TestAddTwoFireEarly',
    title: 'R13 a later wish for an earlier time is not held up by another key',
    steps: [addAfter('a', 1000), addAfter('b', 50), wait(50)],
    starts: ['b'],
  },
  {
    like: 'kube-rs scheduler_should_allow_rescheduling_emitted_item',
    title: 'R13 each pass may ask for another look',
    steps: [add('a'), end({ again: 10 }), wait(10), end({ again: 10 }), wait(10), end()],
    starts: ['a', 'a', 'a'],
  },
  {
    like: 'kube-rs scheduler_pending_message_should_not_block_head_of_line',
    title: 'R14 a key whose pass is under way does not hold up what waits behind it',
    workers: 2,
    steps: [add('a'), add('abc'), holds({ active: 2 }), end({}, 'b')],
    starts: ['a', 'b', 'c'],
  },
  {
    like: 'kube-rs runner_should_respect_max_concurrent_executions',
    title: 'R14 takes up as many as there are workers, and the next when one ends',
    workers: 2,
    steps: [add('abcd'), holds({ active: 2, depth: 2 }), end({}, 'b'), holds({ active: 2, depth: 1 })],
    starts: ['a', 'b', 'c'],
  },
  {
    like: 'TestWhenAddingMultipleItemsWithRatelimitTrueTheyDontAffectEachOther',
    title: 'R12 failures of one key do not make another wait longer',
    steps: [add('a'), end(failure), wait(5), end(failure), wait(10), end(failure), add('b'), end(failure), wait(2.5)],
    starts: ['a', 'a', 'a', 'b', 'b'],
  },
  {
    like: 'JOSDK preservesRetryDeadlineWhenRemainingDurationAboveThreshold',
    title: 'R12 events during the wait neither end it nor count as attempts',
    steps: [
      add('a'),
      end(failure),
      wait(1),
      add('aaa'),
      wait(1),
      add('a', 'routine'),
      holds({ depth: 0 }),
      wait(0.5),
      end(),
    ],
    starts: ['a', 'a'],
  },
  {
    like: 'rate limiter Forget',
    title: 'R12 a pass that does not fail makes the next wait a short one again',
    steps: [add('a'), end(failure), wait(5), end(failure), wait(10), end(), add('a'), end(failure), wait(2.5)],
    starts: ['a', 'a', 'a', 'a', 'a'],
  },
  {
    like: 'workqueue TestQueueDrainageUsingShutDownWithDrainWithDirtyItem, but that what waits is dropped',
    title: 'R15 a key that was added during its last pass is not taken up again',
    steps: [add('ab'), ({ queue }) => void queue.close(), add('a', 'edit'), end(), holds({ active: 0, size: 0 })],
    starts: ['a'],
  },
];

describe('a scenario of other queues', () => {
  it.each(scenarios)('$title ($like)', async ({ workers: maxConcurrentReconciles = 1, steps, starts }) => {
    const given = new GivenQueue({ workers: maxConcurrentReconciles });
    for (const step of steps) await step(given);
    expect(given.started).toEqual(starts);
  });
});
