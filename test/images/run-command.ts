import { spawnSync } from 'node:child_process';
import type { CommandLine } from './builder.js';
import type { Ended } from './push-images.js';

/** Runs a command to its end, and shows what it prints. @throws {Error} when it fails */
export function runCommand([program, ...args]: CommandLine): void {
  console.log(`+ ${[program, ...args].join(' ')}`);
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) throw new Error(`${program} does not run: ${error.message}`);
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
}

/** The same for a command whose failures are explained. @throws {Error} when it does not start */
export function endedCommand([program, ...args]: CommandLine): Ended {
  console.log(`+ ${[program, ...args].join(' ')}`);
  const stdio = ['inherit', 'inherit', 'pipe'] as const;
  const { status, error, stderr } = spawnSync(program, args, { stdio: [...stdio], encoding: 'utf8' });
  if (error) throw new Error(`${program} does not run: ${error.message}`);
  process.stderr.write(stderr);
  return { code: status ?? 1, stderr };
}
