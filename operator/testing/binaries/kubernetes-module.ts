import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Binaries, components } from './binary-source.js';
import { buildStore } from './cache-folder.js';
import { goPlatform } from './executables.js';

const sources = ['main.go', 'go.mod', 'go.sum'];

/** The Go module that makes a whole control plane one program. */
export interface KubernetesModule {
  /** Folder of its sources. */
  readonly folder: string;
  /** Version of Kubernetes that it builds, such as `v1.36.3`. */
  readonly version: string;
  /** Path of the program in the user's cache, there or not: other sources have another path. */
  readonly program: string;
}

/** The module as this package ships it. */
export async function kubernetesModule(env: Readonly<NodeJS.ProcessEnv>): Promise<KubernetesModule> {
  const folder = moduleFolder();
  const texts = await Promise.all(sources.map((name) => readFile(join(folder, name), 'utf8')));
  const version = /^\s*k8s\.io\/kubernetes (v\S+)$/m.exec(texts.join('\n'))?.[1];
  if (version === undefined) throw new Error(`${join(folder, 'go.mod')} does not require k8s.io/kubernetes`);
  const key = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 12);
  const name = `${version}-${goPlatform}-${key}`;
  return { folder, version, program: join(buildStore(env), name, 'kubernetes') };
}

/** How to run each component by the module's program: its first argument names the component. */
export function componentsOf(program: string): Binaries {
  return Object.fromEntries(components.map((component) => [component, [program, component]]));
}

// The compiled code lies deeper in the package than its source: the module is looked for from here upwards.
function moduleFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'operator', 'testing', 'kubernetes');
    if (existsSync(join(candidate, 'go.mod'))) return candidate;
  }
  throw new Error(`no folder above ${here} has operator/testing/kubernetes/go.mod: install the package again`);
}
