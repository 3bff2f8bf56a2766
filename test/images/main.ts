import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImages } from './build-images.js';
import { builderNamed, type CommandLine } from './builder.js';

const {
  RECONSTRUCT_IMAGE_BUILDER: builder,
  RECONSTRUCT_NODE_IMAGE: nodeImage,
  RECONSTRUCT_DEBIAN_IMAGE: debianImage,
  RECONSTRUCT_IMAGE_LOADER: loader,
} = process.env;

function run([program, ...args]: CommandLine): void {
  console.log(`+ ${[program, ...args].join(' ')}`);
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) throw new Error(`${program} does not run: ${error.message}`);
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
}

const folder = mkdtempSync(join(tmpdir(), 'reconstruct-images-'));
try {
  const names = buildImages({ builder: builderNamed(builder), nodeImage, debianImage, loader, folder, run });
  console.log(loader ? 'built and loaded' : 'built, and loaded nowhere: RECONSTRUCT_IMAGE_LOADER is not set');
  console.log(names.map((name) => `  ${name}`).join('\n'));
} catch (error) {
  console.error(`images: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
