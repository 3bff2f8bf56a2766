import type { k8s } from 'cdk8s-plus-27';
import type { DatabaseSpec } from '../../imports/index.js';
import type { ManifestOf } from '../manifest/plain.js';
import { canonicalQuantity } from '../manifest/quantity.js';
import type { WorkloadMeta } from './identity.js';

/** A PersistentVolumeClaim with the access mode ReadWriteOnce. */
export function claim(
  { name, namespace, labels }: WorkloadMeta,
  { size, storageClassName }: DatabaseSpec['storage'],
): ManifestOf<k8s.KubePersistentVolumeClaimProps> {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace, labels },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName,
      resources: { requests: { storage: canonicalQuantity(size) } },
    },
  };
}
