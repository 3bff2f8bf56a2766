import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import { claim } from '../workload/claim.js';
import { metadataOf } from '../workload/identity.js';
import { type TrainingJobRef, trainingIdentity, trainingObjectNames } from './naming/identity.js';

/** Props of a {@link TrainingClaim}. */
export interface TrainingClaimProps extends TrainingJobRef {
  readonly size: string | number;
  /** @default - the StorageClass of the cluster */
  readonly storageClassName?: string | undefined;
}

/** The PersistentVolumeClaim of the checkpoints of a TrainingJob. */
export class TrainingClaim extends Construct {
  readonly claim: ApiObject;

  constructor(scope: Construct, id: string, { size, storageClassName, ...job }: TrainingClaimProps) {
    super(scope, id);
    const identity = trainingIdentity(this, job);
    const metadata = metadataOf(identity, trainingObjectNames(job.name).checkpoints);
    const storage = { size, ...(storageClassName !== undefined && { storageClassName }) };
    this.claim = new KubeObject(this, 'claim', claim(metadata, storage));
  }
}
