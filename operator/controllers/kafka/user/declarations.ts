import { certificateKind, type KafkaUserResource, kafkaClusterKind } from '../../../../imports/index.js';
import { kafkaObjectNames, kafkaSelector } from '../../../../src/index.js';
import { clusterPart, clusterVolume, isBeingDeleted } from '../../../kafka/cluster-part.js';
import {
  ConfigMap,
  type Found,
  type LiveSecret,
  Namespace,
  optional,
  PersistentVolumeClaim,
  type Refer,
  Secret,
} from '../../../runtime/index.js';
import { textIn } from './secret-text.js';

/** Kinds that a KafkaUser owns. */
export const owns = [Secret, certificateKind, ConfigMap] as const;

/** Objects that the controller reads but does not own. */
export const reads = (refer: Refer<KafkaUserResource>) => ({
  cluster: refer.named(kafkaClusterKind, ({ spec }) => spec.cluster.name, clusterPart),
  /** Its volumes, which stay after it with `Retain`. */
  volumes: refer.matchingLabels(
    PersistentVolumeClaim,
    ({ spec }) => ({ labels: kafkaSelector(spec.cluster.name) }),
    clusterVolume,
  ),
  /** An operator that is limited to some namespaces may have no permission to read it. */
  isNamespaceEnding: refer.named(optional(Namespace), ({ metadata }) => metadata.namespace, isBeingDeleted),
  /** The CA certificates of the listeners with the issuer of the cluster. */
  trusted: refer.named(Secret, ({ spec }) => kafkaObjectNames(spec.cluster.name).nodeCertificate, caIn),
});

function caIn({ data = {} }: LiveSecret): string {
  return textIn(data, 'ca.crt');
}

/** The objects that `reads` finds. */
export type UserReads = Found<ReturnType<typeof reads>>;
