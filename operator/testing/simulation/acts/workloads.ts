import { Deployment, groupKindOf, Job, Pod, StatefulSet } from '../../../runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../../../runtime/kubernetes/object.js';
import type { Scene } from '../environment/scene.js';

type Workload = LiveObject & {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly observedGeneration?: number; readonly succeeded?: number; readonly podIP?: string };
};

/** The statuses of healthy workloads. */
const statuses: Readonly<Record<string, (object: Workload) => object>> = {
  [groupKindOf(Deployment)]: rolledOut,
  [groupKindOf(StatefulSet)]: rolledOut,
  [groupKindOf(Pod)]: running,
  [groupKindOf(Job)]: () => ({ succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] }),
};

/** Makes workloads ready after a while, like the controllers of Kubernetes. */
export function runWorkloads({ server, time, chance, history }: Scene): void {
  const own = chance.fork('workloads');
  server.listen(({ request: { kind }, after }) => {
    const statusOf = statuses[groupKindOf(kind)];
    if (!after || !statusOf || isCurrent(after)) return;
    time.after(own.spread(20, 10_000), () => {
      const now = server.find(kind, after.metadata) as Workload | undefined;
      if (!now || isCurrent(now)) return;
      history.say('workloads', `make ${kind.kind} ${keyOf(now.metadata)} ready`);
      server.patch(kind, now.metadata, [{ op: 'add', path: '/status', value: statusOf(now) }], 'status');
    });
  });
}

function isCurrent(object: Workload): boolean {
  const { observedGeneration, succeeded, podIP } = object.status ?? {};
  return observedGeneration === object.metadata.generation || succeeded !== undefined || podIP !== undefined;
}

/** The IP address of a Pod is unique, and the same in each replay of a history. */
function running({ metadata: { resourceVersion } }: Workload): object {
  const number = Number(resourceVersion);
  const podIP = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  return { phase: 'Running', podIP, conditions: [{ type: 'Ready', status: 'True' }] };
}

function rolledOut({ metadata, spec }: Workload): object {
  const replicas = spec?.replicas ?? 1;
  const ready = { updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
  return { observedGeneration: metadata.generation, replicas, ...ready };
}
