import type { Controller } from '../../runtime/controller/controller.js';
import type { ContractCheck, ControllerCase } from '../contract/controller-contract.js';
import type { Plan } from './environment/scene.js';
import { type Fault, faults } from './environment/weather.js';
import { type Failure, failureOf } from './failure.js';
import { type Run, run } from './run.js';

export interface SimulationOptions {
  /** How many histories to play. @default 100 */
  readonly seeds?: number;
  /** The seed of the first. @default 0 */
  readonly from?: number;
  /** How to play one history again, as the report of a failure says it. @default the call */
  readonly replay?: (seed: number) => string;
}

/** What came of a simulation. */
export interface SimulationReport {
  /** Histories that were played. */
  readonly played: number;
  /** The first one in which a promise was broken; nothing is played after it. */
  readonly failure?: Failure | undefined;
}

/** Histories in one promise of {@link simulation}. */
const chunk = 50;
/** Histories that are played twice: in one of them something is left at the end that tells a difference. */
const twice = 5;

/**
 * Plays histories of a controller: one or two real operators run it against an API server in memory, in virtual time,
 * while users, other controllers and the garbage collector act, and requests, news and processes meet every misfortune.
 * A seed decides all of it, so the same seed is the same history. In each the promises of the runtime must hold at every
 * moment, and when the trouble is over the world must come to be as the resources want it, and stay so.
 *
 * @param given what the resources look like; `rejected`, where it is stated, is a spec like any other
 */
export async function simulate(
  controller: Controller,
  given: ControllerCase,
  { seeds = 100, from = 0, replay = callFor }: SimulationOptions = {},
): Promise<SimulationReport> {
  for (let played = 1; played <= seeds; played++) {
    const whole = await run(controller, given, { seed: from + played - 1 });
    if (!whole.broken) continue;
    const again = (cut: Omit<Plan, 'seed'>) => run(controller, given, { ...cut, seed: whole.plan.seed });
    const shortest = await shrunk(whole, again);
    return { played, failure: failureOf(whole, shortest, replay(whole.plan.seed)) };
  }
  return { played: seeds };
}

/**
 * The same for the tests of a controller, in portions with a name each.
 *
 * @example for (const { name, holds } of simulation(web, given, { seeds: 500 })) it(name, holds);
 */
export function simulation(
  controller: Controller,
  given: ControllerCase,
  { seeds = 100, from = 0, ...options }: SimulationOptions = {},
): readonly ContractCheck[] {
  const portions = Array.from({ length: Math.ceil(seeds / chunk) }, (_, index) => ({
    from: from + index * chunk,
    seeds: Math.min(chunk, seeds - index * chunk),
  }));
  return [
    {
      name: 'does the same when the same happens',
      holds: async () => {
        for (let seed = from; seed < from + twice; seed++) await playTwice(controller, given, seed);
      },
    },
    ...portions.map((portion) => ({
      name: `keeps its promises whatever goes wrong: seeds ${portion.from} to ${portion.from + portion.seeds - 1}`,
      holds: async () => {
        const { failure } = await simulate(controller, given, { ...options, ...portion });
        if (failure) throw new Error(failure.report);
      },
    })),
  ];
}

/** @throws {Error} when the same seed has two histories */
async function playTwice(controller: Controller, given: ControllerCase, seed: number): Promise<void> {
  const first = await run(controller, given, { seed });
  const second = await run(controller, given, { seed });
  if (first.hash !== second.hash) throw new Error(`seed ${seed} has two histories: ${difference(first, second)}`);
}

/** The first line in which two histories differ: `desire` or `assess` is not pure. */
function difference(a: { lines: readonly string[] }, b: { lines: readonly string[] }): string {
  const index = a.lines.findIndex((line, at) => line !== b.lines[at]);
  return `${a.lines[index] ?? 'the end'} and ${b.lines[index] ?? 'the end'}; draw no chance and tell no time in desire and assess`;
}

function callFor(seed: number): string {
  return `simulate(controller, given, { from: ${seed}, seeds: 1 })`;
}

/** What is left of a history. */
interface Reduction {
  readonly without: ReadonlySet<Fault>;
  readonly skipped: ReadonlySet<number>;
}

/**
 * A shorter history that breaks the same promise: faults that it does not need never come, and acts that it does not
 * need are left out. Greedy: every cut that keeps the promise broken is kept.
 * @param again plays a history of the same seed
 */
async function shrunk(failed: Run, again: (cut: Reduction) => Promise<Run>): Promise<Run> {
  let best = failed;
  const attempt = async (cut: Reduction) => {
    const run = await again(cut);
    if (run.broken?.promise === failed.broken?.promise) best = run;
  };
  for (const fault of faults) {
    const { without = new Set(), skipped = new Set() } = best.plan;
    await attempt({ without: new Set([...without, fault]), skipped });
  }
  for (let act = failed.acts - 1; act >= 0; act--) {
    const { without = new Set(), skipped = new Set() } = best.plan;
    await attempt({ without, skipped: new Set([...skipped, act]) });
  }
  return best;
}
