import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../kube-object.js';
import { type DatabaseRef, databaseIdentity } from './identity.js';
import { type InstancePod, instancePod } from './pods/pod.js';

/** Whose instance it is, which, and what it runs. */
export interface DatabasePodProps extends DatabaseRef, InstancePod {}

/**
 * The Pod of an instance: PostgreSQL and Patroni, and beside them, with `backup`, what serves its data to the repository. It
 * is to be made once, since what it runs cannot be changed but by another Pod.
 */
export class DatabasePod extends Construct {
  readonly pod: ApiObject;

  constructor(scope: Construct, id: string, { name, namespace, ...instance }: DatabasePodProps) {
    super(scope, id);
    this.pod = new KubeObject(this, 'pod', instancePod(databaseIdentity(this, { name, namespace }), instance));
  }
}
