import { describe, expect, it } from 'vitest';
import type { SecretRotationResource } from '../../../../../imports/index.js';
import { knownCredentials } from '../../../../../operator/controllers/secret-rotation/credentials/known-credentials.js';
import type { StableView } from '../../../../../operator/controllers/secret-rotation/view.js';
import { factsOf } from '../../../../../operator/testing/index.js';
import { credentialHash } from '../../../../../src/index.js';
import { givenRotation } from '../given-rotation.js';

const old = { username: 'orders_a', password: 'old' };
const now = { username: 'orders_b', password: 'new' };

const secret = (name: string, data: Readonly<Record<string, string>>) => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name } },
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
});
const prefixed = (prefix: string, { username, password }: typeof old) => ({
  [`${prefix}.username`]: username,
  [`${prefix}.password`]: password,
});

interface Given {
  readonly state?: Readonly<Record<string, string>>;
  readonly target?: Readonly<Record<string, string>>;
  readonly reported?: typeof old;
}

function known({ state, target, reported }: Given) {
  const status = reported && { credential: credentialHash(reported) };
  const resource = givenRotation({}, { status: status as NonNullable<SecretRotationResource['status']> });
  const owned = [
    ...(state ? [secret('orders-rotation', state)] : []),
    ...(target ? [secret('orders-login', target)] : []),
  ];
  return knownCredentials(factsOf(resource, { owned }) as unknown as StableView);
}

describe('line 10: the current credential', () => {
  it.each<{ when: string; given: Given; current: typeof old | undefined; isKept: boolean; isPublished: boolean }>([
    { when: 'there is no Secret', given: {}, current: undefined, isKept: false, isPublished: false },
    {
      when: 'only the next one is kept',
      given: { state: prefixed('next', now) },
      current: undefined,
      isKept: true,
      isPublished: false,
    },
    {
      when: 'both Secrets have it',
      given: { state: prefixed('current', now), target: now, reported: now },
      current: now,
      isKept: true,
      isPublished: true,
    },
    {
      when: 'the Secret of the consumers is deleted',
      given: { state: prefixed('current', now), reported: now },
      current: now,
      isKept: true,
      isPublished: false,
    },
    {
      when: 'the Secret of the operator is deleted',
      given: { target: now, reported: now },
      current: now,
      isKept: false,
      isPublished: true,
    },
    {
      when: 'the Secret of the consumers is edited',
      given: { state: prefixed('current', now), target: { ...now, password: 'edited' }, reported: now },
      current: now,
      isKept: true,
      isPublished: false,
    },
    {
      when: 'the Secret of the operator is edited',
      given: { state: prefixed('current', { ...now, password: 'edited' }), target: now, reported: now },
      current: now,
      isKept: false,
      isPublished: true,
    },
    {
      when: 'both Secrets are edited to a login that no rotation would refuse',
      given: {
        state: prefixed('current', { ...now, username: 'backdoor' }),
        target: { ...now, username: 'backdoor' },
        reported: now,
      },
      current: undefined,
      isKept: false,
      isPublished: false,
    },
    {
      when: 'the Secret of the operator has lost a key',
      given: { state: { 'current.username': 'orders_b' }, target: now, reported: now },
      current: now,
      isKept: false,
      isPublished: true,
    },
    {
      when: 'the operator ended between the writes of the two Secrets',
      given: { state: { ...prefixed('current', now), replaces: credentialHash(old) }, target: old, reported: old },
      current: now,
      isKept: true,
      isPublished: false,
    },
    {
      when: 'the operator ended before it wrote the status',
      given: { state: { ...prefixed('current', now), replaces: credentialHash(old) }, target: now, reported: old },
      current: now,
      isKept: true,
      isPublished: true,
    },
  ])('is known if $when', ({ given, current, isKept, isPublished }) => {
    expect(known(given)).toMatchObject({ current, isKept, isPublished });
  });
});
