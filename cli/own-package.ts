import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the command reads of its own package's `package.json`. */
export interface OwnPackage {
  /** Folder of the package. */
  readonly root: string;
  readonly version: string;
}

/**
 * The package that this code belongs to. Compiled code lies deeper in it than its source: it is looked for upwards.
 *
 * @throws {Error} when the code was taken out of its package
 */
export function ownPackage(): OwnPackage {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let root = here; root !== dirname(root); root = dirname(root)) {
    const file = join(root, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version: string };
    if (name === 'cdk8s-reconstruct') return { root, version };
  }
  throw new Error(`no folder above ${here} is the package cdk8s-reconstruct: install it again`);
}
