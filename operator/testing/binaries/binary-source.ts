/** A program of a control plane. */
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

/** The components to search for, and the environment of the search. */
export interface BinarySearch {
  /** Components that a source must have. */
  readonly needs: readonly Component[];
  /** Environment variables with the paths of folders. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** URL of the index of envtest's releases. */
  readonly archiveIndex: string;
  /** Receives progress messages. */
  readonly say: (line: string) => void;
}

/** Binaries, or the reason why the source has none. */
export type Finding = { readonly binaries: Binaries } | { readonly absent: string };

/** A source of components. */
export interface BinarySource {
  readonly name: string;
  /** Whether a search there is free, or downloads or builds something. */
  readonly cost: 'none' | 'download' | 'build';
  find(search: BinarySearch): Promise<Finding>;
}

/** The required components that are missing among the binaries. */
export function lacking(binaries: Binaries, needs: readonly Component[]): readonly Component[] {
  return needs.filter((component) => binaries[component] === undefined);
}
