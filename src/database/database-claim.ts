import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { DatabaseSpec } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import { claim } from '../workload/claim.js';
import { type DatabaseRef, databaseIdentity, instanceLabel } from './naming/identity.js';

/** Props of a {@link DatabaseClaim}. */
export interface DatabaseClaimProps extends DatabaseRef {
  /** The name of the instance, such as `orders-2`. */
  readonly instance: string;
  readonly storage: DatabaseSpec['storage'];
}

/** The PersistentVolumeClaim of an instance. The data of the Database is on this volume, and the Pod only runs it. */
export class DatabaseClaim extends Construct {
  readonly claim: ApiObject;

  constructor(scope: Construct, id: string, { instance, storage, ...database }: DatabaseClaimProps) {
    super(scope, id);
    const { namespace, labels: common } = databaseIdentity(this, database);
    const labels = { ...common, [instanceLabel]: instance };
    this.claim = new KubeObject(this, 'claim', claim({ name: instance, namespace, labels }, storage));
  }
}
