import { expect, test } from 'vitest';
import { costTable } from './kills.js';

test('the costs of faults are a table, by fault and number of spares', () => {
  const killed = { what: 'process killed', spares: 0 };
  const table = costTable([
    { ...killed, seconds: 2, lost: 0 },
    { ...killed, seconds: 4, lost: 1 },
    { what: 'loss is NaN', spares: 0, seconds: 1, lost: 12 },
    { ...killed, seconds: 3, lost: 0 },
    { ...killed, spares: 1, seconds: 0.5, lost: 0 },
  ]);
  expect(table.map((line) => line.split(/ {2,}/))).toEqual([
    ['FAULT', 'SPARES', 'TIMES', 'MEDIAN SECONDS', 'P90', 'MOST', 'MEDIAN STEPS LOST', 'MOST'],
    ['process killed', '0', '3', '3.00', '4.00', '4.00', '0', '1'],
    ['loss is NaN', '0', '1', '1.00', '1.00', '1.00', '12', '12'],
    ['process killed', '1', '1', '0.50', '0.50', '0.50', '0', '0'],
  ]);
});
