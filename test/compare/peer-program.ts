import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { programStore } from '../../operator/testing/binaries/cache-folder.js';
import { go } from '../../operator/testing/binaries/go.js';
import { runShell } from '../e2e/cluster/kubectl.js';

/** A version of a Go module. */
export interface PeerModule {
  /** Such as `sigs.k8s.io/external-dns`. */
  readonly module: string;
  /** Such as `v0.21.0`. */
  readonly version: string;
}

/** A program of a Go module. */
export interface PeerProgram extends PeerModule {
  /** Its folder, such as `cmd/operator`. @default - the root of the module */
  readonly folder?: string;
  /** Files of the module that are replaced, by their path, such as lists of clients that are not compared. @default none */
  readonly replaced?: Readonly<Record<string, string>>;
}

/** The path of a program in the user's cache, built from its Go module if it is not there. */
export async function peerProgram({ module, version, folder, replaced = {} }: PeerProgram): Promise<string> {
  const texts = await Promise.all(Object.values(replaced).map((file) => readFile(file, 'utf8')));
  const key = createHash('sha256')
    .update([module, version, ...(folder === undefined ? [] : [folder]), ...texts].join('\n'))
    .digest('hex')
    .slice(0, 12);
  const path = join(programStore(process.env, 'peers'), key, nameOf(module));
  if (existsSync(path)) return path;
  console.error(`building ${module} ${version} once, in some minutes: ${path}`);
  await mkdir(dirname(path), { recursive: true });
  const partial = await mkdtemp(`${path}-partial-`);
  try {
    const sources = join(partial, 'sources');
    await cp(await peerSources({ module, version }), sources, { recursive: true });
    for (const [place, file] of Object.entries(replaced)) {
      const target = join(sources, place);
      await makeWritable(dirname(target));
      await writeFile(target, await readFile(file, 'utf8'));
    }
    const output = join(partial, 'program');
    const flags = ['-trimpath', '-buildvcs=false', '-ldflags', '-s -w', '-o', output];
    await go(['build', ...flags, folder === undefined ? '.' : `./${folder}`], { folder: sources, env: process.env });
    await rename(output, path);
  } finally {
    await runShell('chmod', ['-R', 'u+w', partial]);
    await rm(partial, { recursive: true, force: true });
  }
  return path;
}

/** The folder with the sources of a module, in Go's cache. */
export async function peerSources({ module, version }: PeerModule): Promise<string> {
  const { Dir } = JSON.parse(await runShell('go mod download -json', [`${module}@${version}`])) as { Dir: string };
  return Dir;
}

/** The last part of a path that is no major version. */
function nameOf(module: string): string {
  return (
    module
      .replace(/\/v\d+$/, '')
      .split('/')
      .at(-1) ?? ''
  );
}

/** Files of the module cache cannot be written. */
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o755);
}
