import { describe, expect, it } from 'vitest';
import type { SecretRotationResource } from '../../../../imports/index.js';
import { contentHash } from '../../../../operator/consumers/annotation.js';
import type { WorkloadState } from '../../../../operator/consumers/workloads.js';
import { secretRotation } from '../../../../operator/controllers/secret-rotation/index.js';
import { stepOf } from '../../../../operator/controllers/secret-rotation/plan/index.js';
import type { LoginsAnswer } from '../../../../operator/controllers/secret-rotation/ports/logins.js';
import { situationOf } from '../../../../operator/controllers/secret-rotation/situation.js';
import { factsOf, type GivenFacts } from '../../../../operator/testing/index.js';
import { credentialHash } from '../../../../src/index.js';
import { givenRotation } from './given-rotation.js';

const now = new Date('2026-11-27T12:00:00Z');
const current = { username: 'orders_a', password: 'secret of a' };
const next = { username: 'orders_b', password: 'secret of b' };
const encoded = (data: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
const prefixed = (prefix: string, data: typeof current) =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [`${prefix}.${key}`, text]));
const secret = (name: string, data: Readonly<Record<string, string>>) => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: encoded(data) },
});

const target = { ...current, host: 'db', dbname: 'shop', port: '5432' };
const both = [secret('orders-rotation', prefixed('current', current)), secret('orders-login', target)];
const changing = [
  secret('orders-rotation', { ...prefixed('current', current), ...prefixed('next', next) }),
  secret('orders-login', target),
];
const at = now.getTime();
const answer = <A>(value: A) => ({ known: true, value, at, earlier: [] }) as const;
const silence = (why: string) => ({ known: false, why, since: at, earlier: [] }) as const;
const role = { isOurs: true, canLogin: true, inUse: false };
const settled = { roles: { orders_a: role }, accepts: { current: true } };
const overlapping = { roles: { orders_a: role, orders_b: role }, accepts: { current: true } };
const shop = { deployment: 'shop' };
const state = (phase: string, why?: string) => ({ kind: 'Deployment', name: 'shop', phase, ...(why && { why }) });

interface Given {
  readonly owned?: GivenFacts['owned'];
  readonly logins?: LoginsAnswer | string;
  readonly states?: readonly object[];
  readonly calls?: GivenFacts['calls'];
  readonly spec?: Parameters<typeof givenRotation>[0];
  /** Hours since the credential was written. @default 2 */
  readonly age?: number;
  readonly before?: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
  }[];
}

function assessed({ owned = both, logins = settled, states, calls, spec = {}, age = 2, before = [] }: Given) {
  const rotated = new Date(at - age * 3_600_000).toISOString();
  const status = { credential: credentialHash(current), rotated, conditions: before } as unknown;
  const consumers = states ? [shop] : [];
  const resource = givenRotation(
    { consumers, ...spec },
    { status: status as NonNullable<SecretRotationResource['status']> },
  );
  const hash = contentHash(encoded(target));
  const polled = {
    drawn: answer({ password: 'secret of the next one' }),
    logins: typeof logins === 'string' ? silence(logins) : answer(logins),
    workloads: states && answer({ hash, states: states as readonly WorkloadState[] }),
  };
  const given = { owned, polled, now, reads: { database: undefined }, ...(calls && { calls }) };
  return secretRotation.assess(factsOf(resource, given as GivenFacts));
}

const sent = { state: 'sent', at, count: 3, firstAt: at } as const;
const noEffect = 'sent 3 times since 2026-11-27T12:00:00Z, without effect';
const failed = (why: string) => ({ state: 'failed', kind: 'retryable', why, since: at, count: 0 }) as const;

describe('the time of a credential', () => {
  it('is now if the clock was wrong, so that the next rotation does not wait for it', () => {
    const { status } = assessed({ age: -24 * 365 });
    expect(status).toMatchObject({ rotated: '2026-11-27T12:00:00Z', nextRotation: '2026-12-27T12:00:00Z' });
  });
});

describe('a rotation that is requested', () => {
  it.each([
    { when: 'its annotation is short', value: '1', requested: '1' },
    { when: 'its annotation is long', value: 'x'.repeat(2000), requested: `${'x'.repeat(1021)}…` },
  ])('is recorded with at most 1024 bytes, and starts once, when $when', ({ value, requested }) => {
    const annotations = { 'reconstruct.dev/rotate': value };
    const credential = credentialHash(current);
    const polled = {
      logins: answer(settled),
      drawn: answer({ password: 'secret of the next one' }),
      workloads: undefined,
    };
    const reads = { database: undefined };
    const status = (of: object) =>
      ({ credential, rotated: now.toISOString(), ...of }) as SecretRotationResource['status'];
    const asked = givenRotation({}, { annotations, status: status({}) });
    const started = secretRotation.assess(factsOf(asked, { owned: changing, polled, now, reads } as GivenFacts));
    expect(started.status).toMatchObject({ requested });
    const done = givenRotation({}, { annotations, status: status({ requested }) });
    const facts = factsOf(done, { owned: both, polled, now, reads } as GivenFacts);
    expect(stepOf(situationOf(facts as never)).does).toBe('rest');
  });
});

