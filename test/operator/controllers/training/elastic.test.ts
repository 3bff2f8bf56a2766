import { describe, expect, test } from 'vitest';
import { nextDeadline } from '../../../../operator/controllers/training/deadlines.js';
import { sizeEvents } from '../../../../operator/controllers/training/events.js';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import { planOf } from '../../../../operator/controllers/training/plan/index.js';
import { phaseOf } from '../../../../operator/controllers/training/progress/phase.js';
import {
  demand,
  fault,
  gated,
  member,
  memory,
  now,
  planned,
  rank,
  report,
  room,
  situation,
  three,
  worker,
} from './given-training.js';

const elastic = { minWorkers: 2 };
const ago = (seconds: number) => new Date(now - 1_000 * seconds).toISOString();
const unplaced = (index: number, attempt: number, created: string) =>
  worker(index, { attempt, phase: 'Pending', node: undefined, created });
/** The fault of a Pod. */
const lost = (index: number, seconds: number) => fault(`pod-uid-${index}-0`, { time: ago(seconds) });
const two = [member(0), member(1)];
const begin = (members: readonly object[], changes: object = {}) =>
  `call ${JSON.stringify({ act: 'begin', generation: 2, members, processes: 1, planned: false, ...changes })}`;
const calls = (changes: Parameters<typeof situation>[0]) =>
  planned(situation({ spec: elastic, ...changes })).filter((line) => line.startsWith('call'));

describe('a job of three workers with minWorkers 2, of which one is lost', () => {
  const without = (index: number) =>
    report([0, 1, 2].filter((one) => one !== index).map((one) => rank(one, { state: 'waiting' })));
  const others = [worker(0), worker(1), unplaced(2, 1, ago(31))];

  test.each<[string, Parameters<typeof situation>[0], readonly string[]]>([
    ['waits for its replacement', { memory: memory({ faults: [lost(2, 29)] }) }, []],
    ['goes on with two after replaceWithin', { memory: memory({ faults: [lost(2, 30)] }) }, [begin(two)]],
    [
      'goes on later with a longer replaceWithin',
      { spec: { ...elastic, replaceWithin: '1m' }, memory: memory({ faults: [lost(2, 59)] }) },
      [],
    ],
    ['waits without minWorkers', { spec: {}, memory: memory({ faults: [lost(2, 900)] }) }, []],
    ['waits if it has too few', { spec: { minWorkers: 3 }, memory: memory({ faults: [lost(2, 900)] }) }, []],
    ['waits for a process that starts again in its Pod', { memory: memory() }, []],
    [
      'waits for the second one that is lost',
      {
        spec: { minWorkers: 1 },
        workers: [worker(0)],
        memory: memory({ faults: [lost(1, 29), lost(2, 40)] }),
        report: report([rank(0, { state: 'waiting' })]),
      },
      [],
    ],
    [
      'lets the ranks move up',
      {
        workers: [worker(0), worker(2)],
        memory: memory({ faults: [lost(1, 30)] }),
        report: without(1),
      },
      [begin([member(0), member(2)])],
    ],
    [
      'takes a replacement that is ready in time',
      {
        workers: [worker(0), worker(1), worker(2, { attempt: 1 })],
        memory: memory({ faults: [lost(2, 20)] }),
        report: report([
          rank(0, { state: 'waiting' }),
          rank(1, { state: 'waiting' }),
          rank(2, { ...member(2, 1), state: 'ready', generation: 0, behind: true }),
        ]),
      },
      [begin([...two, member(2, 1)])],
    ],
    [
      'interrupts survivors that wait in the middle of a step for a rank that is silent',
      { memory: memory({ faults: [lost(2, 30)] }), report: three({ 2: { age: 60 } }) },
      [begin(two)],
    ],
  ])('%s', (_, changes, expected) => {
    expect(calls({ workers: others, report: without(2), ...changes })).toEqual(expected);
  });

  test('is looked at when its time is over', () => {
    const after = memory({ faults: [lost(2, 10)] });
    expect(nextDeadline(situation({ spec: elastic, workers: others.slice(0, 2) }), after)).toBe(now + 20_000);
  });
  test('does not replace all Pods at gang.timeout while two are there', () => {
    const open = memory({ faults: [lost(2, 20)], openedTime: now - 20_000 });
    const given = (spec: object) =>
      nextMemory(situation({ spec: { ...spec, gang: { timeout: '10s' } }, workers: others, memory: open }));
    expect([given(elastic).incarnation, given({}).incarnation]).toEqual([0, 1]);
  });
});

/** Two of three train. */
const reduced = (changes: Parameters<typeof situation>[0] = {}) =>
  situation({
    ...{ spec: elastic, report: report([rank(0), rank(1)], { members: two }) },
    workers: [worker(0), worker(1), gated(2, { attempt: 2, created: ago(31) })],
    ...changes,
    memory: memory({ members: two, faults: [lost(2, 60)], total: 1, ...changes.memory }),
  });

