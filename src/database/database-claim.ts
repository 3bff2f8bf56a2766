import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { DatabaseSpec } from '../../imports/index.js';
import { KubeObject } from '../kube-object.js';
import { type DatabaseRef, databaseIdentity, instanceLabel } from './identity.js';
import { claim } from './objects/claim.js';

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
    const identity = databaseIdentity(this, database);
    const labels = { ...identity.labels, [instanceLabel]: instance };
    this.claim = new KubeObject(this, 'claim', claim({ ...identity, labels }, instance, storage));
  }
}
