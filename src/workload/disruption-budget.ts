import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../manifest/plain.js';
import { type Identity, metadataOf } from './identity.js';

/**
 * Lets a drain evict one Pod at a time. `minAvailable` would block the drain of a single replica forever. Pods that
 * never become ready would block it too, if they counted.
 */
export function disruptionBudget(identity: Identity): ManifestOf<k8s.KubePodDisruptionBudgetProps> {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadataOf(identity),
    spec: {
      maxUnavailable: 1,
      selector: { matchLabels: identity.labels },
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    },
  };
}
