import { because, rightsForResources, type UnusedRights } from '../given/unused-rights.js';

/** Rights for ServicePublications. */
export const unused = because('what a ServicePublication needs; nobody here has one', [
  ...rightsForResources(['servicepublications.reconstruct.dev']),
]) satisfies UnusedRights;
