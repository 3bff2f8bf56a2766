import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import type { BinarySearch } from '../../../../operator/testing/binaries/binary-source.js';
import { kubernetesModule } from '../../../../operator/testing/binaries/kubernetes-module.js';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))));

/** A folder that is gone after the test. */
export async function givenFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'binaries-'));
  folders.push(folder);
  return folder;
}

/** A search on an empty machine. `said` has its messages. */
export async function givenSearch(): Promise<
  BinarySearch & { readonly home: string; readonly said: readonly string[] }
> {
  const home = await givenFolder();
  const said: string[] = [];
  const env = { PATH: join(home, 'bin'), XDG_CACHE_HOME: join(home, 'cache'), XDG_DATA_HOME: join(home, 'data') };
  const archiveIndex = 'http://127.0.0.1:65535/index.yaml'; // nobody listens there
  return {
    home,
    said,
    env,
    archiveIndex,
    needs: ['etcd', 'kube-apiserver', 'kubectl'],
    say: (line) => said.push(line),
  };
}

/** Puts programs into a folder. */
export async function givenPrograms(folder: string, names: readonly string[], text = '#!/bin/sh\n'): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
}

/** Puts the program of an earlier build into the cache, and returns its path. */
export async function givenBuiltProgram({ env }: BinarySearch): Promise<string> {
  const { program } = await kubernetesModule(env);
  await givenPrograms(dirname(program), ['kubernetes']);
  return program;
}
