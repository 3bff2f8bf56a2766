import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import { metadataOf } from '../workload/identity.js';
import { type TrainingJobRef, trainingIdentity, trainingObjectNames, trainingTokenKey } from './naming/identity.js';

/** Props of a {@link TrainingToken}. */
export interface TrainingTokenProps extends TrainingJobRef {
  readonly token: string;
}

/** The Secret with which workers and the operator authenticate themselves at the coordinator of a TrainingJob. */
export class TrainingToken extends Construct {
  readonly secret: ApiObject;

  constructor(scope: Construct, id: string, { token, ...job }: TrainingTokenProps) {
    super(scope, id);
    const metadata = metadataOf(trainingIdentity(this, job), trainingObjectNames(job.name).token);
    const data = { [trainingTokenKey]: Buffer.from(token).toString('base64') };
    const manifest = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data } as Manifest;
    this.secret = new KubeObject(this, 'secret', manifest);
  }
}
