import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import { sparkNameProblem } from './checks.js';
import { type SparkJobRef, sparkIdentity } from './naming/identity.js';
import { type DriverAccess, sparkAccess, sparkNetworkPolicy } from './objects/access.js';

/** Props of {@link SparkSharedObjects}. */
export interface SparkSharedObjectsProps extends SparkJobRef, DriverAccess {}

/**
 * The objects that all attempts of a SparkJob share: the ServiceAccount with its permissions, and the NetworkPolicy. An app
 * that wants a job renders the resource with `KubeSparkJob`.
 */
export class SparkSharedObjects extends Construct {
  constructor(scope: Construct, id: string, { name, namespace, ...access }: SparkSharedObjectsProps) {
    super(scope, id);
    this.node.addValidation({ validate: () => [...sparkNameProblem(name)] });
    const identity = sparkIdentity(this, { name, namespace });
    for (const manifest of [...sparkAccess(identity, access), sparkNetworkPolicy(identity)])
      new KubeObject(this, manifest.kind.toLowerCase(), manifest);
  }
}
