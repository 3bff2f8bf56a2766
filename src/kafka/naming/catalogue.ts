import { createHash } from 'node:crypto';
import type { KafkaClusterSpec } from '../../../imports/index.js';

type Version = KafkaClusterSpec['version'];

/** The releases for which there are images. */
export const releases: Readonly<Record<Version, string>> = { '4.3': '4.3.1', '4.4': '4.4.0' };

/**
 * The level of `metadata.version` with which a version ends its upgrade.
 * @see https://kafka.apache.org/documentation/#upgrade
 */
export const metadataLevels: Readonly<Record<Version, number>> = { '4.3': 30, '4.4': 33 };

/** The repository of the images, without a tag. */
export const kafkaRepository = 'registry.alien6.io/reconstruct/kafka';

/**
 * The image of the nodes of a KafkaCluster.
 * @param repository repository of the images of this package. @default 'registry.alien6.io/reconstruct/kafka'
 */
export function kafkaImage(
  { image, version }: Pick<KafkaClusterSpec, 'image' | 'version'>,
  repository = kafkaRepository,
): string {
  return image ?? `${repository}:${releases[version]}`;
}

/** The identifier of a new cluster in Kafka: a UUID in base64url that follows from the UID of the resource. */
export function kafkaClusterId(uid: string): string {
  return uuidOf(`cluster ${uid}`);
}

/** The identifier of the disk of one of the first controllers, which all of them must know before they start. */
export function firstDirectoryId(uid: string, id: number): string {
  return uuidOf(`directory ${uid} ${id}`);
}

/** Kafka reserves identifiers that begin with a minus sign, because tools take them for options. */
function uuidOf(seed: string): string {
  const bytes = createHash('sha256').update(seed).digest().subarray(0, 16);
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return bytes.toString('base64url');
}
