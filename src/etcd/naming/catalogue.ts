import type { EtcdClusterSpec } from '../../../imports/index.js';

/** The release of etcd in the image. */
const release = '3.4.23';

/** The repository of the image, without a tag. */
export const etcdRepository = 'registry.alien6.io/reconstruct/etcd';

/**
 * The image of the members of an EtcdCluster.
 * @param repository repository of the images of this package. @default 'registry.alien6.io/reconstruct/etcd'
 */
export function etcdImage({ image }: Pick<EtcdClusterSpec, 'image'>, repository = etcdRepository): string {
  return image ?? `${repository}:${release}`;
}
