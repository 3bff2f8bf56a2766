import type { System } from '../../operator/controllers/system.js';
import { parseYaml } from '../../operator/yaml/parse-yaml.js';
import type { AlertGroup, SystemAlerts } from '../../src/monitoring/alerts.js';
import type { RuleFile } from './rule-files.js';

/**
 * The module `imports/alert-rules.ts`: the alerts of all systems as values, from which `OperatorInstall` makes a
 * PrometheusRule.
 */
export function alertModule(files: readonly RuleFile[], systems: readonly System[]): string {
  const all = files.map((file): SystemAlerts => {
    const controllers = systems.find(({ name }) => name === file.name)?.controllers ?? [];
    return { system: file.name, controllers: controllers.map(({ name }) => name), groups: groupsOf(file) };
  });
  return [
    '/** The alerts of the systems of this package, and of the operator. */',
    `export const alertRules = ${JSON.stringify(all, undefined, 2)} as const;`,
    '',
  ].join('\n');
}

function groupsOf({ name, text }: RuleFile): readonly AlertGroup[] {
  const { groups } = parseYaml(text) as { readonly groups: readonly AlertGroup[] };
  return groups.map((group) => ({
    ...group,
    rules: group.rules.map((rule) => ({ ...rule, runbook: runbookOf(name, rule.alert) })),
  }));
}

/** The section of the runbook of an alert, below the folder `docs`. */
export function runbookOf(system: string, alert: string): string {
  const page = system === 'operator' ? 'observing.md' : `kinds/${system}/runbook.md`;
  return `${page}#${alert.toLowerCase()}`;
}
