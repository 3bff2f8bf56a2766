import type { AlgorithmResource } from '../../../../imports/index.js';
import type { LiveDeployment } from '../../../../operator/runtime/index.js';
import { live } from '../../../given.js';

type Status = NonNullable<LiveDeployment['status']>;

/** A Deployment of generation 2 that wants 3 replicas, with this status. */
export function deployment(status: Status | undefined, { replicas = 3 }: { replicas?: number } = {}): LiveDeployment {
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'reco', namespace: 'team' } };
  const spec = { replicas, selector: { matchLabels: { app: 'reco', part: 'server' } } };
  return live({ ...object, spec, ...(status && { status }) }, { generation: 2 });
}

/** The status of a rollout that is done. */
export const done: Status = {
  ...{ observedGeneration: 2, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 },
};

export const deadlineExceeded: Status['conditions'] = [
  { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' },
];

export const replicaFailure: Status['conditions'] = [
  { type: 'ReplicaFailure', status: 'True', message: 'exceeded quota: gpus' },
];

/** An Algorithm with this much of a spec. */
export function algorithmResource(spec: Partial<AlgorithmResource['spec']> = {}): AlgorithmResource {
  const object = { apiVersion: 'ai.alien6.io/v1' as const, kind: 'Algorithm' as const };
  const metadata = { name: 'reco', namespace: 'team' };
  return live({ ...object, metadata, spec: { image: 'reco:1', replicas: 3, ...spec } }) as unknown as AlgorithmResource;
}
