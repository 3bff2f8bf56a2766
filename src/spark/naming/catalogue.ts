import type { SparkJobSpec } from '../../../imports/index.js';

type Version = SparkJobSpec['version'];

/** The releases for which there are images. */
export const sparkReleases: Readonly<Record<Version, string>> = { '4.3': '4.3.0', '3.5': '3.5.9' };

/** The repository of the images, without a tag. */
export const sparkRepository = 'registry.alien6.io/reconstruct/spark';

/**
 * The image of the driver and the executors of a SparkJob.
 * @param repository repository of the images of this package. @default 'registry.alien6.io/reconstruct/spark'
 */
export function sparkImage(
  { image, version }: Pick<SparkJobSpec, 'image' | 'version'>,
  repository = sparkRepository,
): string {
  return image ?? `${repository}:${sparkReleases[version]}`;
}
