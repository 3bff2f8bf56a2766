import type { k8s } from 'cdk8s-plus-27';
import type { Plain } from '../plain.js';
import type { Identity } from './identity.js';

/** Spreads the pods of one version; a zone or node without room does not stop a pod from running elsewhere. */
export function topologySpread({ labels }: Identity, over: 'zone' | 'node'): Plain<k8s.TopologySpreadConstraint> {
  return {
    maxSkew: 1,
    topologyKey: over === 'zone' ? 'topology.kubernetes.io/zone' : 'kubernetes.io/hostname',
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: labels },
    matchLabelKeys: ['pod-template-hash'],
  };
}
