import {
  algorithm,
  algorithmSpec,
  certificate,
  clusterIssuer,
  database,
  databaseBackup,
  databaseSpec,
  etcdCluster,
  etcdClusterSpec,
  issuer,
  kafkaCluster,
  kafkaClusterSpec,
  kafkaTopic,
  kafkaUser,
  secretRotation,
  trainingJob,
  trainingJobSpec,
  trustBundle,
  withDefaults,
} from '../crds/index.js';
import * as generated from '../imports/index.js';
import { problemsOf } from './algorithm/checks.js';
import { databaseNameProblem, databaseProblems } from './database/checks.js';
import { etcdNameProblem, etcdProblems } from './etcd/checks.js';
import { kafkaNameProblem, kafkaProblems } from './kafka/checks.js';
import { trainingNameProblem, trainingProblems } from './training/checks.js';
import { checked } from './validation/checked-resource.js';

/** An Algorithm, whose objects the operator creates. `cdk8s synth` refuses values that do not match its schema. */
export class KubeAlgorithm extends checked(generated.KubeAlgorithm, algorithm, (spec: generated.AlgorithmSpecInput) =>
  inSpec(problemsOf(withDefaults(algorithmSpec, spec))),
) {}

/** A Database, whose objects the operator creates. `cdk8s synth` refuses values that do not match its schema. */
export class KubeDatabase extends checked(
  generated.KubeDatabase,
  database,
  (spec: generated.DatabaseSpecInput, name: string) => [
    ...databaseNameProblem(name).map((problem) => `metadata.${problem}`),
    ...inSpec(databaseProblems(withDefaults(databaseSpec, spec))),
  ],
) {}

/** A DatabaseBackup, which the operator takes. `cdk8s synth` refuses values that do not match its schema. */
export class KubeDatabaseBackup extends checked(generated.KubeDatabaseBackup, databaseBackup) {}

/** A SecretRotation. `cdk8s synth` refuses values that do not match its schema. */
export class KubeSecretRotation extends checked(generated.KubeSecretRotation, secretRotation) {}

/** A certificate authority for a namespace. `cdk8s synth` refuses values that do not match its schema. */
export class KubeIssuer extends checked(generated.KubeIssuer, issuer) {}

/** A certificate authority for several namespaces. `cdk8s synth` refuses values that do not match its schema. */
export class KubeClusterIssuer extends checked(generated.KubeClusterIssuer, clusterIssuer) {}

/** A certificate that renews itself. `cdk8s synth` refuses values that do not match its schema. */
export class KubeCertificate extends checked(generated.KubeCertificate, certificate) {}

/** CA certificates for several namespaces. `cdk8s synth` refuses values that do not match its schema. */
export class KubeTrustBundle extends checked(generated.KubeTrustBundle, trustBundle) {}

/** An Apache Kafka, whose nodes the operator creates. `cdk8s synth` refuses values that do not match its schema. */
export class KubeKafkaCluster extends checked(
  generated.KubeKafkaCluster,
  kafkaCluster,
  (spec: generated.KafkaClusterSpecInput, name: string) => [
    ...kafkaNameProblem(name).map((problem) => `metadata.${problem}`),
    ...inSpec(kafkaProblems(withDefaults(kafkaClusterSpec, spec))),
  ],
) {}

/** A topic of a KafkaCluster. `cdk8s synth` refuses values that do not match its schema. */
export class KubeKafkaTopic extends checked(generated.KubeKafkaTopic, kafkaTopic) {}

/** A user of a KafkaCluster. `cdk8s synth` refuses values that do not match its schema. */
export class KubeKafkaUser extends checked(generated.KubeKafkaUser, kafkaUser) {}

/** An etcd, whose members the operator creates. `cdk8s synth` refuses values that do not match its schema. */
export class KubeEtcdCluster extends checked(
  generated.KubeEtcdCluster,
  etcdCluster,
  (spec: generated.EtcdClusterSpecInput, name: string) => [
    ...etcdNameProblem(name).map((problem) => `metadata.${problem}`),
    ...inSpec(etcdProblems(withDefaults(etcdClusterSpec, spec))),
  ],
) {}

/** A distributed training, whose workers the operator creates. `cdk8s synth` refuses values that do not match its schema. */
export class KubeTrainingJob extends checked(
  generated.KubeTrainingJob,
  trainingJob,
  (spec: generated.TrainingJobSpecInput, name: string) => [
    ...trainingNameProblem(name).map((problem) => `metadata.${problem}`),
    ...inSpec(trainingProblems(withDefaults(trainingJobSpec, spec))),
  ],
) {}

function inSpec(problems: readonly string[]): readonly string[] {
  return problems.map((problem) => `spec.${problem}`);
}
