import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { run } from '../../operator/testing/simulation/run.js';
import { simulate } from '../../operator/testing/simulation/simulate.js';
import type { Bug } from './bug.js';
import { bugs } from './bugs.js';
import { options } from './options.js';
import type { Histories, Play } from './plan-history.js';
import { plant } from './plant.js';
import type { Subject } from './runtime-subjects.js';
import { subjects } from './subjects.js';
import { historiesOfSystems } from './system-parts.js';

const histories: Histories = Object.assign({}, ...(await historiesOfSystems()).values());

const usage = `usage: npm run simulate -- [options]

  --seeds <n>          histories to play, of all controllers together (default: 2000)
  --from <n>           the first seed (default: 0)
  --seed <n>           play one history and print all of it; needs --controller
  --controller <name>  ${[...Object.keys(subjects), ...Object.keys(histories)].join(', ')} (default: all)
  --bug <name>         plant a bug and show how it is found: ${bugs.map(({ name }) => `"${name}"`).join(', ')}`;

/** Histories between two signs of life. */
const step = 500;

async function main(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({ args: [...args], options });
  const number = (value: string | undefined, otherwise: number) => {
    if (value !== undefined && !/^\d+$/.test(value)) throw new Error(`a number is needed, got ${value}`);
    return value === undefined ? otherwise : Number(value);
  };
  if (values.help) {
    console.log(usage);
    return true;
  }
  const seeds = number(values.seeds, 2000);
  const from = number(values.from, 0);
  if (values.bug !== undefined) return show(bugOf(values.bug), { seeds: number(values.seeds, 0), from });
  const names =
    values.controller === undefined ? [...Object.keys(subjects), ...Object.keys(histories)] : [values.controller];
  const planned = histories[values.controller ?? ''];
  if (planned && values.seed !== undefined) return playPlan(planned, number(values.seed, 0));
  if (values.seed !== undefined) return playOne(subjectOf(values.controller), number(values.seed, 0));
  const each = Math.ceil(seeds / names.length);
  for (const name of names) {
    const play = histories[name] ? playManyPlans : playMany;
    if (!(await play(name, { seeds: each, from }))) return false;
  }
  return true;
}

/** Prints one history. */
async function playOne({ controller, given }: Subject, seed: number): Promise<boolean> {
  const { lines, hash, broken } = await run(controller, given, { seed });
  console.log(lines.join('\n'));
  console.log(`history ${hash}`);
  return broken === undefined;
}

/** Prints one history of a plan. */
async function playPlan(play: Play, seed: number): Promise<boolean> {
  const { lines, broken } = await play(seed);
  console.log(lines.join('\n'));
  if (broken !== undefined) console.log(`broken: ${broken}`);
  return broken === undefined;
}

async function playManyPlans(name: string, { seeds, from }: { seeds: number; from: number }): Promise<boolean> {
  for (let seed = from; seed < from + seeds; seed++) {
    const broken = (await histories[name]?.(seed))?.broken;
    if (broken === undefined) continue;
    console.log(`${name}: seed ${seed}: ${broken}`);
    console.log(`to replay it: npm run simulate -- --controller ${name} --seed ${seed}`);
    return false;
  }
  console.log(`${name}: ${seeds} histories kept every promise`);
  return true;
}

async function playMany(name: string, { seeds, from }: { seeds: number; from: number }): Promise<boolean> {
  const { controller, given } = subjectOf(name);
  const replay = (seed: number) => `npm run simulate -- --controller ${name} --seed ${seed}`;
  const began = performance.now();
  let unreported: readonly string[] | undefined;
  for (let played = 0; played < seeds; played += step) {
    const portion = { from: from + played, seeds: Math.min(step, seeds - played), replay };
    const { failure, unreportedReasons } = await simulate(controller, given, portion);
    unreported = unreportedReasons.filter((reason) => unreported?.includes(reason) ?? true);
    if (failure) {
      console.log(`${name}: ${failure.report}`);
      return false;
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(`${name}: ${played + portion.seeds} histories kept every promise, after ${seconds} s`);
  }
  if (unreported && unreported.length > 0) console.log(`${name}: no history reported ${unreported.join(', ')}`);
  return true;
}

/** Plants a bug, and prints how it is found. @returns false when it is, as for every failure */
async function show(bug: Bug, { seeds, from }: { seeds: number; from: number }): Promise<boolean> {
  const folder = mkdtempSync(join('node_modules', '.planted-'));
  try {
    const planted = await plant(bug, join(import.meta.dirname, '..', '..'), join(folder, 'code'));
    const { controller, given } = subjectOf(bug.subject, planted.subjects);
    const replay = (seed: number) => `npm run simulate -- --bug "${bug.name}" --from ${seed} --seeds 1`;
    const { failure, played } = await planted.simulate(controller, given, {
      seeds: seeds || bug.within,
      from: from || (bug.from ?? 0),
      replay,
    });
    const found = failure ? `found in history no. ${played}` : `not found in ${played} histories`;
    console.log(`${bug.name}: ${found}`);
    if (failure) console.log(failure.report);
    return failure === undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function subjectOf(name: string | undefined, known: typeof subjects = subjects): Subject {
  const found = name === undefined ? undefined : known[name];
  if (!found) throw new Error(`which controller? set --controller to one of ${Object.keys(known).join(', ')}`);
  return found;
}

function bugOf(name: string): Bug {
  const found = bugs.find((bug) => bug.name === name);
  if (!found)
    throw new Error(`there is no bug "${name}": take one of ${bugs.map((bug) => `"${bug.name}"`).join(', ')}`);
  return found;
}

main(process.argv.slice(2)).then(
  (isWell) => {
    process.exitCode = isWell ? 0 : 1;
  },
  (error: unknown) => {
    console.error(`simulate: ${messageOf(error)}`);
    process.exitCode = 2;
  },
);
