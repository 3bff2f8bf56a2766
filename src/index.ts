export * from '../imports/index.js';
export { Algorithm, type AlgorithmProps } from './algorithm/algorithm.js';
export { podLabels, trialLabels } from './algorithm/blueprint.js';
export { KubeAlgorithm } from './algorithm/resources.js';
export {
  controllerRevision,
  type RevisionProps,
  revisionName,
  type Version,
  versionOf,
  withVersion,
} from './algorithm/revision.js';
export { type GatewayRef, isGatewayOf } from './algorithm/route.js';
export { AlgorithmTrial, type AlgorithmTrialProps, type TrialVersion } from './algorithm/trial.js';
export { type Variant, variantsOf } from './algorithm/variants.js';
export {
  HttpChallenge,
  type HttpChallengeEntry,
  type HttpChallengeProps,
} from './certificate/challenge/http-challenge.js';
export { HostCertificate, type HostCertificateProps } from './certificate/host-certificate.js';
export { KubeCertificate, KubeClusterIssuer, KubeIssuer, KubeTrustBundle } from './certificate/resources.js';
export { RevocationConfigMap, type RevocationConfigMapProps } from './certificate/revocation-config-map.js';
export {
  PrivateKeySecret,
  type PrivateKeySecretProps,
  TlsSecret,
  type TlsSecretProps,
  UnchangedSecret,
  type UnchangedSecretProps,
} from './certificate/tls-secret.js';
export {
  TrustBundleConfigMap,
  type TrustBundleConfigMapProps,
  UnchangedConfigMap,
  type UnchangedConfigMapProps,
} from './certificate/trust-bundle-config-map.js';
export { databaseProblems } from './database/checks.js';
export {
  type BackupSource,
  bucketPath,
  type RestorePoint,
  type RestoreSource,
} from './database/config/pgbackrest-config.js';
export { parametersRevision } from './database/config/server-parameters.js';
export { DatabaseArchive, type DatabaseArchiveProps } from './database/database-archive.js';
export { DatabaseClaim, type DatabaseClaimProps } from './database/database-claim.js';
export { DatabasePod, type DatabasePodProps } from './database/database-pod.js';
export { DatabaseRepository, type DatabaseRepositoryProps } from './database/database-repository.js';
export { DatabaseSecrets, type DatabaseSecretsProps, type GeneratedSecrets } from './database/database-secrets.js';
export { DatabaseSharedObjects, type DatabaseSharedObjectsProps } from './database/database-shared-objects.js';
export { imageRepository, instanceImage } from './database/naming/catalogue.js';
export {
  type DatabaseRef,
  instanceLabel,
  instanceSelector,
  podSelector,
  roleLabel,
  toolLabel,
} from './database/naming/identity.js';
export { objectNames } from './database/naming/object-names.js';
export { databasePorts, databaseRoles, hostOfPod } from './database/naming/places.js';
export { certificateHosts } from './database/objects/services.js';
export { type PasswordMarks, passwordMarks, secretsWithPasswords } from './database/password-marks.js';
export type { InstancePod } from './database/pods/instance.js';
export { KubeDatabase, KubeDatabaseBackup } from './database/resources.js';
export { instanceRevision } from './database/revision.js';
export {
  DatabaseWorker,
  type DatabaseWorkerProps,
  type WorkerTask,
  workerContainer,
  workerLabel,
} from './database/worker.js';
export { etcdProblems } from './etcd/checks.js';
export { EtcdMemberClaim, type EtcdMemberClaimProps, etcdTokenOf, hasEtcdStarted } from './etcd/etcd-member-claim.js';
export { EtcdMemberPod, type EtcdMemberPodProps } from './etcd/etcd-member-pod.js';
export { EtcdSharedObjects, type EtcdSharedObjectsProps } from './etcd/etcd-shared-objects.js';
export { etcdImage, etcdRepository } from './etcd/naming/catalogue.js';
export { type EtcdClusterRef, etcdMemberLabel, etcdSelector } from './etcd/naming/identity.js';
export {
  etcdClientUrl,
  etcdEndpoint,
  etcdHost,
  etcdMemberName,
  etcdObjectNames,
  etcdPeerUrl,
  etcdPorts,
  etcdSerialOf,
} from './etcd/naming/object-names.js';
export type { FirstStart as EtcdFirstStart } from './etcd/objects/member-settings.js';
export { KubeEtcdCluster } from './etcd/resources.js';
export { type EtcdMemberSettings, etcdMemberRevision } from './etcd/revision.js';
export { gatewayApiCrds } from './gateway/definitions.js';
export { type Front, proxyLabels } from './gateway/front.js';
export { GatewayProxies, type GatewayProxiesProps, type ProxyWorkload, proxyImage } from './gateway/gateway-proxies.js';
export { gatewayClassName, gatewayName, gatewayPorts } from './gateway/identity.js';
export { NamespaceGateway, type NamespaceGatewayProps } from './gateway/namespace-gateway.js';
export { ApiInstall, type ApiInstallProps } from './install/api-install.js';
export { GatewayInstall, type GatewayInstallProps } from './install/gateway-install.js';
export type { InstalledController } from './install/installation.js';
export { OperatorInstall } from './install/operator-install.js';
export type { OperatorInstallProps, ResourceRequirements, Toleration } from './install/operator-install-props.js';
export { kafkaProblems } from './kafka/checks.js';
export {
  brokersIn,
  dynamicProperties,
  minInSync,
  mostDefaultReplicas,
  volumeOfDirectory,
} from './kafka/config/properties.js';
export {
  type AddressedService,
  assignedHost,
  type ExternalListener,
  externalAddress,
  externalListeners,
  externalNames,
} from './kafka/external/addresses.js';
export { KafkaExternalAccess, type KafkaExternalAccessProps } from './kafka/kafka-external-access.js';
export {
  type HookedRestart,
  KafkaHookJob,
  type KafkaHookJobProps,
  type KafkaHookJobSpec,
  kafkaHookJobName,
} from './kafka/kafka-hook-job.js';
export {
  KafkaNodeClaim,
  type KafkaNodeClaimProps,
  kafkaClusterIdAnnotation,
  kafkaCombinedAnnotation,
} from './kafka/kafka-node-claim.js';
export { KafkaNodePod, type KafkaNodePodProps } from './kafka/kafka-node-pod.js';
export {
  KafkaSharedObjects,
  type KafkaSharedObjectsProps,
  kafkaBrokersForDefaultsAnnotation,
} from './kafka/kafka-shared-objects.js';
export { KafkaUserCertificate, type KafkaUserCertificateProps } from './kafka/kafka-user-certificate.js';
export { KafkaUserConfigMap, type KafkaUserConfigMapProps, kafkaClientName } from './kafka/kafka-user-config-map.js';
export {
  type KafkaLogin,
  KafkaUserSecret,
  type KafkaUserSecretProps,
  kafkaLoginData,
} from './kafka/kafka-user-secret.js';
export {
  firstDirectoryId,
  kafkaClusterId,
  kafkaImage,
  kafkaRepository,
  metadataLevels,
} from './kafka/naming/catalogue.js';
export {
  isKafkaController,
  type KafkaClusterRef,
  type KafkaGroup,
  type KafkaNodeRef,
  kafkaControllerGroup,
  kafkaGroups,
  kafkaSelector,
} from './kafka/naming/identity.js';
export {
  additionalVolumeOf,
  kafkaClaimName,
  kafkaHost,
  kafkaNodeName,
  kafkaObjectNames,
  kafkaPorts,
  kafkaPrincipals,
  listenerCertificateName,
} from './kafka/naming/object-names.js';
export { kafkaListenerCertificate, kafkaListenerCertificates } from './kafka/objects/certificates.js';
export { KubeKafkaCluster, KubeKafkaTopic, KubeKafkaUser } from './kafka/resources.js';
export { type GroupSettings, kafkaNodeRevision } from './kafka/revision.js';
export {
  type CandidateContainer,
  type CandidateTemplate,
  LeaderCandidate,
  type LeaderCandidateProps,
} from './leader/leader-candidate.js';
export { LeaderLease, type LeaderLeaseProps } from './leader/leader-lease.js';
export {
  type AddressFamily,
  type Endpoint,
  LeaderServices,
  type LeaderServicesProps,
  leaderSliceRole,
} from './leader/leader-services.js';
export {
  leaderAudience,
  leaderFolders,
  leaderLauncherPort,
  leaderPodLabel,
  leaderRoleAnnotation,
  leaderTermAnnotation,
} from './leader/names.js';
export { KubeLeaderElection } from './leader/resources.js';
export { KubeObject } from './manifest/kube-object.js';
export { childName, suffixedName } from './manifest/names.js';
export type { Manifest, ManifestMeta, ManifestOf, Plain } from './manifest/plain.js';
export { canonicalQuantity, numericQuantity, wholeQuantity } from './manifest/quantity.js';
export type { AlertGroup, AlertRule, SystemAlerts } from './monitoring/alerts.js';
export type { MonitoringProps } from './monitoring/monitoring-props.js';
export {
  AnnotatedPublication,
  type AnnotatedPublicationProps,
  annotatedPublicationName,
} from './publication/annotated-publication.js';
export {
  PublishedFile,
  type PublishedFileProps,
  type PublishedFormat,
  type PublishedSubset,
} from './publication/published-file.js';
export { KubeServicePublication } from './publication/resources.js';
export type { PolicyRule } from './rbac/rules.js';
export { type Credential, credentialHash } from './rotation/credential-hash.js';
export { KubeSecretRotation } from './rotation/resources.js';
export {
  keptCredential,
  type LoginServer,
  loginData,
  RotationSecrets,
  type RotationSecretsProps,
  rotationStateName,
} from './rotation/rotation-secrets.js';
export { sparkProblems } from './spark/checks.js';
export { type MemoryLimits, memoryProblems as sparkMemoryProblems, sparkResources } from './spark/config/memory.js';
export { sparkFiles, wantedSparkExecutors } from './spark/config/properties.js';
export { SparkHistoryServer, type SparkHistoryServerProps } from './spark/history-server.js';
export { sparkImage, sparkReleases, sparkRepository } from './spark/naming/catalogue.js';
export {
  type SparkAttemptRef,
  type SparkJobRef,
  type SparkRole,
  sparkAppId,
  sparkAppLabel,
  sparkAppOf,
  sparkAttemptName,
  sparkAuthKeys,
  sparkContainers,
  sparkDriverName,
  sparkDriverNamed,
  sparkJobKey,
  sparkObjectNames,
  sparkPorts,
  sparkRoleLabel,
  sparkSelector,
  sparkVersionLabel,
} from './spark/naming/identity.js';
export { sparkDriverRules } from './spark/objects/access.js';
export { KubeSparkJob } from './spark/resources.js';
export { SparkAttemptObjects, type SparkAttemptObjectsProps, sparkRevision } from './spark/spark-attempt.js';
export { SparkSecret, type SparkSecretProps } from './spark/spark-secret.js';
export { SparkSharedObjects, type SparkSharedObjectsProps } from './spark/spark-shared-objects.js';
export { trainingProblems } from './training/checks.js';
export {
  type TrainingJobRef,
  type TrainingWorkerRef,
  trainingContainer,
  trainingCoordinatorHost,
  trainingObjectNames,
  trainingPodName,
  trainingPorts,
  trainingSelector,
  trainingTokenKey,
  trainingWorkerNamed,
} from './training/naming/identity.js';
export { coordinatorResources } from './training/objects/coordinator-settings.js';
export { gangGate, type WorkerPod, workerResources } from './training/objects/worker-settings.js';
export { KubeTrainingJob } from './training/resources.js';
export { TrainingClaim, type TrainingClaimProps } from './training/training-claim.js';
export { TrainingSharedObjects, type TrainingSharedObjectsProps } from './training/training-shared-objects.js';
export { TrainingToken, type TrainingTokenProps } from './training/training-token.js';
export { TrainingWorkerPod, type TrainingWorkerPodProps, trainingRevision } from './training/training-worker-pod.js';
export { imageIn } from './workload/image.js';
export { containerResources, requestProblems, type StatedResources } from './workload/resources.js';
