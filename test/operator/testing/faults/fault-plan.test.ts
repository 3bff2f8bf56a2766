import { expect, test } from 'vitest';
import { callOf } from '../../../../operator/testing/faults/call.js';
import type { Fault, FaultRule } from '../../../../operator/testing/faults/fault.js';
import { FaultPlan } from '../../../../operator/testing/faults/fault-plan.js';
import { seededRandom } from '../../../../operator/testing/faults/seeded-random.js';

const fault: Fault = { kind: 'refuse', code: 500 };
const other: Fault = { kind: 'lose', what: 'answer' };
const create = callOf('POST', '/api/v1/namespaces/a/services');
const read = callOf('GET', '/api/v1/namespaces/a/services/b');
const health = callOf('GET', '/readyz');

/** Which of the calls, made in this order, are met. */
const rows: readonly (readonly [met: string, rule: Omit<FaultRule, 'fault'>])[] = [
  ['create,create,read,create,health', {}],
  ['create,create,create', { verb: 'create' }],
  ['create,create,read,create', { verb: ['create', 'get'] }],
  ['read', { name: 'b' }],
  ['create,create,read,create', { resource: 'services', namespace: 'a' }],
  ['', { resource: 'pods' }],
  ['create', { verb: 'create', skip: 1, times: 1 }],
  ['create,create', { verb: 'create', times: 2 }],
  ['', { probability: 0 }],
];

test.each(rows)('meets %s by %o', (met, rule) => {
  const plan = new FaultPlan(seededRandom(1));
  plan.add({ ...rule, fault });
  const calls = Object.entries({ create, create2: create, read, create3: create, health });
  const hit = calls.filter(([, call]) => plan.faultFor(call)).map(([name]) => name.replace(/\d/, ''));
  expect(hit.join()).toBe(met);
});

test('meets a share of the calls, the same ones for the same seed', () => {
  const drawn = (seed: number) => {
    const plan = new FaultPlan(seededRandom(seed));
    plan.add({ fault, probability: 0.2 });
    return Array.from({ length: 1000 }, () => plan.faultFor(create) !== undefined);
  };
  const share = drawn(1).filter(Boolean).length;
  expect(share).toBeGreaterThan(150);
  expect(share).toBeLessThan(250);
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
});

test('asks the rules in their order, and one that was taken away no more', () => {
  const plan = new FaultPlan(seededRandom(1));
  const take = plan.add({ fault, skip: 1 });
  plan.add({ fault: other });
  expect([plan.faultFor(create), plan.faultFor(create)]).toEqual([other, fault]);
  take();
  expect(plan.faultFor(create)).toBe(other);
  plan.clear();
  expect(plan.faultFor(create)).toBeUndefined();
});
