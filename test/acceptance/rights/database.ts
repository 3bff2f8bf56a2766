import { because, ownedVerbs, rightsForResources, rightsOf, type UnusedRights } from '../given/unused-rights.js';

/** Rights for Databases and their backups. */
export const unused = because('what a Database is made of, and is called; nobody here has one', [
  ...rightsOf(ownedVerbs, ['persistentvolumeclaims', 'secrets', 'roles.rbac.authorization.k8s.io']),
  ...rightsOf(ownedVerbs, ['databasebackups.reconstruct.dev']),
  // Algorithms have the right to list them.
  ...rightsOf(['get', 'create', 'update', 'patch', 'delete'], ['pods']),
  ...rightsOf(['list', 'get'], ['nodes', 'namespaces']),
  ...rightsForResources(['databases.reconstruct.dev', 'databasebackups.reconstruct.dev']),
]) satisfies UnusedRights;
