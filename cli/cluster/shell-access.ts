import { delimiter, join } from 'node:path';
import { executable } from '../../operator/testing/binaries/executables.js';

/** The access to a cluster that a command has started. */
export interface ShellAccess {
  /** Path of the kubeconfig. */
  readonly kubeconfig: string;
  /** A kubectl to use instead of the user's: the program and its first arguments. @default - that of the user */
  readonly kubectl?: readonly string[] | undefined;
}

/** Commands that give a shell access to the cluster. */
export function shellAccess({ kubeconfig, kubectl }: ShellAccess): readonly string[] {
  return [
    'in another terminal:',
    `    export KUBECONFIG=${quoted(kubeconfig)}`,
    ...(kubectl ? [`    alias kubectl=${quoted(kubectl.map(quoted).join(' '))}`] : []),
  ];
}

/** Quotes a word for a shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Whether the user has a kubectl. */
export async function hasKubectl(path = process.env['PATH'] ?? ''): Promise<boolean> {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const found = await Promise.all(folders.map((folder) => executable(join(folder, 'kubectl'))));
  return found.includes(true);
}
