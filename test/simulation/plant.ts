import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { run } from '../../operator/testing/simulation/run.js';
import type { simulate } from '../../operator/testing/simulation/simulate.js';
import type { Bug } from './bug.js';
import type { subjects } from './subjects.js';

/** A copy of the compiled code: what the simulation needs of it. */
export interface Planted {
  readonly run: typeof run;
  readonly simulate: typeof simulate;
  readonly subjects: typeof subjects;
}

/**
 * Plants a bug into a copy of the compiled code.
 * @param compiled the folder of the compiled code; below a `node_modules`, so that it finds what it depends on
 * @param copy the folder to make
 * @throws {Error} when the text to change is not there, or not once
 */
export async function plant({ name, file, find, replace }: Bug, compiled: string, copy: string): Promise<Planted> {
  cpSync(compiled, copy, { recursive: true });
  const path = join(copy, 'operator', 'runtime', file);
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
  const load = (module: string) => import(pathToFileURL(join(copy, module)).href) as Promise<Planted>;
  const { simulate } = await load('operator/testing/simulation/simulate.js');
  const { subjects } = await load('test/simulation/subjects.js');
  const { run } = await load('operator/testing/simulation/run.js');
  return { run, simulate, subjects };
}
