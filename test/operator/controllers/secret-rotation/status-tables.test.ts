import { expect, test } from 'vitest';
import { tableLines } from '../../../../cli/status/report-lines.js';
import { statusTables } from '../../../../operator/controllers/secret-rotation/status-tables.js';
import { now } from '../../../cli/status/given-conditions.js';

test.each([
  {
    shown: '2h3m ago  in 29d  1/1        orders_app_a',
    status: {
      ...{ rotated: '2029-12-31T21:57:00Z', nextRotation: '2030-01-30T21:57:00Z' },
      ...{ consumers: '1/1', login: 'orders_app_a' },
    },
  },
  { shown: '-        -     -          -', status: undefined },
])('the table of a SecretRotation has its times, consumers and login: $shown', ({ shown, status }) => {
  const [header, row] = statusTables({ resource: { status } as never, objects: [], now }).flatMap(tableLines);
  expect(header?.split(/ {2,}/)).toEqual(['ROTATED', 'NEXT', 'CONSUMERS', 'LOGIN']);
  expect(row).toBe(shown);
});
