import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { fingerprint } from '../manifest/fingerprint.js';
import { KubeObject } from '../manifest/kube-object.js';
import { type TrainingJobRef, trainingIdentity } from './naming/identity.js';
import { workerPod } from './objects/worker.js';
import type { WorkerPod } from './objects/worker-settings.js';

/** Props of a {@link TrainingWorkerPod}. */
export interface TrainingWorkerPodProps extends TrainingJobRef, Omit<WorkerPod, 'name' | 'namespace'> {}

/** The Pod of a worker. A change of its content requires another Pod, except that its gate can be removed. */
export class TrainingWorkerPod extends Construct {
  readonly pod: ApiObject;

  constructor(scope: Construct, id: string, props: TrainingWorkerPodProps) {
    super(scope, id);
    const { namespace } = trainingIdentity(this, props);
    this.pod = new KubeObject(this, 'pod', workerPod({ ...props, namespace }));
  }
}

/** A hash of the content of the Pods of workers. All are replaced together when it changes. */
export function trainingRevision(settings: Pick<WorkerPod, 'name' | 'namespace' | 'uid' | 'spec'>): string {
  const { metadata, spec } = workerPod({ ...settings, worker: { index: 0, attempt: 0 } });
  return fingerprint([metadata.labels, metadata.annotations ?? {}, spec]);
}
