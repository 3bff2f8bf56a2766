import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<NodeJS.ProcessEnv>;

/** Folder for programs that are built from the Go module. */
export function buildStore(env: Environment): string {
  return join(cacheFolder(env), 'kubernetes');
}

/** Folder for another program that is built once. @param name name with version */
export function programStore(env: Environment, name: string): string {
  return join(cacheFolder(env), name);
}

/** Folder for the unpacked archives of envtest. */
export function archiveStore(env: Environment): string {
  return join(cacheFolder(env), 'envtest');
}

function cacheFolder(env: Environment): string {
  const inHome = process.platform === 'darwin' ? ['Library', 'Caches'] : ['.cache'];
  return join(env['XDG_CACHE_HOME'] || join(homedir(), ...inHome), 'cdk8s-reconstruct');
}
