import type { TrainingJobSpec } from '../../../imports/index.js';
import type { Manifest } from '../../manifest/plain.js';
import { metadataOf } from '../../workload/identity.js';
import { type TrainingIdentity, trainingObjectNames, trainingPorts, trainingSelector } from '../naming/identity.js';

const port = (name: string, number: number) => ({ name, port: number, protocol: 'TCP', targetPort: number });

/** The Service of the workers by host name, which they resolve before they are ready. */
export function workersService(identity: TrainingIdentity): Manifest {
  return service(identity, trainingObjectNames(identity.name).workers, {
    clusterIP: 'None',
    publishNotReadyAddresses: true,
    selector: trainingSelector(identity.name, 'worker'),
    ports: [port('master', trainingPorts.master)],
  });
}

/** The Service of the coordinator. */
export function coordinatorService(identity: TrainingIdentity): Manifest {
  return service(identity, trainingObjectNames(identity.name).coordinator, {
    selector: trainingSelector(identity.name, 'coordinator'),
    ports: [port('http', trainingPorts.coordinator), port('store', trainingPorts.store)],
  });
}

function service(identity: TrainingIdentity, name: string, spec: object): Manifest {
  return { apiVersion: 'v1', kind: 'Service', metadata: metadataOf(identity, name), spec } as Manifest;
}

/**
 * Opens the Pods of a job to each other, because gloo and NCCL choose their ports, and the coordinator to the operator. The
 * network plug-in of the cluster must support policies.
 */
export function trainingNetworkPolicy(identity: TrainingIdentity): Manifest {
  const all = trainingSelector(identity.name);
  const operator = { namespaceSelector: {}, podSelector: { matchLabels: { 'app.kubernetes.io/name': 'reconstruct' } } };
  const spec = {
    podSelector: { matchLabels: all },
    policyTypes: ['Ingress'],
    ingress: [
      { from: [{ podSelector: { matchLabels: all } }] },
      { from: [operator], ports: [{ port: trainingPorts.coordinator, protocol: 'TCP' }] },
    ],
  };
  const metadata = metadataOf(identity);
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec } as Manifest;
}

/**
 * Lets a drain evict one worker at a time, or as many as the job can do without. A single worker has no budget: it would block
 * the drain.
 */
export function workersBudget(
  identity: TrainingIdentity,
  { workers, minWorkers = workers }: TrainingJobSpec,
): readonly Manifest[] {
  if (workers < 2) return [];
  const spec = {
    minAvailable: Math.min(workers - 1, minWorkers),
    selector: { matchLabels: trainingSelector(identity.name, 'worker') },
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
  };
  const metadata = metadataOf(identity, trainingObjectNames(identity.name).workers);
  return [{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec } as Manifest];
}
