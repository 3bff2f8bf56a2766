import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { run } from '../../operator/testing/simulation/run.js';
import type { simulate } from '../../operator/testing/simulation/simulate.js';
import type { Bug } from './bug.js';
import { copyWithImporters } from './copy-with-importers.js';
import type { Histories, PlanBug, Play } from './plan-history.js';
import type { Subject } from './runtime-subjects.js';

/** A copy of the compiled code: what the simulation needs of it. */
export interface Planted {
  readonly run: typeof run;
  readonly simulate: typeof simulate;
  readonly subjects: Readonly<Record<string, Subject>>;
}

/** A text of the compiled code, and what a bug replaces it with. */
type Change = Pick<PlanBug, 'name' | 'file' | 'find' | 'replace'>;

/** Loads a module by its path below the folder of the compiled code. */
type Load = <Module>(module: string) => Promise<Module>;

/**
 * Plants a bug of the runtime into a copy of the compiled code.
 * @param compiled the folder of the compiled code; below a `node_modules`, so that it finds what it depends on
 * @param copy the folder to make
 * @throws {Error} when the text to change is not there, or not once
 */
export async function plant(bug: Bug, compiled: string, copy: string): Promise<Planted> {
  const load = change(ofRuntime(bug), compiled, copy);
  const { simulate } = await load<Pick<Planted, 'simulate'>>('operator/testing/simulation/simulate.js');
  const { run } = await load<Pick<Planted, 'run'>>('operator/testing/simulation/run.js');
  const { runtimeSubjects: subjects } = await load<typeof import('./runtime-subjects.js')>(
    'test/simulation/runtime-subjects.js',
  );
  return { run, simulate, subjects };
}

/** A bug of the runtime with its file below `operator/`, as those of kinds have it. */
export function ofRuntime(bug: Bug): Change {
  return { ...bug, file: join('runtime', bug.file) };
}

/**
 * The same for a bug in the plan of a system.
 * @returns what plays a history with the bug
 * @throws {Error} also when the system has no such histories
 */
export async function plantInPlan(system: string, bug: PlanBug, compiled: string, copy: string): Promise<Play> {
  const file = `test/simulation/${system}/histories.js`;
  const { histories } = await change(bug, compiled, copy)<{ readonly histories: Histories }>(file);
  const { history = system } = bug;
  const play = histories[history];
  if (play) return play;
  throw new Error(`"${bug.name}" is found by histories ${history}: ${file} has ${Object.keys(histories).join(', ')}`);
}

/**
 * @param bug its file is below `operator/`
 * @returns what loads a module, by its path below `compiled`, with the bug where it imports what has it
 */
function change(bug: Change, compiled: string, copy: string): Load {
  const file = join('operator', bug.file);
  const copied = copyWithImporters(file, compiled, copy);
  writeFileSync(join(copy, file), changedText(bug, copy));
  return (module) => import(pathToFileURL(join(copied.has(module) ? copy : compiled, module)).href);
}

/**
 * @param bug its file is below `operator/`
 * @param compiled the folder of the compiled code
 * @returns the text of its file, with the bug
 * @throws {Error} when the text to change is not there, or not once
 */
export function changedText({ name, file, find, replace }: Change, compiled: string): string {
  const text = readFileSync(join(compiled, 'operator', file), 'utf8');
  const times = text.split(find).length - 1;
  if (times !== 1) {
    throw new Error(
      `cannot plant "${name}": ${file} has "${find}" ${times} times, not once: bring the bug in test/simulation up to it`,
    );
  }
  return text.replace(find, () => replace);
}
