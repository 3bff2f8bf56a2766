import { Deployment, EnvValue, Secret } from 'cdk8s-plus-33';
import { KubeSecretRotation } from 'cdk8s-reconstruct';
import { Construct } from 'constructs';

export interface OrdersProps {
  /** A Database in the same namespace. */
  readonly database: string;
  readonly image: string;
}

/** An application whose login to its Database is replaced each month. Its Pods restart with the new one. */
export class Orders extends Construct {
  readonly deployment: Deployment;

  constructor(scope: Construct, id: string, { database, image }: OrdersProps) {
    super(scope, id);
    const login = `${id}-login`;

    new KubeSecretRotation(this, 'rotation', {
      metadata: { name: id },
      spec: {
        secretName: login,
        source: { database: { name: database } },
        every: '30d',
        // The earlier login works at least as long, and until each Pod of the Deployment has the new one.
        overlap: '1h',
        consumers: [{ deployment: id }],
      },
    });

    this.deployment = new Deployment(this, 'deployment', { metadata: { name: id }, replicas: 2 });
    const secret = Secret.fromSecretName(this, 'secret', login);
    this.deployment.addContainer({
      name: 'orders',
      image,
      envVariables: { DATABASE_URL: EnvValue.fromSecretValue({ secret, key: 'uri' }) },
    });
  }
}
