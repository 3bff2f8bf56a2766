import { runbookOf } from '../alerts/alert-module.js';
import { alertsIn, type RuleFile } from '../alerts/rule-files.js';
import { code, type Sections, tableOf } from './sections.js';

/** The table of all alerts: `<!-- alerts -->`. Each has a heading in the runbook of its system. */
export function alertTable(files: readonly RuleFile[]): Sections {
  const rows = files.flatMap((file) =>
    alertsIn(file).map(({ name, firesIf }) => [code(name), firesIf, `[runbook](docs/${runbookOf(file.name, name)})`]),
  );
  return { alerts: () => tableOf([['alert', 'fires if', 'what to do'], ...rows]) };
}
