import type { PolicyRule } from '../rbac/rules.js';
import type { InstalledController, InstalledKind } from './installation.js';

/** The reasons why a controller cannot work with only some namespaces, one sentence each, with what to do. */
export function outOfReach({ name, kind, owns = [], reads = {} }: InstalledController): readonly string[] {
  if (!kind.namespaced) return [];
  const made = owns.filter(({ namespaced, distant }) => distant || !namespaced);
  const needed = Object.values(reads).filter((read) => !read.kind.namespaced && !read.kind.optional);
  const names = (kinds: readonly { readonly kind: string }[]) => kinds.map((one) => one.kind).join(' and ');
  const needs = `controller ${name} reads the cluster-scoped ${names(needed.map((read) => read.kind))}`;
  return [
    ...(made.length > 0
      ? [`controller ${name} creates ${names(made)} outside the namespaces of its resources; remove watchNamespaces`]
      : []),
    ...(needed.length > 0 ? [`${needs}; remove watchNamespaces, or declare the read as optional`] : []),
  ];
}

/** The permissions of a controller that a Role can grant: all except those for cluster-scoped kinds. */
export function rightsWithin({ kind: own, rbacRules, reads = {} }: InstalledController): readonly PolicyRule[] {
  const far = [{ kind: own }, ...Object.values(reads)].filter(({ kind }) => !kind.namespaced);
  const isOf = ({ apiGroups, resources }: PolicyRule, { group, plural }: InstalledKind) =>
    apiGroups.includes(group) && resources.includes(plural);
  return rbacRules.filter((rule) => !far.some(({ kind }) => isOf(rule, kind)));
}
