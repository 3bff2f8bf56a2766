import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backwardRange, database } from '../../crds/index.js';
import { isSchedule } from '../../operator/schedule/schedule.js';
import { givenControlPlane } from '../given/control-plane.js';
import { ApiServer } from './given-api-server.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  await server.serve(database);
});
afterAll(() => server.close());

test('the operator reads each schedule that the API server and the constructs accept', async () => {
  const value = fc.constantFrom(
    '0',
    '1',
    '7',
    '8',
    '12',
    '13',
    '23',
    '24',
    '31',
    '32',
    '59',
    '60',
    '*',
    'MON',
    'FRI',
    'JUN',
  );
  const range = fc.tuple(value, value).map(([from, to]) => `${from}-${to}`);
  const step = fc.tuple(fc.oneof(value, range), value).map(([of, by]) => `${of}/${by}`);
  const field = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('*', '1', '3') }, value, range, step);
  const schedule = fc.array(field, { minLength: 5, maxLength: 5 }).map((fields) => fields.join(' '));
  let taken = 0;
  const isRead = async (written: string) => {
    const backup = { target: { volume: { size: '2Gi' } }, schedule: written };
    const spec = { storage: { size: '1Gi' }, backup };
    const { status } = await server.tried(database, { metadata: { name: 'orders' }, spec });
    if (status >= 400 || backwardRange(written) !== undefined) return;
    taken++;
    expect(isSchedule(written)).toBe(true);
  };
  await fc.assert(fc.asyncProperty(schedule, isRead), { numRuns: 300 });
  expect(taken).toBeGreaterThan(20);
});
