import { Deployment, EnvValue, Secret, Volume } from 'cdk8s-plus-33';
import {
  KubeKafkaTopic,
  KubeKafkaUser,
  KubeKafkaUserSpecAclsOperations as Operation,
  KubeKafkaUserSpecAclsResourceType as ResourceType,
} from 'cdk8s-reconstruct';
import { Construct } from 'constructs';

export interface InvoicesProps {
  /** A KafkaCluster in the same namespace. */
  readonly cluster: string;
  readonly image: string;
}

/** A topic, and a service that writes to it and reads from it with a user of its own, and with no other right. */
export class Invoices extends Construct {
  readonly deployment: Deployment;

  constructor(scope: Construct, id: string, { cluster: name, image }: InvoicesProps) {
    super(scope, id);
    const cluster = { name };

    new KubeKafkaTopic(this, 'topic', {
      metadata: { name: id },
      spec: { cluster, partitions: 6, config: { 'retention.ms': '604800000' } },
    });

    new KubeKafkaUser(this, 'user', {
      metadata: { name: id },
      spec: {
        cluster,
        acls: [
          {
            resource: { type: ResourceType.TOPIC, name: id },
            operations: [Operation.READ, Operation.WRITE, Operation.DESCRIBE],
          },
          { resource: { type: ResourceType.GROUP, name: id }, operations: [Operation.READ] },
        ],
      },
    });

    // The operator creates the Secret, and the Pods start as soon as it is there.
    const secret = Secret.fromSecretName(this, 'secret', id);
    this.deployment = new Deployment(this, 'deployment', { metadata: { name: id }, replicas: 2 });
    const container = this.deployment.addContainer({
      name: 'invoices',
      image,
      envVariables: { KAFKA_BOOTSTRAP_SERVERS: EnvValue.fromSecretValue({ secret, key: 'bootstrap.servers' }) },
    });
    container.mount('/etc/kafka', Volume.fromSecret(this, 'login', secret), { readOnly: true });
  }
}
