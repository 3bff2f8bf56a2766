import { expect, test } from 'vitest';
import { measured, tableOf } from './comparison.js';

const figures = [
  { what: 'seconds', of: async ({ name }: { readonly name: string }) => (name === 'ours' ? '1 s' : '60 s') },
  {
    what: 'requests',
    of: async ({ name }: { readonly name: string }) => {
      if (name === 'theirs') throw new Error('no server');
      return '3 | 4';
    },
  },
];

test('a comparison is a table with a column for each contestant, and the reason where nothing was measured', async () => {
  const said: string[] = [];
  const columns = [];
  for (const name of ['ours', 'theirs']) columns.push(await measured({ name }, figures, (line) => said.push(line)));
  expect(tableOf(columns)).toEqual([
    '|  | ours | theirs |',
    '|---|---|---|',
    '| seconds | 1 s | 60 s |',
    '| requests | 3 \\| 4 | failed: no server |',
  ]);
  expect(said).toHaveLength(4);
});
