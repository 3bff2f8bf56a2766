import { expect, test } from 'vitest';
import { chaos } from '../chaos/chaos.js';
import { operatorProgram } from '../given/build.js';

const never = new AbortController().signal;

test('R16 R22 R29 two replicas keep every guarantee during faults', { timeout: 360_000 }, async () => {
  const options = { minutes: 0.5, seed: 42, resources: 30, program: operatorProgram, say: () => {}, signal: never };
  const { counts, broken } = await chaos(options);
  console.log(JSON.stringify(counts));
  expect(broken).toEqual([]);
});
