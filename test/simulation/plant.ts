import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { run } from '../../operator/testing/simulation/run.js';
import type { simulate } from '../../operator/testing/simulation/simulate.js';
import type { Bug } from './bug.js';
import { copyWithImporters } from './copy-with-importers.js';
import type { KafkaBug } from './kafka/bugs-of-kafka.js';
import type { kafkaHistory } from './kafka/kafka-history.js';
import { runtimeSubjects, type Subject } from './runtime-subjects.js';
import type { TrainingBug } from './training/bugs-of-training.js';
import type { trainingHistory } from './training/training-history.js';

/** A copy of the compiled code: what the simulation needs of it. */
export interface Planted {
  readonly run: typeof run;
  readonly simulate: typeof simulate;
  readonly subjects: Readonly<Record<string, Subject>>;
}

/** A text of the compiled code, and what a bug replaces it with. */
type Change = Pick<KafkaBug, 'name' | 'file' | 'find' | 'replace'>;

/** Loads a module by its path below the folder of the compiled code. */
type Load = <Module>(module: string) => Promise<Module>;

/**
 * Plants a bug of the runtime into a copy of the compiled code.
 * @param compiled the folder of the compiled code; below a `node_modules`, so that it finds what it depends on
 * @param copy the folder to make
 * @throws {Error} when the text to change is not there, or not once
 */
export async function plant(bug: Bug, compiled: string, copy: string): Promise<Planted> {
  const { subject } = bug;
  const load = change(ofRuntime(bug), compiled, copy);
  const { simulate } = await load<Pick<Planted, 'simulate'>>('operator/testing/simulation/simulate.js');
  const { run } = await load<Pick<Planted, 'run'>>('operator/testing/simulation/run.js');
  // Most bugs need no kind of the product, whose modules take as long to load as the others.
  const subjects = Object.hasOwn(runtimeSubjects, subject)
    ? (await load<typeof import('./runtime-subjects.js')>('test/simulation/runtime-subjects.js')).runtimeSubjects
    : (await load<typeof import('./subjects.js')>('test/simulation/subjects.js')).subjects;
  return { run, simulate, subjects };
}

/** A bug of the runtime with its file below `operator/`, as those of kinds have it. */
export function ofRuntime(bug: Bug): Change {
  return { ...bug, file: join('runtime', bug.file) };
}

/** The same for a bug in the plan of a KafkaCluster. */
export async function plantKafka(bug: KafkaBug, compiled: string, copy: string): Promise<typeof kafkaHistory> {
  const load = change(bug, compiled, copy);
  const of = await load<typeof import('./kafka/kafka-history.js')>('test/simulation/kafka/kafka-history.js');
  return bug.isCombined ? of.combinedKafkaHistory : of.kafkaHistory;
}

/** The same for a bug in the plan of a TrainingJob. */
export async function plantTraining(bug: TrainingBug, compiled: string, copy: string): Promise<typeof trainingHistory> {
  const load = change(bug, compiled, copy);
  return (await load<typeof import('./training/training-history.js')>('test/simulation/training/training-history.js'))
    .trainingHistory;
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
      `cannot plant "${name}": ${file} has "${find}" ${times} times, not once: bring test/simulation/bugs-of-*.ts up to it`,
    );
  }
  return text.replace(find, () => replace);
}
