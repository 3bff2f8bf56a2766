import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The program, or why there is none. */
export type FoundProgram = { readonly program: string } | { readonly absent: string };

/** A program in the path, of an earlier run, or unpacked from Debian's package of its name without installing it. */
export async function debianProgram(name: string, env: NodeJS.ProcessEnv = process.env): Promise<FoundProgram> {
  const cache = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'cdk8s-reconstruct', name);
  const unpacked = join(cache, 'usr', 'bin', name);
  const inPath = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  for (const program of [...inPath, unpacked]) if (await isExecutable(program)) return { program };
  try {
    await unpackTo(cache, name);
    return { program: unpacked };
  } catch (error) {
    const [line] = String(error instanceof Error ? error.message : error).split('\n');
    return { absent: `no ${name} in PATH, and its Debian package cannot be had: ${line}` };
  }
}

async function unpackTo(cache: string, name: string): Promise<void> {
  await mkdir(join(cache, '..'), { recursive: true });
  const folder = await mkdtemp(`${cache}-`);
  try {
    await run('apt-get', ['download', name], { cwd: folder });
    const [archive = ''] = await readdir(folder);
    await run('dpkg', ['-x', join(folder, archive), join(folder, 'unpacked')]);
    await rename(join(folder, 'unpacked'), cache);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
