import type { Member } from '../../../operator/members/index.js';
import type { LivePersistentVolumeClaim, LivePod } from '../../../operator/runtime/index.js';
import { live } from '../../given.js';

/** Milliseconds since 1970. */
export const now = Date.parse('2030-01-01T12:00:00Z');

/** A member that serves. */
export function member(number: number, changes: Partial<Member> = {}): Member {
  return {
    ...{ name: `store-${number}`, pod: 'there', claim: 'there', isReady: true, readySince: now - 60_000 },
    ...{ revision: 'r1', node: `node-${number}`, zone: `zone-${number}` },
    ...changes,
  };
}

/** Members of which none runs. */
export const stopped = { pod: 'none', isReady: false, readySince: undefined } as const;

/** A Pod of `store-1` that is ready on `node-1`. */
export function pod(changes: { readonly metadata?: object; readonly spec?: object; readonly status?: object } = {}) {
  return live({
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name: 'store-1', creationTimestamp: '2030-01-01T11:00:00Z', ...changes.metadata },
    spec: { nodeName: 'node-1', containers: [], ...changes.spec },
    status: {
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2030-01-01T11:30:00Z' }],
      ...changes.status,
    },
  } as never) as unknown as LivePod;
}

/** A PVC whose volume was provisioned for a node. */
export function claim(name = 'store-1', changes: object = {}, home: string | null = 'node-1') {
  const annotations = home === null ? {} : { 'volume.kubernetes.io/selected-node': home };
  return live({
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, annotations, ...changes } },
    spec: { volumeName: `pv-${name}`, resources: { requests: { storage: '1Gi' } } },
    status: { phase: 'Bound', capacity: { storage: '1Gi' } },
  } as never) as unknown as LivePersistentVolumeClaim;
}
