import { because, rightsForResources, rightsOf, type UnusedRights } from '../given/unused-rights.js';

/** Rights for SecretRotations, and for the consumers of Secrets. */
export const unused = because('what a SecretRotation and the consumers of a Certificate need; nobody here has one', [
  ...rightsForResources(['secretrotations.reconstruct.dev']),
  ...rightsOf(['get', 'patch'], ['statefulsets.apps']),
  'list endpointslices.discovery.k8s.io',
]) satisfies UnusedRights;
