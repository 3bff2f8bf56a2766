import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import { metadataOf } from '../workload/identity.js';
import { type SparkJobRef, sparkAuthKeys, sparkIdentity, sparkObjectNames } from './naming/identity.js';

/** Props of a {@link SparkSecret}. */
export interface SparkSecretProps extends SparkJobRef {
  /** At least 32 random characters. */
  readonly secret: string;
}

/** The Secret with which the driver and the executors of a SparkJob authenticate each other. */
export class SparkSecret extends Construct {
  readonly secret: ApiObject;

  constructor(scope: Construct, id: string, { secret, ...job }: SparkSecretProps) {
    super(scope, id);
    const metadata = metadataOf(sparkIdentity(this, job), sparkObjectNames(job.name).auth);
    const encoded = (text: string) => Buffer.from(text).toString('base64');
    const data = { [sparkAuthKeys.driver]: encoded(secret), [sparkAuthKeys.executor]: encoded(encoded(secret)) };
    const manifest = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data } as Manifest;
    this.secret = new KubeObject(this, 'secret', manifest);
  }
}
