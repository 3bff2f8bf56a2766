import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Binaries, type BinarySearch, type BinarySource, type Component, lacking } from './binary-source.js';
import { archiveStore } from './cache-folder.js';
import { executable, executablesIn, newestIn } from './executables.js';
import { goBuild } from './go-build.js';
import { componentsOf, kubernetesModule } from './kubernetes-module.js';
import { defaultArchiveIndex, publishedArchive } from './published-archive.js';

/** The result of an earlier build or download in the user's cache. */
export const userCache: BinarySource = {
  name: "the user's cache",
  cost: 'none',
  async find({ env, needs }) {
    const { program } = await kubernetesModule(env);
    if (await executable(program)) return { binaries: componentsOf(program) };
    const finding = await newestIn(archiveStore(env), needs);
    return 'binaries' in finding ? finding : { absent: `no ${program}, and ${finding.absent}` };
  },
};

/** The downloads of `setup-envtest use`: the newest version that has all components. */
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

/** The folder in the environment variable that Kubernetes' own envtest uses. */
export const assetsFolder: BinarySource = {
  name: 'KUBEBUILDER_ASSETS',
  cost: 'none',
  async find({ env, needs }) {
    const folder = env['KUBEBUILDER_ASSETS'];
    return folder ? executablesIn(folder, needs) : { absent: 'the environment variable is not set' };
  },
};

/** The sources of the binaries, in the order of the search. */
export const binarySources: readonly BinarySource[] = [
  assetsFolder,
  setupEnvtest,
  userCache,
  publishedArchive,
  goBuild,
];

/** Whether a control plane runs a controller manager. */
export type ControllerManagerMode = 'required' | 'preferred' | 'none';

/** Options of a search. */
export interface BinariesOptions {
  readonly controllerManager: ControllerManagerMode;
  readonly scheduler: boolean;
  readonly archiveIndex?: string;
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  readonly say?: (line: string) => void;
}

const costOfNoControllerManager =
  'kube-controller-manager not found: garbage collection, ReplicaSets and Pods of Deployments, Jobs, ' +
  'service accounts, endpoints and the deletion of namespaces do not work';

/**
 * Finds the binaries of a control plane, or downloads or builds them.
 *
 * @throws {Error} with each source and the reason why it has none
 */
export async function findBinaries(options: BinariesOptions): Promise<Binaries> {
  const { controllerManager, scheduler, env = process.env, say = (line) => console.error(line) } = options;
  const archiveIndex = options.archiveIndex ?? (env['RECONSTRUCT_ENVTEST_INDEX'] || defaultArchiveIndex);
  const essential: readonly Component[] = [
    'etcd',
    'kube-apiserver',
    'kubectl',
    ...(scheduler ? (['kube-scheduler'] as const) : []),
  ];
  const search = { needs: essential, env, archiveIndex, say };
  const complete = { ...search, needs: [...essential, 'kube-controller-manager'] as const };

  if (controllerManager === 'none') return firstOf(binarySources, search);
  if (controllerManager === 'required') return firstOf(binarySources, complete);
  const atHand = binarySources.filter(({ cost }) => cost === 'none');
  const binaries = await firstOf(atHand, complete).catch(() => firstOf(binarySources, search));
  if (lacking(binaries, complete.needs).length > 0) say(costOfNoControllerManager);
  return binaries;
}

async function firstOf(sources: readonly BinarySource[], search: BinarySearch): Promise<Binaries> {
  const reasons: string[] = [];
  for (const source of sources) {
    const finding = await source.find(search);
    if ('binaries' in finding) return finding.binaries;
    reasons.push(`- ${source.name}: ${finding.absent}`);
  }
  throw new Error(
    `control plane binaries not found (${search.needs.join(', ')}); provide them in one of these sources:\n${reasons.join('\n')}`,
  );
}
