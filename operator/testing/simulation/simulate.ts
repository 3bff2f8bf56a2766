import type { Controller } from '../../runtime/controller/controller.js';
import type { ContractCheck } from '../contract/contract-check.js';
import type { ControllerCase } from '../contract/trial/controller-case.js';
import type { Plan } from './environment/scene.js';
import { type Fault, faults } from './environment/weather.js';
import { type Failure, failureOf } from './failure.js';
import { type Run, run } from './run.js';

export interface SimulationOptions {
  /** Number of histories to play. @default 100 */
  readonly seeds?: number;
  /** Seed of the first history. @default 0 */
  readonly from?: number;
  /** The command in a report that replays one history. @default the function call */
  readonly replay?: (seed: number) => string;
}

/** The result of a simulation. */
export interface SimulationReport {
  /** Number of played histories. */
  readonly played: number;
  /** The first failure. No histories are played after it. */
  readonly failure?: Failure | undefined;
  /**
   * The declared reasons that no history reported, each as `Type Reason`, in the order of their declaration. Check that
   * they can happen, and that other tests report them.
   */
  readonly unreportedReasons: readonly string[];
}

/** Number of histories per check of {@link simulation}. */
const chunk = 50;
/** Number of histories that are played twice, or all if there are fewer, so that at least one of them ends with objects to compare. */
const twice = 3;

/**
 * Plays histories of a controller. One or two real operators run it against an in-memory API server in virtual time.
 * Users, other controllers and the garbage collector act at the same time, and requests, watches and processes have
 * faults. The seed determines the whole history. The promises of the runtime must hold at all times. After the last
 * fault the operator must reach the desired state and keep it.
 *
 * @param given the test data; `rejected`, if present, is used like the other specs
 */
export async function simulate(
  controller: Controller,
  given: ControllerCase,
  options: SimulationOptions = {},
): Promise<SimulationReport> {
  return play(controller, given, options);
}

/** @param kept seeds of histories that were played before and kept every promise, which are not played again */
async function play(
  controller: Controller,
  given: ControllerCase,
  { seeds = 100, from = 0, replay = callFor }: SimulationOptions,
  kept?: ReadonlySet<number>,
): Promise<SimulationReport> {
  const reported = new Set<string>();
  for (let played = 1; played <= seeds; played++) {
    if (kept?.has(from + played - 1)) continue;
    const whole = await run(controller, given, { seed: from + played - 1 });
    for (const reason of whole.reasons) reported.add(reason);
    if (!whole.broken) continue;
    const again = (cut: Omit<Plan, 'seed'>) => run(controller, given, { ...cut, seed: whole.plan.seed });
    const shortest = await shrunk(whole, again);
    const failure = failureOf(whole, shortest, replay(whole.plan.seed));
    return { played, failure, unreportedReasons: unreported(controller, reported) };
  }
  return { played: seeds, unreportedReasons: unreported(controller, reported) };
}

function unreported({ conditions }: Controller, reported: ReadonlySet<string>): readonly string[] {
  const declared = Object.entries(conditions).flatMap(([type, reasons]) =>
    Object.keys(reasons).map((reason) => `${type} ${reason}`),
  );
  return declared.filter((reason) => !reported.has(reason));
}

/**
 * The same as checks for the tests of a controller, each with a name and a range of seeds.
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
  const kept = new Set<number>();
  return [
    {
      name: 'is deterministic',
      holds: async () => {
        for (let seed = from; seed < from + Math.min(twice, seeds); seed++) {
          const { broken } = await playTwice(controller, given, seed);
          if (!broken) kept.add(seed);
        }
      },
    },
    ...portions.map((portion) => ({
      name: `keeps its promises despite faults: seeds ${portion.from} to ${portion.from + portion.seeds - 1}`,
      holds: async () => {
        const { failure } = await play(controller, given, { ...options, ...portion }, kept);
        if (failure) throw new Error(failure.report);
      },
    })),
  ];
}

/** @returns the history @throws {Error} if the same seed gives two histories */
async function playTwice(controller: Controller, given: ControllerCase, seed: number): Promise<Run> {
  const first = await run(controller, given, { seed });
  const second = await run(controller, given, { seed });
  if (first.hash !== second.hash)
    throw new Error(`seed ${seed} gave two different histories: ${difference(first, second)}`);
  return first;
}

/** The first different line of two histories, which shows that `desire` or `assess` is not pure. */
function difference(a: { lines: readonly string[] }, b: { lines: readonly string[] }): string {
  const index = a.lines.findIndex((line, at) => line !== b.lines[at]);
  return `${a.lines[index] ?? 'the end'} and ${b.lines[index] ?? 'the end'}; do not use random values or the current time in desire and assess`;
}

function callFor(seed: number): string {
  return `simulate(controller, given, { from: ${seed}, seeds: 1 })`;
}

/** The reductions of a history. */
interface Reduction {
  readonly without: ReadonlySet<Fault>;
  readonly skipped: ReadonlySet<number>;
}

/**
 * A shorter history that breaks the same promise, without the faults and acts that it does not need. Greedy: each
 * reduction that still breaks the promise is kept.
 * @param again plays a reduced history of the same seed
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
