import type { k8s } from 'cdk8s-plus-27';
import type { Plain } from '../manifest/plain.js';

/**
 * The security context of a Pod that the Pod Security level "restricted" requires.
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
export const podSecurityContext: Plain<k8s.PodSecurityContext> = {
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

/** The security context of a container that the level requires, with a read-only root file system in addition. */
export const containerSecurityContext: Plain<k8s.SecurityContext> = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
};
