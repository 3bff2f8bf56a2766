import { etcdImage, kafkaRepository } from '../../src/index.js';
import { operatorImage } from '../../src/install/pods.js';

/** What a Dockerfile begins with, which it lets the builder name by this build argument. */
export type Base = 'NODE_IMAGE' | 'DEBIAN_IMAGE';

/** An image that a Dockerfile of this project makes. */
export interface ProjectImage {
  /** With its tag. */
  readonly name: string;
  /** The folder of its Dockerfile, from the root. */
  readonly folder: string;
  readonly base: Base;
  /** Build arguments. @default none */
  readonly args?: Readonly<Record<string, string>>;
}

/** The server that Algorithms are tried with, in a version of its table. */
export function serverImage(version: string): string {
  return `registry.alien6.io/reconstruct/algorithm-server:${version}`;
}

/** Two good versions, and one that fails. */
const serverVersions = ['1.0.0', '1.1.0', '1.2.0'];

/** The image of a Database's instances in a minor version of PostgreSQL. */
export function postgresImage(version: string): string {
  return `registry.alien6.io/reconstruct/postgres:${version}`;
}

/** What Debian 12 has: an update is tried from the first to the second. */
const postgresVersions = ['15.18', '15.20'];

/** The image of the nodes of a KafkaCluster in a release of Kafka. */
export function kafkaReleaseImage(version: string): string {
  return `${kafkaRepository}:${version}`;
}

/** An update is tried from the first to the second. */
const kafkaVersions = ['4.3.1', '4.4.0'];

/** The image of the members of an EtcdCluster, in the release that Debian 12 has. */
export const etcdReleaseImage = etcdImage({});

/** The container that sends a signal to a consumer of a Secret. */
export const reloadSignalImage = 'registry.alien6.io/reconstruct/reload-signal:1.0.0';

/** nginx and HAProxy, whose certificates are renewed in the end-to-end tests. */
export const webServersImage = 'registry.alien6.io/reconstruct/web-servers:1.0.0';

/** The image of the workers and of the coordinator of a TrainingJob, with PyTorch for CPUs. */
export const trainingImage = 'registry.alien6.io/reconstruct/training:1.0.0';

/** Every image that this project has. */
export const projectImages: readonly ProjectImage[] = [
  { name: operatorImage, folder: '.', base: 'NODE_IMAGE' },
  ...serverVersions.map((version) => ({
    name: serverImage(version),
    folder: 'examples/algorithm-server',
    base: 'NODE_IMAGE' as const,
    args: { VERSION: version },
  })),
  { name: reloadSignalImage, folder: 'images/reload-signal', base: 'NODE_IMAGE' },
  { name: trainingImage, folder: 'images/training', base: 'DEBIAN_IMAGE' },
  { name: etcdReleaseImage, folder: 'images/etcd', base: 'DEBIAN_IMAGE' },
  { name: webServersImage, folder: 'test/e2e/certificates/servers', base: 'DEBIAN_IMAGE' },
  ...postgresVersions.map((version) => ({
    name: postgresImage(version),
    folder: 'images/postgres',
    base: 'DEBIAN_IMAGE' as const,
    args: { VERSION: version },
  })),
  ...kafkaVersions.map((version) => ({
    name: kafkaReleaseImage(version),
    folder: 'images/kafka',
    base: 'DEBIAN_IMAGE' as const,
    args: { VERSION: version },
  })),
];