describe('a job that trains with two of three workers', () => {
  const open = (seconds: number) => ({ memory: memory({ members: two, openedTime: now - 1_000 * seconds }) });
  test.each<[string, Parameters<typeof situation>[0], readonly string[]]>([
    [
      'has the Pod that found no node wait with a gate, so that it holds up nobody',
      { workers: [worker(0), worker(1), unplaced(2, 1, ago(300))], ...open(30) },
      ['create 2-0 gated'],
    ],
    [
      'leaves it to the scheduler before',
      { workers: [worker(0), worker(1), unplaced(2, 1, ago(300))], ...open(29) },
      [],
    ],
    ['also a new one', { workers: [worker(0), worker(1), unplaced(2, 1, ago(29))], ...open(300) }, []],
    [
      'leaves it before the time of its release is written down',
      { workers: [worker(0), worker(1), unplaced(2, 1, ago(300))] },
      ['keep 2-1'],
    ],
    ['opens the gate when there is room', { room: room(2) }, ['open 2-2']],
    [
      'opens no gate without room',
      { room: room(1) },
      ['keep 2-2 gated', 'queued: the nodes have room for 0 of 1 workers'],
    ],
    [
      'leaves others the time in which it found no node',
      { room: room(2), workers: [worker(0), worker(1), gated(2, { attempt: 2, created: ago(29) })] },
      ['keep 2-2 gated', 'queued: workers that found no node are released again after 30s'],
    ],
    [
      'opens one of two gates if there is room for one',
      {
        spec: { workers: 4, minWorkers: 2 },
        workers: [worker(0), worker(1), ...[2, 3].map((index) => gated(index, { attempt: 2, created: ago(31) }))],
        room: room(2),
      },
      ['open 2-2', 'keep 3-2 gated', 'queued: the nodes have room for 1 of 2 workers'],
    ],
  ])('%s', (_, changes, expected) => {
    const lines = planned(reduced(changes)).filter(
      (line) => !line.startsWith('keep 0-') && !line.startsWith('keep 1-'),
    );
    expect(lines.filter((line) => expected.length > 0 || !line.startsWith('keep'))).toEqual(expected);
  });

  const ready = rank(2, { ...member(2, 2), state: 'ready', generation: 0, behind: true });
  test('grows between two steps when the third one is ready', () => {
    const workers = [worker(0), worker(1), worker(2, { attempt: 2 })];
    const given = reduced({ workers, report: report([rank(0), rank(1), ready], { members: two }) });
    expect(planOf(given, demand).call).toEqual({
      ...{ act: 'begin', generation: 2, members: [...two, member(2, 2)], processes: 1, planned: true },
    });
  });
  test('grows with one of two', () => {
    const workers = [worker(0), worker(1), worker(2, { attempt: 2 }), gated(3)];
    const given = reduced({
      ...{ spec: { workers: 4, minWorkers: 2 }, workers },
      report: report([rank(0), rank(1), ready], { members: two }),
    });
    expect(planOf(given, demand).call).toMatchObject({ members: [...two, member(2, 2)], planned: true });
  });
  test('begins with the same workers when a process has left', () => {
    expect(
      planOf(reduced({ report: report([rank(0), rank(1, { state: 'waiting' })], { members: two }) }), demand).call,
    ).toMatchObject({ members: two });
  });
  test('runs, and has no further fault', () => {
    const given = reduced();
    const after = nextMemory(given);
    expect([phaseOf(given, after), after.total, after.incarnation]).toEqual(['Running', 1, 0]);
  });
});

describe('a job all of whose Pods are lost', () => {
  const workers = [0, 1, 2].map((index) => gated(index, { attempt: 1 }));
  const given = (free: number, spec: object = elastic) =>
    planned(situation({ spec, workers, report: undefined, room: room(free) })).filter((line) =>
      line.startsWith('open'),
    );
  test.each([
    [6, ['open 0-1', 'open 1-1', 'open 2-1']],
    [4, ['open 0-1', 'open 1-1']],
    [2, []],
  ])('with room for %d cores opens %j', (free, expected) => {
    expect(given(free)).toEqual(expected);
  });
  test('waits for room for all without minWorkers', () => {
    expect(given(4, {})).toEqual([]);
  });
});

describe('events tell the number of workers', () => {
  const [small, full] = [memory({ generation: 2, members: two }), memory({ generation: 2 })];
  test.each([
    [
      'of a job that lost one',
      {},
      small,
      ['WorkersReduced: Continues with 2 of 3 workers in generation 2: ranking-2-0 had no replacement within 30s'],
    ],
    [
      'of a job that grows',
      { memory: small },
      { ...full, generation: 3 },
      ['WorkersJoined: Trains with 3 of 3 workers in generation 3'],
    ],
    ['not when it is the same', {}, full, []],
    ['not of the first generation', { memory: memory({ generation: 0, members: [] }) }, full, []],
    ['not when a user wants fewer', { spec: { workers: 2 } }, small, []],
  ])('%s', (_, changes, after, expected) => {
    const events = sizeEvents(situation({ spec: elastic, ...changes }), after);
    expect(events.map(({ reason, note }) => `${reason}: ${note}`)).toEqual(expected);
  });
});
