import type { DatabaseSpec } from '../../../imports/index.js';

/** The minor version for each major version, with which `images/postgres` is built. */
const newest: Readonly<Record<DatabaseSpec['version'], string>> = { '15': '15.20' };

/** The repository of the instance images, without a tag. */
export const imageRepository = 'registry.alien6.io/reconstruct/postgres';

/**
 * The image of the instances of a Database.
 * @param repository repository of the images of this package. @default 'registry.alien6.io/reconstruct/postgres'
 */
export function instanceImage({ image, version }: DatabaseSpec, repository = imageRepository): string {
  return image ?? `${repository}:${newest[version]}`;
}
