import { because, rightsForResources, rightsOf, type UnusedRights } from '../given/unused-rights.js';

/** Rights for ServicePublications, and for annotated Services and HTTPRoutes. */
export const unused = because('what a ServicePublication and an annotated object need; nobody here has one', [
  ...rightsForResources(['servicepublications.reconstruct.dev']),
  ...rightsOf(['create', 'delete', 'update'], ['servicepublications.reconstruct.dev']),
  'update services/finalizers',
  'update httproutes.gateway.networking.k8s.io/finalizers',
]) satisfies UnusedRights;
