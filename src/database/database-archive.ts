import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import { type DatabaseRef, databaseIdentity } from './naming/identity.js';
import type { Templated } from './pods/instance.js';
import { archivePod } from './pods/repository-pod.js';

/** Props of a {@link DatabaseArchive}. */
export interface DatabaseArchiveProps extends DatabaseRef {
  /** The PersistentVolumeClaim of the archive. It is mounted read-only. */
  readonly claim: string;
  readonly image: string;
  /** The settings of the Pod. @default - none */
  readonly spec?: Templated;
}

/** The Pod that serves a new Database the archive of a deleted one during the restore. */
export class DatabaseArchive extends Construct {
  readonly pod: ApiObject;

  constructor(scope: Construct, id: string, { claim, image, spec = {}, ...database }: DatabaseArchiveProps) {
    super(scope, id);
    this.pod = new KubeObject(this, 'pod', archivePod(databaseIdentity(this, database), image, { claim, spec }));
  }
}
