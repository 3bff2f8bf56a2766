import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programStore } from '../../operator/testing/binaries/cache-folder.js';

const run = promisify(execFile);

/** Why Kafka cannot be run here. Undefined if it can. */
export async function kafkaAbsence(): Promise<string | undefined> {
  for (const program of ['java', 'mvn'])
    if (!(await run(program, ['--version']).catch(() => undefined))) return `${program} is not installed`;
  return undefined;
}

/** The folder with the jars of the image in a release of Kafka, in the user's cache. Maven fetches them if they are not there. */
export async function kafkaJars(version: string): Promise<string> {
  const store = programStore(process.env, 'kafka');
  const path = join(store, version);
  if (existsSync(path)) return path;
  console.error(`fetching Kafka ${version} once, 55 MB: ${path}`);
  await mkdir(store, { recursive: true });
  const partial = await mkdtemp(`${path}-partial-`);
  try {
    const jars = join(partial, 'jars');
    const options = ['--batch-mode', '--quiet', '--file', 'images/kafka/pom.xml', 'dependency:copy-dependencies'];
    await run('mvn', [
      ...options,
      ...['-DincludeScope=runtime', `-Dkafka.version=${version}`, `-DoutputDirectory=${jars}`],
    ]);
    // Another process may have been faster.
    await rename(jars, path).catch((error: unknown) => {
      if (!existsSync(path)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return path;
}
