import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { KafkaClusterSpec } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import { claim } from '../workload/claim.js';
import { type KafkaClusterRef, type KafkaNodeRef, kafkaIdentity, kafkaNodeLabels } from './naming/identity.js';
import { kafkaClaimName, kafkaNodeName } from './naming/object-names.js';

/** Annotation of a PVC: the identifier of the cluster in Kafka. A later KafkaCluster of the same name takes it up. */
export const kafkaClusterIdAnnotation = 'reconstruct.dev/kafka-cluster-id';

/** Annotation of the PVC of a broker that is a controller too: the volume has a voter of the metadata quorum. */
export const kafkaCombinedAnnotation = 'reconstruct.dev/kafka-combined';

/** Props of a {@link KafkaNodeClaim}. */
export interface KafkaNodeClaimProps extends KafkaClusterRef {
  readonly node: KafkaNodeRef;
  /** The name of an additional volume. @default - the first volume of the node */
  readonly volume?: string;
  readonly storage: Pick<KafkaClusterSpec['brokers']['storage'], 'size' | 'storageClassName'>;
  /** The identifier of the cluster in Kafka. */
  readonly clusterId: string;
}

/** A PersistentVolumeClaim of a broker or controller. The records are on this volume, and the Pod only runs it. */
export class KafkaNodeClaim extends Construct {
  readonly claim: ApiObject;

  constructor(scope: Construct, id: string, { node, volume, storage, clusterId, ...cluster }: KafkaNodeClaimProps) {
    super(scope, id);
    const { namespace } = kafkaIdentity(this, cluster);
    const name = kafkaClaimName(kafkaNodeName(cluster.name, node), volume);
    this.claim = new KubeObject(
      this,
      'claim',
      claim({ name, namespace, labels: kafkaNodeLabels(cluster.name, node) }, storage),
    );
    this.claim.metadata.addAnnotation(kafkaClusterIdAnnotation, clusterId);
    if (node.isCombined) this.claim.metadata.addAnnotation(kafkaCombinedAnnotation, 'true');
  }
}
