import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longest, rankOf } from './longest-first.js';

test('the files that start first are there', () => {
  const all = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((path) => `test/${path}`);
  expect(longest.filter((path) => !path.includes('*') && !existsSync(path))).toEqual([]);
  expect(longest.filter((_, index) => !all.some((path) => rankOf(path) === index))).toEqual([]);
});

test('the contract of each kind starts early, and other files come last', () => {
  const contract = rankOf('/project/test/operator/controllers/queue/contract.test.ts');
  expect(longest[contract]).toBe('test/operator/controllers/*/contract.test.ts');
  expect(rankOf('test/operator/controllers/queue/parts/contract.test.ts')).toBe(longest.length);
  expect(rankOf('test/operator/controllers/queue/simulation.test.ts')).toBe(longest.length);
});
