import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The fields of `package.json` that the command uses. */
export interface OwnPackage {
  /** Folder of the package. */
  readonly root: string;
  readonly version: string;
}

/**
 * The package of this code. Searches upwards, because compiled code is deeper in the package than its source.
 *
 * @throws {Error} if the code is not in its package
 */
export function ownPackage(): OwnPackage {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let root = here; root !== dirname(root); root = dirname(root)) {
    const file = join(root, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version: string };
    if (name === 'cdk8s-reconstruct') return { root, version };
  }
  throw new Error(`no folder above ${here} is the package cdk8s-reconstruct; reinstall it`);
}
