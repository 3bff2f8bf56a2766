import { createRequire } from 'node:module';
import { ImportError } from './import-error.js';

/**
 * The file of a package that only code generation needs, and that not everybody has installed.
 * @param from where to look from. @default this package
 * @throws {ImportError} that tells what to install
 */
export function optionalPeer(module: string, from = import.meta.url): string {
  try {
    return createRequire(from).resolve(module);
  } catch {
    const name = module.split('/')[0];
    throw new ImportError(`${name} is not installed; run npm install --save-dev ${name}`);
  }
}
