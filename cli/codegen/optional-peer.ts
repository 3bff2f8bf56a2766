import { createRequire } from 'node:module';
import { ImportError } from '../files/import-error.js';

/**
 * The path of a module in an optional package, which only code generation needs.
 * @param from module from which to resolve. @default this package
 * @throws {ImportError} if the package is not installed
 */
export function optionalPeer(module: string, from = import.meta.url): string {
  try {
    return createRequire(from).resolve(module);
  } catch {
    const name = module.split('/')[0];
    throw new ImportError(`${name} is not installed; run npm install --save-dev ${name}`);
  }
}
