import { because, ownedVerbs, rightsForResources, rightsOf, type UnusedRights } from '../given/unused-rights.js';

/** Rights for LeaderElections: their Leases and endpoints, and the roles of Pods. */
export const unused = because('what a LeaderElection needs; nobody here has one', [
  ...rightsForResources(['leaderelections.reconstruct.dev']),
  ...rightsOf(ownedVerbs, ['endpointslices.discovery.k8s.io']),
  'patch pods',
  ...rightsOf(['list', 'update', 'delete'], ['leases.coordination.k8s.io']),
]) satisfies UnusedRights;
