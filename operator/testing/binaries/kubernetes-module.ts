import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Binaries, components } from './binary-source.js';
import { buildStore } from './cache-folder.js';
import { goPlatform } from './executables.js';

const sources = ['main.go', 'go.mod', 'go.sum'];

/** The Go module that builds a whole control plane as one program. */
export interface KubernetesModule {
  /** Folder with its sources. */
  readonly folder: string;
  /** Version of Kubernetes that it builds, such as `v1.36.3`. */
  readonly version: string;
  /** Path of the program in the user's cache, which may not exist. The path depends on the sources. */
  readonly program: string;
}

/** The module that this package contains. */
export async function kubernetesModule(env: Readonly<NodeJS.ProcessEnv>): Promise<KubernetesModule> {
  const folder = moduleFolder();
  const texts = await Promise.all(sources.map((name) => readFile(join(folder, name), 'utf8')));
  const version = /^\s*k8s\.io\/kubernetes (v\S+)$/m.exec(texts.join('\n'))?.[1];
  if (version === undefined) throw new Error(`${join(folder, 'go.mod')} does not require k8s.io/kubernetes`);
  const key = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 12);
  const name = `${version}-${goPlatform}-${key}`;
  return { folder, version, program: join(buildStore(env), name, 'kubernetes') };
}

/** The commands of the components. The first argument of the module's program is the component. */
export function componentsOf(program: string): Binaries {
  return Object.fromEntries(components.map((component) => [component, [program, component]]));
}

// Searches upwards, because compiled code is deeper in the package than its source.
function moduleFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'operator', 'testing', 'kubernetes');
    if (existsSync(join(candidate, 'go.mod'))) return candidate;
  }
  throw new Error(`no folder above ${here} has operator/testing/kubernetes/go.mod; reinstall the package`);
}
