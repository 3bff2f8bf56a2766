import { describe, expect, it } from 'vitest';
import { stepOf } from '../../../../../operator/controllers/secret-rotation/plan/index.js';
import type { Situation } from '../../../../../operator/controllers/secret-rotation/situation.js';

const hour = 3_600_000;
const now = 1000 * hour;
const a = { username: 'orders_a', password: 'old' };
const b = { username: 'orders_b', password: 'new' };
const role = { isOurs: true, canLogin: true, inUse: false };
const retired = { isOurs: true, canLogin: false, inUse: false };
const pair = ['orders_a', 'orders_b'] as const;

const seen = (roles: object, accepts: object = {}) => ({ roles, accepts }) as NonNullable<Situation['logins']>['seen'];
const logins = (roles: object, accepts: object = {}) => ({ pair, seen: seen(roles, accepts) });
const both = { orders_a: role, orders_b: role };
const onlyA = { orders_a: role, orders_b: retired };
const current = { current: true };

const base: Situation = {
  now,
  every: 720 * hour,
  overlap: hour,
  since: now - 2 * hour,
  isRequested: false,
  drawn: { password: 'new' },
  isPublished: true,
  isAdopted: true,
};
const overdue = { since: now - 721 * hour };
const keepB = { does: 'keep', next: b };

describe('line 7: the next step of a login', () => {
  it.each<{ step: object; when: string; given: Partial<Situation> }>([
    { when: 'nothing is known', given: { logins: { pair } }, step: { does: 'wait', why: 'server' } },
    {
      when: 'no password is drawn',
      given: { logins: logins({}), drawn: undefined },
      step: { does: 'wait', why: 'values' },
    },
    {
      when: 'there is no login yet',
      given: { logins: logins({}) },
      step: { does: 'keep', next: { username: 'orders_a', password: 'new' } },
    },
    {
      when: 'somebody else has created a role of the name',
      given: { logins: logins({ orders_b: { ...role, isOurs: false } }) },
      step: { does: 'wait', why: 'notOurs', login: 'orders_b' },
    },
    {
      when: 'the first login is kept, and does not exist',
      given: { next: a, logins: logins({}, { next: false }) },
      step: { does: 'allow', slot: 'next', login: 'orders_a' },
    },
    {
      when: 'it is not known whether the kept login works',
      given: { next: a, logins: logins({}) },
      step: { does: 'wait', why: 'server' },
    },
    {
      when: 'the kept login works',
      given: { next: a, logins: logins({ orders_a: role }, { next: true }) },
      step: { does: 'publish', current: a },
    },
    {
      when: 'the Secret cannot be written, and the consumers have its earlier content',
      given: { current: b, isPublished: false, logins: logins(both, current) },
      step: { does: 'wait', why: 'secret' },
    },
    {
      when: 'a consumer was not rolled',
      given: { current: a, isAdopted: false, phases: ['Current', 'Outdated'], logins: logins(onlyA, current) },
      step: { does: 'roll' },
    },
    {
      when: 'a consumer does not come up, and overlap has passed',
      given: { current: a, isAdopted: false, phases: ['Current', 'Failed'], logins: logins(both, current) },
      step: { does: 'wait', why: 'consumers' },
    },
    {
      when: 'a consumer does not come up, and the next rotation is due',
      given: { current: a, isAdopted: false, phases: ['Failed'], logins: logins(both, current), ...overdue },
      step: { does: 'wait', why: 'consumers' },
    },
    {
      when: 'the consumers are unknown',
      given: { current: a, isAdopted: false, logins: logins(both, current) },
      step: { does: 'wait', why: 'consumers' },
    },
    {
      when: 'overlap has not passed',
      given: { current: a, since: now - hour / 2, logins: logins(both, current) },
      step: { does: 'wait', why: 'overlap', login: 'orders_b', until: now + hour / 2 },
    },
    {
      when: 'a session of the earlier login is open',
      given: { current: a, logins: logins({ ...both, orders_b: { ...role, inUse: true } }, current) },
      step: { does: 'wait', why: 'sessions', login: 'orders_b' },
    },
    {
      when: 'the earlier login is not needed any more',
      given: { current: a, logins: logins(both, current) },
      step: { does: 'refuse', login: 'orders_b' },
    },
    {
      when: 'the earlier login is refused',
      given: { current: a, logins: logins(onlyA, current) },
      step: { does: 'rest', until: now + 718 * hour },
    },
    {
      when: 'the next rotation is due',
      given: { current: a, ...overdue, logins: logins(onlyA, current) },
      step: keepB,
    },
    {
      when: 'a person asks for it',
      given: { current: a, isRequested: true, logins: logins(onlyA, current) },
      step: keepB,
    },
    {
      when: 'it is due, and the earlier login still works',
      given: { current: a, ...overdue, logins: logins(both, current) },
      step: { does: 'refuse', login: 'orders_b' },
    },
    {
      when: 'it is due, and PostgreSQL does not answer',
      given: { current: a, ...overdue, logins: { pair } },
      step: { does: 'wait', why: 'server' },
    },
    {
      when: 'nothing is due, and PostgreSQL does not answer',
      given: { current: a, logins: { pair } },
      step: { does: 'rest', until: now + 718 * hour },
    },
    {
      when: 'PostgreSQL no longer accepts the login, such as after a restore',
      given: { current: a, next: b, logins: logins(onlyA, { current: false, next: false }) },
      step: { does: 'allow', slot: 'current', login: 'orders_a' },
    },
    {
      when: 'the credential is lost, and one login is refused',
      given: { logins: { ...logins(onlyA), last: 'orders_a' } },
      step: keepB,
    },
    {
      when: 'the credential is lost, and one of two logins is in use',
      given: { logins: { ...logins({ orders_a: { ...role, inUse: true }, orders_b: role }), last: 'orders_b' } },
      step: keepB,
    },
    {
      when: 'the credential is lost, and both logins are in use',
      given: { logins: logins({ orders_a: { ...role, inUse: true }, orders_b: { ...role, inUse: true } }) },
      step: { does: 'wait', why: 'bothInUse' },
    },
  ])('is $step.does $step.why if $when', ({ given, step }) => {
    expect(stepOf({ ...base, ...given })).toEqual(step);
  });
});

describe('the next step of random values', () => {
  const value = { key: 'old' };
  const drawn = { key: 'new' };
  it.each<{ step: object; when: string; given: Partial<Situation> }>([
    { when: 'they are not drawn', given: { drawn: undefined }, step: { does: 'wait', why: 'values' } },
    { when: 'there are none', given: {}, step: { does: 'publish', current: drawn } },
    {
      when: 'a consumer was not rolled',
      given: { current: value, isAdopted: false, phases: ['Outdated'] },
      step: { does: 'roll' },
    },
    { when: 'nothing is due', given: { current: value }, step: { does: 'rest', until: now + 718 * hour } },
    { when: 'they are due', given: { current: value, ...overdue }, step: { does: 'publish', current: drawn } },
    {
      when: 'they are due, and a consumer does not come up',
      given: { current: value, ...overdue, isAdopted: false, phases: ['Failed'] },
      step: { does: 'wait', why: 'consumers' },
    },
  ])('is $step.does if $when', ({ given, step }) => {
    expect(stepOf({ ...base, drawn, ...given })).toEqual(step);
  });
});
