import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LogQuestion } from '../../../../../operator/controllers/training/ports/logs.js';
import { LogSource } from '../../../../../operator/engines/training/logs/log-source.js';
import { timestampOf } from '../../../../../operator/runtime/index.js';
import { FakeClock } from '../../../fake-clock.js';
import { FakePodLogs } from './fake-pod-logs.js';

let clock: FakeClock;
let logs: FakePodLogs;
let source: LogSource;
let announced: LogQuestion[];
let stop: AbortController;

beforeEach(() => {
  clock = new FakeClock();
  logs = new FakePodLogs(() => clock.now());
  source = new LogSource({ logs, clock });
  announced = [];
  stop = new AbortController();
  source.announces((question) => announced.push(question), { signal: stop.signal });
});
afterEach(async () => {
  stop.abort();
  await source.close();
});

const rule = (changes: object) => ({ name: 'r', logPattern: 'step', faultOnMatch: false, ...changes });
const hanging = rule({ expectedStartCutOffInSeconds: 60, expectedRecurringFrequencyInSeconds: 20 });
const failing = rule({ logPattern: 'Error', faultOnMatch: true });

/** A question about Pods that started now, or some seconds ago. */
function about(
  rules: readonly object[],
  pods: readonly string[] = ['a'],
  { ago = 0, generation = 1 } = {},
): LogQuestion {
  return {
    ...{ namespace: 'ml', job: 'ranking', generation, container: 'trainer', rules: rules as never },
    pods: pods.map((name) => ({ name, uid: `uid-${name}`, since: timestampOf(clock.now() - 1_000 * ago) })),
  };
}

/** Asks every two seconds, as the runtime does, and lets so many pass. */
async function asked(question: LogQuestion, seconds = 0) {
  source.ask(question);
  for (let passed = 0; passed < seconds; passed += 2) {
    await clock.advance(2_000);
    source.ask(question);
  }
  await clock.advance(0);
  const { findings } = source.ask(question);
  return findings.map(({ kind, pod }) => (pod ? `${kind} ${pod.name}` : kind));
}

describe('a log that is followed', () => {
  test('has its first lines, and those that follow', async () => {
    const question = about([failing]);
    logs.write('a', 'fine');
    expect(await asked(question, 10)).toEqual([]);
    logs.write('a', 'Error');
    expect(await asked(question)).toEqual(['LogFault a']);
    expect(logs.connections).toEqual(['a since 00:00']);
  });

  test('announces a line that is a fault, at once and once', async () => {
    const question = about([failing]);
    logs.begin('a');
    await asked(question, 2);
    expect(announced).toEqual([]);
    logs.write('a', 'Error');
    logs.write('a', 'Error');
    await clock.advance(0);
    expect(announced).toEqual([question]);
  });

  test('counts no line twice when its connection ends', async () => {
    const three = rule({ logPattern: 'loss=(.*)', metricThreshold: 2, operator: 'gt', metricEvaluationDataPoints: 3 });
    const question = about([three]);
    logs.begin('a');
    await asked(question, 2);
    logs.write('a', 'loss=9');
    logs.write('a', 'loss=9');
    for (let cut = 0; cut < 3; cut++) {
      logs.cut('a');
      expect(await asked(question, 4)).toEqual([]);
    }
    expect(logs.connections.length).toBe(4);
    logs.write('a', 'loss=9');
    expect(await asked(question, 4)).toEqual(['LogSlow a']);
  });

  test('is that of the Pod in the question only', async () => {
    const question = about([failing], ['a', 'b']);
    logs.begin('a');
    logs.begin('b');
    await asked(question, 2);
    const next = about([failing], ['a'], { generation: 2 });
    await asked(next, 2);
    logs.write('b', 'Error');
    expect(await asked(next, 4)).toEqual([]);
    expect(source.ask(next).generation).toBe(2);
    expect(logs.open).toBe(1);
  });

  test('begins anew with a generation', async () => {
    logs.write('a', 'Error');
    expect(await asked(about([failing]), 2)).toEqual(['LogFault a']);
    await clock.advance(5_000);
    expect(await asked(about([failing], ['a'], { generation: 2 }), 4)).toEqual([]);
  });

  test('begins anew with other rules', async () => {
    logs.write('a', 'Error');
    const question = about([rule({ logPattern: 'nothing', faultOnMatch: true })]);
    expect(await asked(question, 4)).toEqual([]);
    expect(await asked({ ...question, rules: [failing] as never }, 2)).toEqual(['LogFault a']);
  });

  test('is no longer followed when nobody asks for half a minute', async () => {
    logs.begin('a');
    await asked(about([failing]), 4);
    expect(logs.open).toBe(1);
    await clock.advance(30_000);
    expect(logs.open).toBe(0);
  });
});

describe('a log that is silent', () => {
  test('is found after the time, by a connection that began later', async () => {
    const question = about([hanging]);
    logs.write('a', 'step');
    expect(await asked(question, 20)).toEqual([]);
    expect(await asked(question, 6)).toEqual(['LogHanging a']);
    expect(logs.connections.length).toBe(2);
  });

  test('is none if its connection had only gone deaf', async () => {
    const question = about([hanging]);
    logs.write('a', 'step');
    await asked(question, 4);
    logs.deafen('a');
    await clock.advance(10_000);
    logs.write('a', 'step');
    expect(await asked(question, 12)).toEqual([]);
    expect(logs.connections.length).toBe(2);
  });

  test('is none while it cannot be read, which is told after a minute', async () => {
    const question = about([hanging]);
    logs.write('a', 'step');
    await asked(question, 4);
    logs.isAway = true;
    logs.cut('a');
    expect(await asked(question, 58)).toEqual([]);
    expect(source.ask(question).failures).toEqual([]);
    expect(await asked(question, 6)).toEqual([]);
    expect(source.ask(question).failures).toEqual(['the log of Pod a cannot be read: the API server is away']);
    logs.isAway = false;
    logs.write('a', 'step');
    expect(await asked(question, 6)).toEqual([]);
    expect(source.ask(question).failures).toEqual([]);
  });

  test('is found without any line', async () => {
    logs.begin('a');
    const question = about([hanging]);
    expect(await asked(question, 60)).toEqual([]);
    expect(await asked(question, 6)).toEqual(['LogHanging a']);
  });
});

describe('an operator that comes later', () => {
  const first = rule({ expectedStartCutOffInSeconds: 60 });
  test('reads the log from its beginning', async () => {
    logs.write('a', 'step', clock.now() - 290_000);
    expect(await asked(about([first], ['a'], { ago: 300 }), 90)).toEqual([]);
  });

  test('finds that the first line did not come', async () => {
    logs.write('a', 'other', clock.now() - 290_000);
    expect(await asked(about([first], ['a'], { ago: 300 }), 6)).toEqual(['LogHanging a']);
  });

  test('does not judge a log whose beginning may be gone', async () => {
    logs.write('a', 'other', clock.now() - 100_000);
    expect(await asked(about([first], ['a'], { ago: 300 }), 120)).toEqual([]);
  });

  test('gives a log without any line its time again', async () => {
    logs.begin('a');
    const question = about([first], ['a'], { ago: 300 });
    expect(await asked(question, 58)).toEqual([]);
    expect(await asked(question, 8)).toEqual(['LogHanging a']);
  });

  test('takes old lines for as old as they are', async () => {
    logs.write('a', 'step', clock.now() - 100_000);
    expect(await asked(about([hanging], ['a'], { ago: 110 }), 4)).toEqual(['LogHanging a']);
  });
});
