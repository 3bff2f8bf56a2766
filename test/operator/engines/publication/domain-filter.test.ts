import { expect, test } from 'vitest';
import { domainFilterIn, isExcluded } from '../../../../operator/engines/publication/webhook/domain-filter.js';

test.each<{ filter: unknown; name: string; excluded: boolean }>([
  { filter: {}, name: 'a.example.com', excluded: false },
  { filter: null, name: 'a.example.com', excluded: false },
  { filter: 'all', name: 'a.example.com', excluded: false },
  { filter: { include: ['example.com'] }, name: 'a.example.com', excluded: false },
  { filter: { include: ['Example.com.'] }, name: 'A.EXAMPLE.com.', excluded: false },
  { filter: { include: ['example.com'] }, name: 'example.com', excluded: false },
  { filter: { include: ['.example.com'] }, name: 'example.com', excluded: true },
  { filter: { include: ['.example.com'] }, name: 'a.example.com', excluded: false },
  { filter: { include: ['example.com'] }, name: 'anexample.com', excluded: true },
  { filter: { include: ['example.com'], exclude: ['b.example.com'] }, name: 'a.b.example.com', excluded: true },
  { filter: { exclude: ['example.org'] }, name: 'a.example.com', excluded: false },
  { filter: { include: [1, ' ', null] }, name: 'a.example.com', excluded: false },
  { filter: { include: ['example.com'], regexInclude: '(a+)+$' }, name: 'a.example.org', excluded: false },
])('$filter excludes $name: $excluded', ({ filter, name, excluded }) => {
  expect(isExcluded(name, domainFilterIn(filter))).toBe(excluded);
});
