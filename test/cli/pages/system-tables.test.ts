import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { type ListedSystem, systemTables } from '../../../cli/pages/system-tables.js';
import { database, databaseBackup } from '../../../crds/index.js';

const pages = (...files: readonly string[]) => files.map((file) => ({ file, title: `About ${file}` }));
const system: ListedSystem = {
  ...{ name: 'shop', title: 'Shop', kinds: [database, databaseBackup] },
  ...{ pages: pages('README.md', 'backup-tasks.md', 'compared.md', 'runbook.md', 'tasks.md'), tasks: undefined },
  ...{ commands: [], dashboards: [] },
};
const lines = (part: string, of: Partial<ListedSystem> = {}) => systemTables([{ ...system, ...of }])[part]?.([]);

describe('the table of kinds', () => {
  test('has a row for each kind, with the pages of tasks first by their length', () => {
    const tasks = '[tasks](docs/kinds/shop/tasks.md), [backup tasks](docs/kinds/shop/backup-tasks.md)';
    const links = `[concept](docs/kinds/shop/README.md) | ${tasks} | [runbook](docs/kinds/shop/runbook.md)`;
    expect(lines('kinds')?.slice(2)).toEqual([
      `| Database | ${links} | [fields](docs/reference/database.md) |`,
      `| DatabaseBackup | ${links} | [fields](docs/reference/database-backup.md) |`,
    ]);
  });

  test.each([
    { when: 'the page of the system has a heading for them', tasks: 'Changes', link: 'README.md#changes' },
    { when: 'it has none', tasks: undefined, link: 'README.md' },
  ])('leads to the page of the system if there is no page of tasks, and $when', ({ tasks, link }) => {
    expect(lines('kinds', { pages: pages('README.md'), tasks })?.at(-1)).toContain(`[tasks](docs/kinds/shop/${link})`);
  });
});

test('further pages are those that the table of kinds does not have, by their titles', () => {
  expect(lines('pages')).toEqual(['- Shop', '  - [About compared.md](docs/kinds/shop/compared.md)']);
  expect(lines('pages', { pages: pages('README.md') })).toEqual([]);
});

test('a command has its description and the page of its system', () => {
  const commands = [new Command('shop').description('open the shop')];
  expect(lines('commands', { commands })?.slice(2)).toEqual([
    '| [`shop`](docs/kinds/shop/commands.md) | open the shop |',
  ]);
});

test('a dashboard is beside the runbook of its system', () => {
  const file = { ...{ file: 'shops', uid: 'shop', title: 'Shops' }, namespacesOf: [], stats: [], graphs: [] };
  expect(lines('monitoring', { dashboards: [file] })?.at(-1)).toBe(
    '| [Shop](docs/kinds/shop/README.md) | [`shops.json`](docs/monitoring/shops.json) | [runbook](docs/kinds/shop/runbook.md) |',
  );
});
