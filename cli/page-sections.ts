import { allKinds, kinds } from '../crds/index.js';
import { controllers, systems } from '../operator/controllers/index.js';
import type { System } from '../operator/controllers/system.js';
import { describeOptions } from '../operator/process/flags.js';
import type { RuleFile } from './alerts/rule-files.js';
import { chartValues, systemValues } from './chart/values/chart-values.js';
import type { Dashboard } from './dashboards/dashboard.js';
import { framed } from './dashboards/frame.js';
import { alertTable } from './pages/alert-table.js';
import { conditionTables } from './pages/condition-tables.js';
import { metricTables } from './pages/metric-tables.js';
import { optionTable } from './pages/option-table.js';
import { refusalTables } from './pages/refusal-tables.js';
import type { Sections } from './pages/sections.js';
import { systemPages } from './pages/system-pages.js';
import { type ListedSystem, systemTables } from './pages/system-tables.js';
import { valueTable } from './pages/value-table.js';
import { vocabularyNamed } from './pages/vocabularies.js';
import { dashboards, systemTools } from './systems.js';

/**
 * Every part of the pages of this package that is generated.
 * @param root folder with the pages that the lists are about
 * @param rules the alert rules
 */
export async function pageSections(root: string, rules: readonly RuleFile[]): Promise<Sections> {
  const shown = (await dashboards()).map((dashboard) => ({ dashboard, text: JSON.stringify(framed(dashboard)) }));
  const listed = await Promise.all(systems.map((system) => listedSystem(root, system, shown)));
  return {
    ...conditionTables(vocabularyNamed),
    ...refusalTables(allKinds, kinds),
    ...metricTables(controllers),
    ...alertTable(rules),
    ...optionTable(describeOptions()),
    ...valueTable([...systemValues(systems), ...chartValues]),
    ...systemTables(listed),
  };
}

/** A dashboard, and the text with the metrics that it shows. */
interface ShownDashboard {
  readonly dashboard: Dashboard;
  readonly text: string;
}

async function listedSystem(root: string, system: System, all: readonly ShownDashboard[]): Promise<ListedSystem> {
  const tools = systemTools.find(({ name }) => name === system.name);
  if (!tools) throw new Error(`cli/systems.ts: must have a line for the system ${system.name}`);
  const listed = systemPages(root, system, kinds);
  for (const file of ['README.md', 'runbook.md', ...(tools.commands ? ['commands.md'] : [])])
    if (!listed.pages.some((page) => page.file === file))
      throw new Error(`docs/kinds/${system.name}/${file}: must exist, because shared pages link to it; write it`);
  const commands = await Promise.all(Object.values(tools.commands ?? {}).map((command) => command()));
  const metrics = system.controllers.flatMap((controller) => Object.keys(controller.metrics ?? {}));
  const shown = all.filter(({ text }) => metrics.some((metric) => text.includes(metric)));
  return { ...listed, commands, dashboards: shown.map(({ dashboard }) => dashboard) };
}
