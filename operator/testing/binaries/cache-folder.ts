import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<NodeJS.ProcessEnv>;

/** Where the programs built from the Go module are kept. */
export function buildStore(env: Environment): string {
  return join(cacheFolder(env), 'kubernetes');
}

/** Where another program is kept that is built here once. @param name with its version */
export function programStore(env: Environment, name: string): string {
  return join(cacheFolder(env), name);
}

/** Where the archives of envtest are kept, unpacked. */
export function archiveStore(env: Environment): string {
  return join(cacheFolder(env), 'envtest');
}

function cacheFolder(env: Environment): string {
  const inHome = process.platform === 'darwin' ? ['Library', 'Caches'] : ['.cache'];
  return join(env['XDG_CACHE_HOME'] || join(homedir(), ...inHome), 'cdk8s-reconstruct');
}
