import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import { type DatabaseRef, databaseIdentity } from './naming/identity.js';
import type { InstancePod } from './pods/instance.js';
import { instancePod } from './pods/pod.js';

/** Props of a {@link DatabasePod}. */
export interface DatabasePodProps extends DatabaseRef, InstancePod {}

/**
 * The Pod of an instance. It runs PostgreSQL and Patroni. With `backup`, a second container serves the data to the
 * repository. Create it only once, because a change of its content requires another Pod.
 */
export class DatabasePod extends Construct {
  readonly pod: ApiObject;

  constructor(scope: Construct, id: string, { name, namespace, ...instance }: DatabasePodProps) {
    super(scope, id);
    this.pod = new KubeObject(this, 'pod', instancePod(databaseIdentity(this, { name, namespace }), instance));
  }
}
