import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImages } from './build-images.js';
import { builderNamed } from './builder.js';
import { type ImageFlags, imageFlags } from './flags.js';
import { type PushTarget, pushImage } from './push-images.js';
import { endedCommand, runCommand } from './run-command.js';

const {
  RECONSTRUCT_IMAGE_BUILDER: builderName,
  RECONSTRUCT_NODE_IMAGE: nodeImage,
  RECONSTRUCT_DEBIAN_IMAGE: debianImage,
  RECONSTRUCT_IMAGE_LOADER: loader,
} = process.env;

/** @throws {Error} if the flags contradict each other */
function targetOf({ push: registry, insecure: isInsecure }: ImageFlags): PushTarget | undefined {
  if (registry !== undefined) return { builder: builderNamed(builderName), registry, isInsecure };
  if (isInsecure) throw new Error('--insecure: must not be set without --push');
  return undefined;
}

const folder = mkdtempSync(join(tmpdir(), 'reconstruct-images-'));
try {
  const flags = imageFlags().parse().opts<ImageFlags>();
  const target = targetOf(flags);
  const pushed: string[] = [];
  const push = target && ((name: string) => void pushed.push(pushImage(name, target, endedCommand)));
  const names = buildImages({
    builder: builderNamed(builderName),
    nodeImage,
    debianImage,
    loader,
    push,
    systems: flags.for,
    folder,
    run: runCommand,
  });
  const isIdle = !loader && !target;
  console.log(
    isIdle ? 'built, and loaded nowhere: RECONSTRUCT_IMAGE_LOADER is not set' : `built${loader ? ' and loaded' : ''}`,
  );
  console.log(names.map((name) => `  ${name}`).join('\n'));
  if (target) console.log(`pushed\n${pushed.map((name) => `  ${name}`).join('\n')}`);
} catch (error) {
  console.error(`images: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
