import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longest } from './longest-first.js';

test('the files that start first are there', () => {
  expect(longest.filter((path) => !existsSync(path))).toEqual([]);
});
