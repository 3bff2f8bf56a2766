import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { DatabaseSpec } from '../../imports/index.js';
import { KubeObject } from '../kube-object.js';
import { type DatabaseRef, databaseIdentity, instanceLabel } from './identity.js';
import { claim } from './objects/claim.js';

/** Whose volume it is, and how large. */
export interface DatabaseClaimProps extends DatabaseRef {
  /** As `orders-2`. */
  readonly instance: string;
  readonly storage: DatabaseSpec['storage'];
}

/** The volume of an instance: what it holds is the Database, its Pod only runs it. */
export class DatabaseClaim extends Construct {
  readonly claim: ApiObject;

  constructor(scope: Construct, id: string, { instance, storage, ...database }: DatabaseClaimProps) {
    super(scope, id);
    const identity = databaseIdentity(this, database);
    const labels = { ...identity.labels, [instanceLabel]: instance };
    this.claim = new KubeObject(this, 'claim', claim({ ...identity, labels }, instance, storage));
  }
}
