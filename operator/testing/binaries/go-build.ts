import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BinarySource } from './binary-source.js';
import { go } from './go.js';
import { componentsOf, type KubernetesModule, kubernetesModule } from './kubernetes-module.js';

/** One program, built from the Go module of this package into the user's cache. */
export const goBuild: BinarySource = {
  name: 'a build with Go',
  cost: 'build',
  async find({ env, say }) {
    const module = await kubernetesModule(env);
    try {
      await build(module, { env, say });
      return { binaries: componentsOf(module.program) };
    } catch (error) {
      return { absent: error instanceof Error ? error.message : String(error) };
    }
  },
};

interface Surroundings {
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly say: (line: string) => void;
}

// Two concurrent builds do the work twice, in separate folders. Either result is valid.
async function build(module: KubernetesModule, { env, say }: Surroundings): Promise<void> {
  const run = { folder: module.folder, env };
  say(`building Kubernetes ${module.version} once, which takes about 5 minutes on 2 cores: ${module.program}`);
  const packages = await go(['list', '-deps', '.'], run);
  await mkdir(dirname(module.program), { recursive: true });
  const partial = await mkdtemp(`${module.program}-partial-`);
  try {
    const output = join(partial, 'kubernetes');
    const args = [
      'build',
      '-v',
      '-trimpath',
      '-buildvcs=false',
      '-ldflags',
      linkerFlags(module.version),
      '-o',
      output,
      '.',
    ];
    await go(args, { ...run, onLine: progress(packages.length, say) });
    await rename(output, module.program);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

// The flags of Kubernetes' own build. Without them the API server reports the version v0.0.0.
function linkerFlags(version: string): string {
  const [major, minor] = version.replace('v', '').split('.');
  const values = { gitVersion: version, gitMajor: major, gitMinor: minor };
  const settings = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((target) =>
    Object.entries(values).map(([name, value]) => `-X ${target}.${name}=${value}`),
  );
  return ['-s', '-w', ...settings].join(' ');
}

/** Reports the number of compiled packages after every 5%. `go build -v` prints each package that it compiles. */
function progress(total: number, say: (line: string) => void): () => void {
  const step = Math.ceil(total / 20);
  let compiled = 0;
  return () => {
    compiled++;
    if (compiled % step === 0) say(`compiled ${compiled} of at most ${total} packages`);
  };
}
