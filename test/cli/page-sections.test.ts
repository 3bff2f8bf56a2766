import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ruleFiles } from '../../cli/alerts/rule-files.js';
import { pageSections } from '../../cli/page-sections.js';
import { withSections } from '../../cli/pages/sections.js';
import { systems } from '../../operator/controllers/index.js';

const names = systems.map(({ name }) => name);
const sections = await pageSections('.', await ruleFiles('.', names));
const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ page: `docs/${file}`, text: readFileSync(`docs/${file}`, 'utf8') }));
const marked = pages.filter(({ text }) => text.includes('<!-- end -->'));

test.each(marked)('the generated parts of $page are what `npm run generate` writes', ({ page, text }) => {
  expect(withSections(text, page, sections)).toBe(text);
});

test.each(Object.keys(sections))('a page has the part %s', (name) => {
  expect(marked.filter(({ text }) => new RegExp(`<!-- ${name}( -->|:)`).test(text))).not.toEqual([]);
});
