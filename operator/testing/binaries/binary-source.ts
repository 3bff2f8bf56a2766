/** A program that a control plane is made of. */
export type Component = 'etcd' | 'kube-apiserver' | 'kubectl' | 'kube-controller-manager' | 'kube-scheduler';

/** Every component, in the order in which a control plane starts them. */
export const components: readonly Component[] = [
  'etcd',
  'kube-apiserver',
  'kubectl',
  'kube-controller-manager',
  'kube-scheduler',
];

/** How to run each component: the program and its first arguments. */
export type Binaries = Readonly<Partial<Record<Component, readonly string[]>>>;

/** What a search looks for, and the surroundings in which it looks. */
export interface BinarySearch {
  /** Components without which a source is of no use. */
  readonly needs: readonly Component[];
  /** Environment variables that say where the folders are. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Address of the index of envtest's releases. */
  readonly archiveIndex: string;
  /** Takes lines about what takes long. */
  readonly say: (line: string) => void;
}

/** Binaries, or the reason why a source has none. */
export type Finding = { readonly binaries: Binaries } | { readonly absent: string };

/** A place that the components can come from. */
export interface BinarySource {
  readonly name: string;
  /** Whether looking there costs nothing, or downloads or builds something. */
  readonly cost: 'none' | 'download' | 'build';
  find(search: BinarySearch): Promise<Finding>;
}

/** The components of a search that are missing among binaries. */
export function lacking(binaries: Binaries, needs: readonly Component[]): readonly Component[] {
  return needs.filter((component) => binaries[component] === undefined);
}
