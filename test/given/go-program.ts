import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { programStore } from '../../operator/testing/binaries/cache-folder.js';
import { go } from '../../operator/testing/binaries/go.js';

/** A program of another project. */
export interface GoProgram {
  /** The folder of a Go module that requires it. Its go.mod and go.sum say which version. */
  readonly module: string;
  /** The package, such as `example.com/server/cmd/server`. */
  readonly program: string;
  /** Where it is in the user's cache. */
  readonly store: string;
}

/** The path of a program in the user's cache; built if it is not there: another version has another path. */
export async function goProgram({ module, program, store }: GoProgram): Promise<string> {
  const sources = await Promise.all(['go.mod', 'go.sum'].map((name) => readFile(join(module, name), 'utf8')));
  const key = createHash('sha256').update(sources.join('\n')).digest('hex').slice(0, 12);
  const path = join(programStore(process.env, store), key, basename(program));
  if (existsSync(path)) return path;
  console.error(`building ${program} once, in about a minute on 2 cores: ${path}`);
  await mkdir(dirname(path), { recursive: true });
  const partial = await mkdtemp(`${path}-partial-`);
  try {
    const output = join(partial, basename(program));
    await go(['build', '-trimpath', '-buildvcs=false', '-ldflags', '-s -w', '-o', output, program], {
      ...{ folder: module, env: process.env },
    });
    await rename(output, path);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return path;
}
