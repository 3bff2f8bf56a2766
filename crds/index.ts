import { algorithm } from './algorithm.js';
import { certificate } from './certificate.js';
import { database } from './database.js';
import { databaseBackup } from './database-backup.js';
import { etcdCluster } from './etcd/etcd-cluster.js';
import { clusterIssuer, issuer } from './issuer.js';
import { kafkaCluster } from './kafka-cluster.js';
import { kafkaTopic } from './kafka-topic.js';
import { kafkaUser } from './kafka-user.js';
import { leaderElection } from './leader-election.js';
import type { Kind } from './schema/index.js';
import { secretRotation } from './secret-rotation.js';
import { servicePublication } from './service-publication.js';
import { sparkJob } from './spark/spark-job.js';
import { trainingJob } from './training/training-job.js';
import { trustBundle } from './trust-bundle.js';

export { defaultProxyResources, defaultServerResources } from './algorithm/default-resources.js';
export { algorithmStatus } from './algorithm/status.js';
export { algorithm, algorithmSpec } from './algorithm.js';
export {
  certificate,
  certificateSpec,
  certificateStatus,
  defaultCertificateDuration,
  usageNames,
} from './certificate.js';
export { defaultKeySize } from './certificates/fields.js';
export { certificateConsumers, workloadConsumers } from './consumers.js';
export { backwardRange, isNeverDue } from './database/cron.js';
export {
  defaultBackupResources,
  defaultBackupServerResources,
  defaultPostgresResources,
} from './database/default-resources.js';
export { databaseStatus } from './database/status.js';
export { database, databaseSpec } from './database.js';
export { databaseBackup, databaseBackupSpec, databaseBackupStatus } from './database-backup.js';
export { defaultEtcdResources } from './etcd/default-resources.js';
export { etcdCluster, etcdClusterSpec } from './etcd/etcd-cluster.js';
export { etcdClusterStatus } from './etcd/status.js';
export type { DefaultResources } from './fields/resources.js';
export { clusterIssuer, clusterIssuerSpec, issuer, issuerSpec, issuerStatus } from './issuer.js';
export {
  defaultKafkaBrokerResources,
  defaultKafkaControllerResources,
  defaultKafkaHookResources,
} from './kafka/default-resources.js';
export { consumerGroupLimits, kafkaClusterStatus, mostInterrupted } from './kafka/status.js';
export { kafkaCluster, kafkaClusterSpec } from './kafka-cluster.js';
export { kafkaTopic, kafkaTopicSpec, kafkaTopicStatus } from './kafka-topic.js';
export { kafkaUser, kafkaUserSpec, kafkaUserStatus } from './kafka-user.js';
export { leaderElection, leaderElectionSpec, leaderElectionStatus, mostCandidates } from './leader-election.js';
export { mostAddresses } from './publication/status.js';
export { standardBudgets } from './retry/retry.js';
export * from './schema/index.js';
export { secretRotation, secretRotationSpec, secretRotationStatus } from './secret-rotation.js';
export {
  servicePublication,
  servicePublicationSpec,
  servicePublicationStatus,
} from './service-publication.js';
export { defaultSparkDriverResources, defaultSparkExecutorResources } from './spark/default-resources.js';
export { sparkJob, sparkJobSpec } from './spark/spark-job.js';
export { sparkJobStatus } from './spark/status.js';
export { defaultTrainingCoordinatorResources, defaultTrainingWorkerResources } from './training/default-resources.js';
export { trainingJobStatus } from './training/status.js';
export { trainingJob, trainingJobSpec } from './training/training-job.js';
export { trustBundle, trustBundleSpec, trustBundleStatus } from './trust-bundle.js';

/** The kinds that every installation of all controllers has. */
export const kinds: readonly Kind[] = [
  algorithm,
  database,
  databaseBackup,
  issuer,
  clusterIssuer,
  certificate,
  trustBundle,
  secretRotation,
  kafkaCluster,
  kafkaTopic,
  kafkaUser,
  trainingJob,
  servicePublication,
  leaderElection,
  sparkJob,
];

/** The kinds that only other kinds create. An installation has them together with a controller for them. */
export const ownedKinds: readonly Kind[] = [etcdCluster];

/** Every kind of this package. */
export const allKinds: readonly Kind[] = [...kinds, ...ownedKinds];
