import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../plain.js';
import { type Identity, metadataOf } from './identity.js';

/**
 * Lets a drain take one pod at a time. A least number of pods would block the drain of a single replica for ever, and
 * so would pods that never become ready if they counted.
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
