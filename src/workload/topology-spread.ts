import type { k8s } from 'cdk8s-plus-27';
import type { Plain } from '../manifest/plain.js';
import type { Identity } from './identity.js';

/** Spreads the Pods of one version. If a zone or node has no room, its Pods run elsewhere. */
export function topologySpread({ labels }: Identity, over: 'zone' | 'node'): Plain<k8s.TopologySpreadConstraint> {
  return {
    maxSkew: 1,
    topologyKey: over === 'zone' ? 'topology.kubernetes.io/zone' : 'kubernetes.io/hostname',
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: labels },
    matchLabelKeys: ['pod-template-hash'],
  };
}
