import type { LiveConfigMap, LiveDeployment } from '../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../operator/runtime/kubernetes/object.js';

/** A short summary per kind of object. */
type Summaries = Readonly<Record<string, (object: LiveObject) => string>>;

interface LiveService extends LiveObject {
  readonly spec: { readonly clusterIP?: string; readonly ports?: readonly { readonly port: number }[] };
}

interface LiveAutoscaler extends LiveObject {
  readonly spec: { readonly minReplicas?: number; readonly maxReplicas: number };
}

interface LiveBudget extends LiveObject {
  readonly spec: { readonly maxUnavailable?: number | string };
}

const summaries: Summaries = {
  ConfigMap: (object) => count(Object.keys((object as LiveConfigMap).data ?? {}).length, 'file'),
  Service: (object) => {
    const { clusterIP, ports = [] } = (object as LiveService).spec;
    return `${clusterIP ?? 'no address yet'}, port ${ports.map(({ port }) => port).join(', ')}`;
  },
  Deployment: (object) => {
    const { spec, status = {} } = object as LiveDeployment;
    return `${status.readyReplicas ?? 0} of ${spec.replicas ?? 1} ready`;
  },
  HorizontalPodAutoscaler: (object) => {
    const { minReplicas = 1, maxReplicas } = (object as LiveAutoscaler).spec;
    return `${minReplicas} to ${count(maxReplicas, 'replica')}`;
  },
  PodDisruptionBudget: (object) => `max unavailable ${(object as LiveBudget).spec.maxUnavailable}`,
};

/** A short summary of an object; empty for other kinds. */
export function summaryOf(object: LiveObject): string {
  if (object.metadata.deletionTimestamp) return 'is being deleted';
  return Object.hasOwn(summaries, object.kind) ? (summaries[object.kind]?.(object) ?? '') : '';
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
