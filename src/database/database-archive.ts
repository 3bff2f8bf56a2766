import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../kube-object.js';
import { type DatabaseRef, databaseIdentity } from './identity.js';
import type { Placing } from './pods/pod.js';
import { archivePod } from './pods/repository-pod.js';

/** Who is served, and what. */
export interface DatabaseArchiveProps extends DatabaseRef {
  /** The claim of the archive, which is only read. */
  readonly claim: string;
  readonly image: string;
  /** Where it runs. @default - anywhere */
  readonly spec?: Placing;
}

/** The Pod by which a Database is served the archive of one that is gone, while it begins with it. */
export class DatabaseArchive extends Construct {
  readonly pod: ApiObject;

  constructor(scope: Construct, id: string, { claim, image, spec = {}, ...database }: DatabaseArchiveProps) {
    super(scope, id);
    this.pod = new KubeObject(
      this,
      'pod',
      archivePod(databaseIdentity(this, database), image, { claim, placing: spec }),
    );
  }
}
