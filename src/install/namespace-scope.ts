import type { PolicyRule } from '../rbac/rules.js';
import type { InstalledController, InstalledKind } from './installation.js';

type Scope = Pick<InstalledKind, 'kind' | 'namespaced' | 'crossNamespace' | 'namespaces'>;

/**
 * The reasons why a controller cannot work with only these namespaces, one sentence each, with what to do. The operator
 * refuses the same controllers at its start.
 */
export function outOfReach(
  { name, kind, owns = [], reads = {} }: InstalledController,
  watched: readonly string[],
): readonly string[] {
  if (!kind.namespaced)
    return kind.optional
      ? [] // the operator leaves it out
      : [`controller ${name} reconciles the cluster-scoped ${kind.kind}; remove watchNamespaces`];
  const made = owns.filter((owned) => (owned.crossNamespace || !owned.namespaced) && isBeyond(owned, watched));
  const isFar = (one: Scope) => one.namespaced && one.crossNamespace && isBeyond(one, watched);
  const read = Object.entries(reads).filter(([, read]) => isFar(read.kind));
  const needed = Object.values(reads).filter((read) => !read.kind.namespaced && !read.kind.optional);
  const names = (kinds: readonly { readonly kind: string }[]) => kinds.map((one) => one.kind).join(' and ');
  const needs = `controller ${name} reads the cluster-scoped ${names(needed.map((read) => read.kind))}`;
  return [
    ...(made.length > 0
      ? [
          `controller ${name} creates ${names(made)} outside the namespaces of its resources; ${remedyFor(made, watched)}`,
        ]
      : []),
    ...read.map(([at, { kind: one }]) => {
      const missing = unwatched(one, watched);
      const where = missing
        ? `${missing.length > 1 ? 'namespaces' : 'namespace'} ${missing.join(', ')}`
        : 'other namespaces';
      return `controller ${name} reads ${one.kind} in ${where} (reads.${at}); ${remedyFor([one], watched)}`;
    }),
    ...(needed.length > 0 ? [`${needs}; remove watchNamespaces, or declare the read as optional`] : []),
  ];
}

/** The named namespaces that are not watched. Undefined if objects may be in any. */
function unwatched({ namespaced, namespaces }: Scope, watched: readonly string[]): readonly string[] | undefined {
  if (!namespaced || namespaces === undefined) return undefined;
  return namespaces === 'watched' ? [] : namespaces.filter((namespace) => !watched.includes(namespace));
}

function isBeyond(kind: Scope, watched: readonly string[]): boolean {
  return unwatched(kind, watched)?.length !== 0;
}

function remedyFor(kinds: readonly Scope[], watched: readonly string[]): string {
  const missing = kinds.map((kind) => unwatched(kind, watched));
  const names = missing.flatMap((one) => one ?? []);
  if (missing.includes(undefined)) return 'remove watchNamespaces';
  return `add ${[...new Set(names)].join(', ')} to watchNamespaces, or remove watchNamespaces`;
}

/** The permissions of a controller that a Role can grant: all except those for cluster-scoped kinds. */
export function rightsWithin({ kind: own, rbacRules, reads = {} }: InstalledController): readonly PolicyRule[] {
  const far = [{ kind: own }, ...Object.values(reads)].filter(({ kind }) => !kind.namespaced);
  const isOf = ({ apiGroups, resources }: PolicyRule, { group, plural }: InstalledKind) =>
    apiGroups.includes(group) && resources.includes(plural);
  return rbacRules.filter((rule) => !far.some(({ kind }) => isOf(rule, kind)));
}