describe('line 12: a SecretRotation reports', () => {
  it.each<{ type: string; reason: string; when: string; given: Given; message?: string }>([
    { type: 'Rotated', reason: 'UpToDate', when: 'nothing is due', given: {} },
    {
      type: 'Rotated',
      reason: 'UpToDate',
      when: 'nothing is due, and PostgreSQL is away',
      given: { logins: 'refused' },
    },
    {
      type: 'Rotated',
      reason: 'Verifying',
      when: 'the first login is kept',
      given: { owned: [], logins: { roles: {}, accepts: {} } },
    },
    {
      type: 'Rotated',
      reason: 'ServerUnknown',
      when: 'PostgreSQL is away before the first login',
      given: { owned: [], logins: 'connect ECONNREFUSED 10.0.0.1:5432' },
      message: 'PostgreSQL does not answer: connect ECONNREFUSED 10.0.0.1:5432',
    },
    {
      type: 'Rotated',
      reason: 'Verifying',
      when: 'the next login is not known yet',
      given: { owned: changing, logins: 'no answer yet' },
    },
    {
      type: 'Rotated',
      reason: 'Verifying',
      when: 'the next login is being created',
      given: { owned: changing, logins: { ...settled, accepts: { current: true, next: false } } },
    },
    {
      type: 'Rotated',
      reason: 'CallFailed',
      when: 'PostgreSQL refuses the next login',
      given: {
        owned: changing,
        logins: { ...settled, accepts: { current: true, next: false } },
        calls: { login: failed('role "shop" does not exist') },
      },
      message: 'PostgreSQL does not accept login orders_b: role "shop" does not exist',
    },
    {
      type: 'Rotated',
      reason: 'Repairing',
      when: 'PostgreSQL has lost the password',
      given: { logins: { ...settled, accepts: { current: false } } },
    },
    {
      type: 'Rotated',
      reason: 'Verifying',
      when: 'PostgreSQL takes the next login without effect',
      given: {
        owned: changing,
        logins: { ...settled, accepts: { current: true, next: false } },
        calls: { login: sent },
      },
      message: `The request was ${noEffect}: wanted a login as orders_b, seen a refused login`,
    },
    {
      type: 'Rotated',
      reason: 'NotOurs',
      when: 'a role of the name belongs to another owner',
      given: { logins: { ...settled, roles: { orders_b: { ...role, isOurs: false } } } },
      message:
        'Role orders_b exists, and no SecretRotation of this name has created it; drop the role, or choose another name',
    },
    {
      type: 'Rotated',
      reason: 'DatabaseNotFound',
      when: 'there is no Database',
      given: { spec: { source: { database: { name: 'orders' } } } },
      message: 'The namespace has no Database orders; create it, or name another one in a new SecretRotation',
    },
    { type: 'Adopted', reason: 'Current', when: 'each consumer has it', given: { states: [state('Current')] } },
    {
      type: 'Adopted',
      reason: 'RollingOut',
      when: 'a consumer is being rolled',
      given: { states: [state('RollingOut'), { ...state('Current'), name: 'other' }] },
      message: 'Waiting for Deployment shop to run with the new credential',
    },
    {
      type: 'Adopted',
      reason: 'ConsumerMissing',
      when: 'a consumer does not exist',
      given: { states: [state('Missing')] },
      message: 'Deployment shop does not exist; create it, or remove it from spec.consumers',
    },
    {
      type: 'Adopted',
      reason: 'ConsumerFailed',
      when: 'a consumer does not come up',
      given: { states: [state('Failed', 'Deployment shop is paused; resume its rollout')] },
      message: 'Deployment shop is paused; resume its rollout',
    },
    {
      type: 'Adopted',
      reason: 'RolloutRefused',
      when: 'a policy refuses the rollout',
      given: { states: [state('Outdated')], calls: { rollout: failed('denied by policy') } },
      message: 'Consumers cannot be rolled: denied by policy',
    },
    {
      type: 'Adopted',
      reason: 'RollingOut',
      when: 'a consumer is not rolled by the request',
      given: { states: [state('Outdated')], calls: { rollout: sent } },
      message: `Waiting for Deployment shop to run with the new credential; the request to roll them was ${noEffect}`,
    },
    { type: 'Retired', reason: 'Refused', when: 'only one login works', given: {} },
    {
      type: 'Retired',
      reason: 'Refusing',
      when: 'PostgreSQL takes the refusal without effect',
      given: { logins: overlapping, calls: { login: sent } },
      message: `The request was ${noEffect}: wanted no login as orders_b, seen an accepted login`,
    },
    {
      type: 'Retired',
      reason: 'Overlapping',
      when: 'overlap has not passed',
      given: { logins: overlapping, age: 0.5 },
    },
    {
      type: 'Retired',
      reason: 'WaitingForConsumers',
      when: 'a consumer lacks it',
      given: { logins: overlapping, states: [state('Failed', 'it fails')] },
    },
    {
      type: 'Retired',
      reason: 'InUse',
      when: 'a session of the earlier login is open',
      given: { logins: { ...overlapping, roles: { orders_a: role, orders_b: { ...role, inUse: true } } } },
      message: 'Login orders_b works, because sessions of it are still open',
    },
    { type: 'Retired', reason: 'Refusing', when: 'the earlier login is not needed', given: { logins: overlapping } },
    {
      type: 'Retired',
      reason: 'Refused',
      when: 'PostgreSQL is away, and the earlier login was refused',
      given: {
        logins: 'refused',
        before: [{ type: 'Retired', status: 'True', reason: 'Refused', message: 'As before' }],
      },
      message: 'As before',
    },
  ])('$type $reason if $when', ({ type, reason, given, message }) => {
    const { conditions } = assessed(given);
    expect(conditions[type]).toEqual({ reason, ...(message && { message }) });
  });

  it('when the next rotation is due, and asks for a reconcile at that time', () => {
    const { status, requeueAfter } = assessed({ age: 24 }) as { status?: object; requeueAfter?: number };
    expect(status).toMatchObject({ login: 'orders_a', nextRotation: '2026-12-26T12:00:00Z' });
    expect(requeueAfter).toBe(29 * 24 * 3_600_000);
  });

  it('line 11: no secret', () => {
    for (const owned of [both, changing]) expect(JSON.stringify(assessed({ owned }))).not.toContain('secret of');
  });
});
