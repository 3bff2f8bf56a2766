import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { archiveLine, type Builder, buildLine, type CommandLine, loadLine } from './builder.js';
import { debianBases } from './debian-base.js';
import { type Base, imagesFor } from './project-images.js';

/** How the images are built, and what becomes of them. */
export interface BuildImagesProps {
  readonly builder: Builder;
  /** What the Dockerfiles that take Node.js begin with; `debian`: see {@link debianBases}. @default - what they say */
  readonly nodeImage?: string | undefined;
  /** What the others begin with. @default - made likewise if `nodeImage` is `debian`, else what they say */
  readonly debianImage?: string | undefined;
  /** A line of shell that hands an image to the nodes, by its name and its archive. @default - none is handed over */
  readonly loader?: string | undefined;
  /** Pushes an image that was built, by its name. @default - none is pushed */
  readonly push?: ((name: string) => void) | undefined;
  /** The systems whose tests follow. @default - all images are built */
  readonly systems?: readonly string[] | undefined;
  /** For archives, one at a time. */
  readonly folder: string;
  /** Runs a command to its end. @throws {Error} when it fails */
  readonly run: (line: CommandLine) => void;
}

/** Builds every image of the project, or those that some systems need, and pushes each or loads it onto the nodes if that is asked. @returns their names */
export function buildImages(props: BuildImagesProps): readonly string[] {
  const { builder, loader, push, folder, run, systems } = props;
  const bases = basesOf(props);
  const images = imagesFor(systems);
  for (const image of images) {
    run(buildLine(builder, image, bases[image.base]));
    push?.(image.name); // at once, so that a refusal shows before the other builds
    if (!loader) continue;
    const archive = join(folder, 'image.tar');
    run(archiveLine(builder, image.name, archive));
    run(loadLine(loader, image.name, archive));
    rmSync(archive, { force: true }); // builders do not write over one
  }
  return images.map(({ name }) => name);
}

type Bases = { readonly [base in Base]?: string | undefined };

function basesOf({ builder, nodeImage, debianImage, folder, run }: BuildImagesProps): Bases {
  const named = { NODE_IMAGE: nodeImage, DEBIAN_IMAGE: debianImage };
  if (nodeImage !== 'debian') return named;
  const own = join(folder, 'base');
  mkdirSync(own);
  const made = debianBases({ builder, folder: own, run });
  return { ...made, ...(debianImage && { DEBIAN_IMAGE: debianImage }) };
}
