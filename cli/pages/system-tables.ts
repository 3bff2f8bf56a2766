import type { Command } from 'commander';
import { kebab } from '../codegen/names.js';
import type { Dashboard } from '../dashboards/dashboard.js';
import { code, type Sections, tableOf } from './sections.js';
import type { SystemPages } from './system-pages.js';

/** A system with everything that a shared page lists. */
export interface ListedSystem extends SystemPages {
  readonly commands: readonly Command[];
  /** Dashboards that show its metrics. */
  readonly dashboards: readonly Dashboard[];
}

/**
 * Lists of all systems in shared pages: `<!-- kinds -->` has the pages of each kind, `<!-- pages -->` the further pages,
 * `<!-- commands -->` the commands, and `<!-- monitoring -->` the dashboards.
 */
export function systemTables(systems: readonly ListedSystem[]): Sections {
  return {
    kinds: () => tableOf([['kind', 'concept', 'tasks', 'runbook', 'fields'], ...systems.flatMap(kindRows)]),
    pages: () => systems.flatMap(furtherPages),
    commands: () => tableOf([['command', 'effect'], ...systems.flatMap(commandRows)]),
    monitoring: () => tableOf([['page', 'dashboard', 'alerts'], ...systems.map(monitoringRow)]),
  };
}

const link = (text: string, to: string) => `[${text}](${to})`;
const page = (system: SystemPages, file: string) => `docs/kinds/${system.name}/${file}`;

function kindRows(system: ListedSystem): readonly (readonly string[])[] {
  return system.kinds.map(({ kind }) => [
    kind,
    link('concept', page(system, 'README.md')),
    tasksOf(system),
    link('runbook', page(system, 'runbook.md')),
    link('fields', `docs/reference/${kebab(kind)}.md`),
  ]);
}

/** Links to the pages of tasks. Without such a page, the concept has them. */
function tasksOf(system: ListedSystem): string {
  const files = system.pages.map(({ file }) => file).filter(isTasks);
  files.sort((a, b) => a.length - b.length); // tasks.md first
  const links = files.map((file) => link(file.replace(/\.md$/, '').replaceAll('-', ' '), page(system, file)));
  if (links.length > 0) return links.join(', ');
  const anchor = system.tasks === undefined ? '' : `#${system.tasks.toLowerCase()}`;
  return link('tasks', `${page(system, 'README.md')}${anchor}`);
}

const isTasks = (file: string) => /(^|-)tasks\.md$/.test(file);

function furtherPages(system: ListedSystem): readonly string[] {
  const further = system.pages.filter(({ file }) => !/^(README|runbook)\.md$/.test(file) && !isTasks(file));
  if (further.length === 0) return [];
  return [`- ${system.title}`, ...further.map(({ file, title }) => `  - ${link(title, page(system, file))}`)];
}

function commandRows(system: ListedSystem): readonly (readonly string[])[] {
  return system.commands.map((command) => [
    link(code(command.name()), page(system, 'commands.md')),
    command.description(),
  ]);
}

function monitoringRow(system: ListedSystem): readonly string[] {
  const files = system.dashboards.map(({ file }) => `${file}.json`);
  return [
    link(system.title, page(system, 'README.md')),
    files.map((file) => link(code(file), `docs/monitoring/${file}`)).join(', '),
    link('runbook', page(system, 'runbook.md')),
  ];
}
