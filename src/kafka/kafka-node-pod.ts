import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import { type KafkaClusterRef, kafkaIdentity } from './naming/identity.js';
import type { NodePod } from './objects/node-settings.js';
import { nodePod } from './objects/pod.js';

/** Props of a {@link KafkaNodePod}. */
export interface KafkaNodePodProps extends KafkaClusterRef, Omit<NodePod, 'namespace'> {}

/**
 * The Pod of a broker or controller. Create it only once, because a change of its content requires another Pod.
 */
export class KafkaNodePod extends Construct {
  readonly pod: ApiObject;

  constructor(scope: Construct, id: string, props: KafkaNodePodProps) {
    super(scope, id);
    const { namespace } = kafkaIdentity(this, props);
    this.pod = new KubeObject(this, 'pod', nodePod({ ...props, namespace }));
  }
}
