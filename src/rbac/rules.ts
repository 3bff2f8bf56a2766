/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  /** The API groups. The core group is the empty string. */
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** The names of the objects. @default - every object */
  readonly resourceNames?: readonly string[];
}

/**
 * Merges rules: the result grants each permission of the given rules once, and nothing else. The order depends only on
 * the permissions, so that another controller changes only the rules that it adds to.
 */
export function mergedRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const byResource = merged(rules.flatMap(splitRule), ({ verbs: _, ...rest }) => rest);
  return merged(byResource, ({ resources: _, ...rest }) => rest);
}

/** A rule for each group and resource. */
function splitRule({ apiGroups, resources, verbs, resourceNames }: PolicyRule): PolicyRule[] {
  const names = resourceNames && { resourceNames: sorted(resourceNames) };
  return apiGroups.flatMap((group) =>
    resources.map((resource) => ({ apiGroups: [group], resources: [resource], ...names, verbs: sorted(verbs) })),
  );
}

/** Merges the rules for which `common` returns equal objects. */
function merged(rules: readonly PolicyRule[], common: (rule: PolicyRule) => object): PolicyRule[] {
  const groups = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const key = JSON.stringify(common(rule));
    const before = groups.get(key) ?? rule;
    groups.set(key, {
      ...rule,
      resources: sorted([...before.resources, ...rule.resources]),
      verbs: sorted([...before.verbs, ...rule.verbs]),
    });
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rule]) => rule);
}

function sorted(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
