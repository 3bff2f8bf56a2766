import type { AlgorithmResource } from '../../../imports/index.js';
import { live } from '../../given.js';

type Status = NonNullable<AlgorithmResource['status']>;
type Conditions = NonNullable<Status['conditions']>;

/** The `Promoted` condition of generation 2. */
export function promoted(status: 'True' | 'False' | 'Unknown', reason: string, observedGeneration = 2): Conditions {
  const lastTransitionTime = '2030-01-01T00:00:00Z';
  return [{ type: 'Promoted', status, reason, message: 'it says so', observedGeneration, lastTransitionTime }];
}

/** Version 1.1.0 at 20% against 1.0.0, of generation 2. */
export const onTrial: Status = {
  phase: 'Trial',
  stable: { image: 'reco:1.0.0', version: '1.0.0', revision: 'reco-a', weight: 80, replicas: 3, readyReplicas: 3 },
  trial: {
    ...{ id: 'reco-b-1', image: 'reco:1.1.0', version: '1.1.0', revision: 'reco-b', since: '2030-01-01T00:00:00Z' },
    ...{ weight: 20, replicas: 1, readyReplicas: 1, requests: 1200, success: 0.9925, state: '{"secret":1}' },
  },
  conditions: promoted('Unknown', 'Analyzing'),
};

/** An Algorithm with a lifecycle, its defaults filled in as the API server does. */
export function algorithm(status: Status | undefined, lifecycle: object | null = {}): AlgorithmResource {
  const filled = { canaryWeight: 20, successThreshold: 0.99, ...lifecycle };
  const resource = {
    ...{ apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata: { name: 'reco', namespace: 'team' } },
    spec: { image: 'reco:1.1.0', scaling: { targetLatencyMs: 50 }, ...(lifecycle !== null && { lifecycle: filled }) },
    ...(status && { status }),
  };
  return live(resource, { generation: 2 }) as unknown as AlgorithmResource;
}
