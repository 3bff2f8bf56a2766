import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { archiveLine, type Builder, buildLine, type CommandLine, loadLine } from './builder.js';
import { debianBase } from './debian-base.js';
import { projectImages } from './project-images.js';

/** How the images are built, and what becomes of them. */
export interface BuildImagesProps {
  readonly builder: Builder;
  /** What the Dockerfiles begin with; `debian`: see {@link debianBase}. @default - what they say */
  readonly nodeImage?: string | undefined;
  /** A line of shell that hands an image to the nodes, by its name and its archive. @default - none is handed over */
  readonly loader?: string | undefined;
  /** For archives, one at a time. */
  readonly folder: string;
  /** Runs a command to its end. @throws {Error} when it fails */
  readonly run: (line: CommandLine) => void;
}

/** Builds every image of the project, and hands each to the nodes where it is said how. @returns their names */
export function buildImages({ builder, nodeImage, loader, folder, run }: BuildImagesProps): readonly string[] {
  const base = nodeImage === 'debian' ? baseOf(folder, builder, run) : nodeImage;
  for (const image of projectImages) {
    run(buildLine(builder, image, base));
    if (!loader) continue;
    const archive = join(folder, 'image.tar');
    run(archiveLine(builder, image.name, archive));
    run(loadLine(loader, image.name, archive));
    rmSync(archive, { force: true }); // builders do not write over one
  }
  return projectImages.map(({ name }) => name);
}

function baseOf(folder: string, builder: Builder, run: BuildImagesProps['run']): string {
  const own = join(folder, 'base');
  mkdirSync(own);
  return debianBase({ builder, folder: own, run });
}
