import { describe, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ConfigMap, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import { fakeSource, simulation } from '../../../../operator/testing/index.js';
import { faults } from '../../../../operator/testing/simulation/environment/weather.js';
import { run } from '../../../../operator/testing/simulation/run.js';
import { simulate } from '../../../../operator/testing/simulation/simulate.js';
import { seeds } from '../../../simulation/seeds.js';
import { subjects } from '../../../simulation/subjects.js';
import { oracle } from '../../runtime/given/pollers.js';
import { add, widgetController, widgetKind } from '../../runtime/given/widgets.js';

/** Histories of each; `npm run simulate` plays more. */
const counts: Readonly<Record<string, number>> = {
  ...{ maps: seeds(6, 12), waves: seeds(5, 10), finalizer: seeds(5, 10) },
  ...{ crossNamespace: seeds(6, 12), reader: seeds(5, 10), database: seeds(1, 2) },
};

/** The first history, where that one is much longer than others. */
const from: Readonly<Record<string, number>> = { database: 8 };

describe.each(Object.entries(subjects))('the controller %s', (name, { controller, given }) => {
  const replay = (seed: number) => `npm run simulate -- --controller ${name} --seed ${seed}`;
  const options = { from: from[name] ?? 0, seeds: counts[name] ?? seeds(3, 6), replay };
  for (const promised of simulation(controller, given, options)) it(promised.name, promised.holds);
});

describe('a report', () => {
  const { resource, edited } = (subjects['waves'] as (typeof subjects)[string]).given;
  const conditions = { Sized: { Fits: ['True', 'It fits'], Never: ['False', 'It never happens', 'Wait.'] } } as const;

  it('lists the reasons that no history reported', async () => {
    const controller = widgetController({ conditions, assess: () => ({ conditions: { Sized: { reason: 'Fits' } } }) });
    const { failure, unreportedReasons } = await simulate(controller, { resource, edited }, { seeds: 1 });
    expect(failure).toBeUndefined();
    expect(unreportedReasons).toEqual(['Sized Never']);
  });

  it('names a status field that the kind lacks, if any history comes to it', async () => {
    const kind = { ...widgetKind, statusFields: ['size', 'conditions', 'observedGeneration'] } as ObjectKind;
    const assess: Controller['assess'] = () => ({ conditions: { Sized: { reason: 'Fits' } }, status: { sise: 1 } });
    const controller = widgetController({ kind, conditions, assess });
    const { failure } = await simulate(controller, { resource, edited }, { seeds: 1 });
    expect(failure?.report).toContain('assess returned status.sise');
  });
});

describe('a history', () => {
  const { controller, given } = subjects['waves'] as (typeof subjects)[string];
  const histories = (numbers: readonly number[]) =>
    Promise.all(numbers.map(async (seed) => run(controller, given, { seed })));

  it('is the same for the same seed, to the last byte, whatever else is played beside it', async () => {
    const alone = await run(controller, given, { seed: 7 });
    const [siblings] = await histories([7, 8, 9]);
    expect(siblings?.lines).toEqual(alone.lines);
    expect(siblings?.hash).toBe(alone.hash);
  });

  it('is another for another seed', async () => {
    const hashes = (await histories([1, 2, 3, 4])).map(({ hash }) => hash);
    expect(new Set(hashes).size).toBe(4);
  });

  it('has every misfortune in some of forty', async () => {
    const all: string[] = [];
    for (let seed = 0; seed < 40; seed++) all.push(...(await run(controller, given, { seed })).lines);
    const told = all.join('\n');
    for (const sign of ['dies', 'pauses', 'discards old events', 'ends all watches', 'the connection was reset']) {
      expect(told).toContain(sign);
    }
    for (const act of [
      'removes',
      'edits',
      'removes the labels of',
      'creates a foreign',
      'sets a finalizer for a while on',
      'replaces',
    ]) {
      expect(told).toContain(act);
    }
  }, 120_000);

  it('lasts until what went wrong at last has been found out, though nothing has changed for long', async () => {
    const at = (lines: readonly string[], sign: string) =>
      Number.parseFloat(lines.find((line) => line.includes(sign)) ?? '');
    for (let seed = 0; seed < 10; seed++) {
      const { lines } = await run(controller, given, { seed });
      expect(at(lines, 'receives SIGTERM') - at(lines, 'no more faults from here on')).toBeGreaterThan(84);
    }
  }, 120_000);

  it('waits for a poll of the system that others changed, and for no slower poll of another', async () => {
    const { controller, given } = subjects['caller'] as (typeof subjects)[string];
    const slow = { port: oracle, request: () => ({ question: 'colour', interval: 3_600_000 }) };
    const both = { ...controller, polls: { ...controller.polls, slow } } as typeof controller;
    const answers = [fakeSource(oracle, () => ({ word: 'red' }))];
    const played = [];
    for (let seed = 0; seed < 10; seed++) played.push(await run(both, { ...given, answers }, { seed }));
    const changed = played.filter(({ lines }) => lines.some((line) => /user .* resets /.test(line)));
    expect(changed.map(({ broken }) => broken)).toEqual(changed.map(() => undefined));
    expect(changed.length).toBeGreaterThan(0);
    for (const { lines } of changed) expect(Number.parseFloat(lines.at(-1) ?? '')).toBeLessThan(1_000);
  }, 120_000);

  it('has no misfortune that is left out', async () => {
    const { lines } = await run(controller, given, { seed: 3, without: new Set(faults) });
    expect(lines.filter((line) => /dies|pauses$|ends all|discards|was reset|internal error/.test(line))).toEqual([]);
  });
});

describe('a failure', () => {
  const given = (subjects['maps'] as (typeof subjects)[string]).given;
  let passes = 0;

  it('is told with the promise, the shortest history and how to play it again', async () => {
    const controller = widgetController({
      name: 'broken',
      desire: () => {
        throw new Error('of no use');
      },
    });
    const { failure, played } = await simulate(controller, given, { from: 5, seeds: 3 });
    expect(played).toBe(1);
    expect(failure).toMatchObject({
      seed: 5,
      promise: 'gets a result from each call of desire and assess',
      how: expect.stringMatching(/^desire failed at \S+simulation\.test\.ts:\d+:\d+: of no use$/),
    });
    expect(failure?.report).toMatch(
      /^seed 5: broken promise "the operator .*\nthe shortest history has \d+ of \d+ acts/,
    );
    expect(failure?.report).toMatch(/to replay it: simulate\(controller, given, \{ from: 5, seeds: 1 }\)$/);
    const again = await simulate(controller, given, { from: 5, seeds: 1 });
    expect(again.failure?.lines).toEqual(failure?.lines);
  }, 120_000);

  it('is found in a controller that judges what it takes for certain', async () => {
    const controller = widgetController({
      name: 'certain',
      assess: ({ owned }) => {
        const [map] = owned.of(ConfigMap);
        return {
          conditions: {
            Sized: {
              reason:
                Object.keys((map as { readonly data?: object } | undefined)?.data as object).length > 0
                  ? 'Fits'
                  : 'TooSmall',
            },
          },
        };
      },
    });
    const { failure } = await simulate(controller, given, { seeds: 20 });
    expect(failure).toMatchObject({
      promise: 'gets a result from each call of desire and assess',
      how: expect.stringMatching(/^assess failed at \S+simulation\.test\.ts:\d+:\d+: /),
    });
  }, 120_000);

  it('is found in a controller that is not pure', async () => {
    const controller = widgetController({
      name: 'impure',
      desire: (scope) => {
        add(scope, 'v1', 'ConfigMap', 'a', { data: { passes: String(passes++) } });
      },
    });
    const [same] = simulation(controller, given, { seeds: 5 });
    await expect(same?.holds()).rejects.toThrow(/seed \d gave two different histories: .*random values/);
  });
});
