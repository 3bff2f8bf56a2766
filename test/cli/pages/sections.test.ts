import { expect, test } from 'vitest';
import { type Sections, tableOf, withSections } from '../../../cli/pages/sections.js';

const sections: Sections = {
  fruits: (words) => tableOf([['fruit', 'see'], ...words.map((word) => [word, '[it](docs/kinds/shop/fruits.md#it)'])]),
  all: () => ['- [all](docs/all.md)'],
};
const filled = (text: string) => withSections(text, 'docs/kinds/shop/README.md', sections);

test('a part of a page is replaced, and its links are those of the page', () => {
  expect(filled('a\n<!-- fruits: plum -->\nold\n<!-- end -->\nb\n<!-- all -->\n<!-- end -->\n')).toBe(
    [
      'a\n<!-- fruits: plum -->\n',
      '| fruit | see |\n| --- | --- |\n| plum | [it](fruits.md#it) |',
      '\n<!-- end -->\nb\n<!-- all -->\n',
      '- [all](../../all.md)',
      '\n<!-- end -->\n',
    ].join('\n'),
  );
});

test('what is filled in twice is as after the first time', () => {
  const once = filled('<!-- fruits: plum fig -->\n<!-- end -->\n');
  expect(filled(once)).toBe(once);
});

test('a comment of no known part is an error with the parts that there are', () => {
  expect(() => filled('<!-- nuts -->\n<!-- end -->')).toThrow(
    'docs/kinds/shop/README.md: <!-- nuts -->: must be one of all, fruits',
  );
});
