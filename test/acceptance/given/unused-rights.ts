/** Rights as `verb resource.group/subresource`, each with why it is granted though no test of rights uses it. */
export type UnusedRights = Readonly<Record<string, string>>;

/** All verbs of an owned kind. */
export const ownedVerbs = ['list', 'get', 'create', 'update', 'patch', 'delete'] as const;

/** The same reason for several rights. */
export function because(reason: string, rights: readonly string[]): UnusedRights {
  return Object.fromEntries(rights.map((right) => [right, reason]));
}

/** Each verb for each resource. */
export function rightsOf(verbs: readonly string[], resources: readonly string[]): readonly string[] {
  return resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`));
}

/** Rights for the resources of a controller: it reads them, and writes their status and finalizers. */
export function rightsForResources(resources: readonly string[]): readonly string[] {
  return resources.flatMap((resource) => [
    ...rightsOf(['list', 'get', 'patch'], [resource]),
    `patch ${resource}/status`,
    `update ${resource}/finalizers`,
  ]);
}
