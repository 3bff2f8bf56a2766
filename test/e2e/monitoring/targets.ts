import type { Targets } from '../../operator/engines/metrics/given-prometheus.js';
import type { LivePod } from '../cluster/kinds.js';
import { operatorPods } from '../cluster/operator-pods.js';

/** Pods as a Prometheus scrapes them. */
export function targetsOf(pods: readonly LivePod[]): Targets['pods'] {
  return pods.map(({ metadata: { name, uid }, status }) => ({ name, uid, address: status?.podIP ?? '' }));
}

/** The Pods of the operator that run now, with the port in their annotation. */
export async function operatorTargets(): Promise<Targets> {
  const pods = await operatorPods();
  const port = Number(pods[0]?.metadata.annotations?.['prometheus.io/port']);
  return { pods: targetsOf(pods), port, namespace: 'system' };
}
