import { kafkaCluster, kafkaClusterSpec, kafkaTopic, kafkaUser, withDefaults } from '../../crds/index.js';
import * as generated from '../../imports/index.js';
import { checked, inSpec } from '../validation/checked-resource.js';
import { kafkaNameProblem, kafkaProblems } from './checks.js';

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
