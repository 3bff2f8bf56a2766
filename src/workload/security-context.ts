import type { k8s } from 'cdk8s-plus-27';
import type { Plain } from '../plain.js';

/**
 * What the Pod Security level "restricted" asks of a pod.
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
export const podSecurityContext: Plain<k8s.PodSecurityContext> = {
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

/** What it asks of a container, and more: nothing of its image can be changed. */
export const containerSecurityContext: Plain<k8s.SecurityContext> = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
};
