import { homedir } from 'node:os';
import { join } from 'node:path';
import type { BinarySource } from './binary-source.js';
import { newestIn } from './executables.js';

/** What `setup-envtest use` has downloaded: the newest version that has all components. */
export const setupEnvtest: BinarySource = {
  name: 'setup-envtest',
  cost: 'none',
  find: ({ env, needs }) => newestIn(join(dataFolder(env), 'kubebuilder-envtest', 'k8s'), needs),
};

function dataFolder(env: Readonly<NodeJS.ProcessEnv>): string {
  if (env['XDG_DATA_HOME']) return env['XDG_DATA_HOME'];
  const inHome = process.platform === 'darwin' ? ['Library', 'Application Support'] : ['.local', 'share'];
  return join(homedir(), ...inHome);
}
