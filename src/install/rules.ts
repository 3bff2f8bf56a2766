/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  /** Empty for the core group. */
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** @default - every object */
  readonly resourceNames?: readonly string[];
}

/**
 * Rules that grant what the given ones grant together, each right once, and nothing else. Their order follows from what
 * they grant, so that another controller changes only what it adds.
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

/** One rule for all that agree in what `common` picks. */
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
