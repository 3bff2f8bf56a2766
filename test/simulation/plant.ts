import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { run } from '../../operator/testing/simulation/run.js';
import type { simulate } from '../../operator/testing/simulation/simulate.js';
import type { Bug } from './bug.js';
import type { KafkaBug } from './kafka/bugs-of-kafka.js';
import type { kafkaHistory } from './kafka/kafka-history.js';
import { runtimeSubjects, type Subject } from './runtime-subjects.js';

/** A copy of the compiled code: what the simulation needs of it. */
export interface Planted {
  readonly run: typeof run;
  readonly simulate: typeof simulate;
  readonly subjects: Readonly<Record<string, Subject>>;
}

/**
 * Plants a bug of the runtime into a copy of the compiled code.
 * @param compiled the folder of the compiled code; below a `node_modules`, so that it finds what it depends on
 * @param copy the folder to make
 * @throws {Error} when the text to change is not there, or not once
 */
export async function plant(bug: Bug, compiled: string, copy: string): Promise<Planted> {
  const { subject } = bug;
  change({ ...bug, file: join('runtime', bug.file) }, compiled, copy);
  const load = (module: string) => import(pathToFileURL(join(copy, module)).href);
  const { simulate }: Pick<Planted, 'simulate'> = await load('operator/testing/simulation/simulate.js');
  const { run }: Pick<Planted, 'run'> = await load('operator/testing/simulation/run.js');
  // Most bugs need no kind of the product, whose modules take as long to load as the others.
  const subjects = Object.hasOwn(runtimeSubjects, subject)
    ? (await load('test/simulation/runtime-subjects.js')).runtimeSubjects
    : (await load('test/simulation/subjects.js')).subjects;
  return { run, simulate, subjects };
}

/** The same for a bug in the plan of a KafkaCluster. */
export async function plantKafka(bug: KafkaBug, compiled: string, copy: string): Promise<typeof kafkaHistory> {
  change(bug, compiled, copy);
  const planted = await import(pathToFileURL(join(copy, 'test/simulation/kafka/kafka-history.js')).href);
  return planted.kafkaHistory;
}

/** @param bug its file is below `operator/` */
function change({ name, file, find, replace }: Omit<KafkaBug, 'breaks'>, compiled: string, copy: string): void {
  cpSync(compiled, copy, { recursive: true });
  const path = join(copy, 'operator', file);
  const text = readFileSync(path, 'utf8');
  const times = text.split(find).length - 1;
  if (times !== 1) {
    throw new Error(
      `cannot plant "${name}": ${file} has "${find}" ${times} times, not once: bring test/simulation/bugs-of-*.ts up to it`,
    );
  }
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
}
