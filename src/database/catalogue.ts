import type { DatabaseSpec } from '../../imports/index.js';

/** The minor version of each major one: what `images/postgres` is built with. */
const newest: Readonly<Record<DatabaseSpec['version'], string>> = { '15': '15.20' };

/** Where the images of instances are, without a tag. */
export const imageRepository = 'registry.alien6.io/reconstruct/postgres';

/**
 * The image of a Database's instances.
 * @param repository where this package's images are. @default 'registry.alien6.io/reconstruct/postgres'
 */
export function instanceImage({ image, version }: DatabaseSpec, repository = imageRepository): string {
  return image ?? `${repository}:${newest[version]}`;
}
