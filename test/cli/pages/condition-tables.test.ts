import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { conditionTables } from '../../../cli/pages/condition-tables.js';
import { withSections } from '../../../cli/pages/sections.js';
import { vocabularyNamed } from '../../../cli/pages/vocabularies.js';
import { controllers } from '../../../operator/controllers/index.js';

const textOf = (page: string) => readFileSync(page, 'utf8');

describe('the tables of conditions', () => {
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);
  const marked = pages.filter((page) => textOf(page).includes('<!-- conditions: '));

  test('have every condition of every kind, once', () => {
    const tables = marked.flatMap((page) => [...textOf(page).matchAll(/<!-- conditions: (\w+)(.*?) -->/g)]);
    const listed = tables.flatMap(([, kind = '', types = '']) =>
      (types === '' ? Object.keys(vocabularyNamed(kind).conditions) : types.trim().split(' ')).map(
        (type) => `${kind} ${type}`,
      ),
    );
    const declared = controllers.flatMap(({ kind, conditions, reportsTo }) =>
      reportsTo === 'status' ? Object.keys(conditions).map((type) => `${kind.kind} ${type}`) : [],
    );
    // The conditions of a ClusterIssuer are those of an Issuer.
    const own = new Set(declared.filter((one) => !one.startsWith('ClusterIssuer ')));
    expect(listed.filter((one) => !one.startsWith('runtime ')).toSorted()).toEqual([...own].toSorted());
  });

  test('have every reason of a rejected spec', () => {
    const listed = pages.flatMap((page) =>
      [...textOf(page).matchAll(/<!-- rejections: (.*?) -->/g)].flatMap(([, kinds = '']) => kinds.split(' ')),
    );
    const declared = controllers.filter(({ rejections }) => rejections).map(({ kind }) => kind.kind);
    expect(listed.toSorted()).toEqual([...new Set(declared)].toSorted());
  });
});

describe('a table of conditions', () => {
  const conditions = {
    Served: {
      Serving: ['True', 'It serves'],
      Starting: ['Unknown', 'It starts'],
      Down: [
        'False',
        'It does not serve',
        'See [Start](docs/kinds/shop.md#start), [Lists](docs/lists.md) or [Own](docs/kinds/own.md#a).',
      ],
    },
    Wrong: { Lost: ['True', 'A row is lost', 'Restore it.'] },
  } as const;
  const of = () => ({ conditions, rejections: { Taken: 'Set another name.' } });
  const filled = (marker: string) =>
    withSections(`before\n<!-- ${marker} -->\nold\n<!-- end -->\nafter`, 'docs/kinds/own.md', conditionTables(of));

  test('has a row for each reason, with its meaning and what to do, and links from the page', () => {
    expect(filled('conditions: Shop')).toBe(
      [
        'before\n<!-- conditions: Shop -->\n',
        '| Condition | Reason | Status | Meaning | Action |',
        '| --- | --- | --- | --- | --- |',
        '| `Served` | `Serving` | True | It serves. | None. |',
        '| | `Starting` | Unknown | It starts. | Wait. |',
        '| | `Down` | False | It does not serve. | See [Start](shop.md#start), [Lists](../lists.md) or [Own](#a). |',
        '| `Wrong` | `Lost` | True | A row is lost. | Restore it. |',
        '\n<!-- end -->\nafter',
      ].join('\n'),
    );
  });

  test('has the conditions that the page names', () => {
    expect(filled('conditions: Shop Wrong')).not.toContain('Served');
    expect(() => filled('conditions: Shop Gone')).toThrow('Shop has no condition Gone; it has Served, Wrong');
  });

  test('has the reasons of rejected specs', () => {
    expect(filled('rejections: Shop')).toContain('| Shop | `Taken` | Set another name. |');
  });
});
