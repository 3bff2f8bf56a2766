import type { InstalledController, InstalledKind } from './installation.js';
import type { PolicyRule } from './rules.js';

/** Why a controller cannot work for some namespaces alone, each in a sentence that says what to do. */
export function outOfReach({ name, kind, owns = [], reads = {} }: InstalledController): readonly string[] {
  if (!kind.namespaced) return [];
  const made = owns.filter(({ namespaced, distant }) => distant || !namespaced);
  const needed = Object.values(reads).filter((read) => !read.kind.namespaced && !read.kind.optional);
  const names = (kinds: readonly { readonly kind: string }[]) => kinds.map((one) => one.kind).join(' and ');
  const needs = `controller ${name} reads ${names(needed.map((read) => read.kind))}, which is in no namespace`;
  return [
    ...(made.length > 0
      ? [`controller ${name} makes ${names(made)} outside of its resources' namespaces; leave watchNamespaces out`]
      : []),
    ...(needed.length > 0 ? [`${needs}; leave watchNamespaces out, or read it as optional`] : []),
  ];
}

/** What a Role can grant of a controller's rights: what is in no namespace it does without. */
export function rightsWithin({ rights, reads = {} }: InstalledController): readonly PolicyRule[] {
  const far = Object.values(reads).filter(({ kind }) => !kind.namespaced);
  const isOf = ({ apiGroups, resources }: PolicyRule, { group, plural }: InstalledKind) =>
    apiGroups.includes(group) && resources.includes(plural);
  return rights.filter((rule) => !far.some(({ kind }) => isOf(rule, kind)));
}
