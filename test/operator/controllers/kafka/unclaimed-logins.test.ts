import { afterEach, describe, expect, test } from 'vitest';
import { kafkaClusterSpec, kafkaUserSpec, secretRotationSpec, withDefaults } from '../../../../crds/index.js';
import { kafkaUserKind, secretRotationKind } from '../../../../imports/index.js';
import { unclaimedLogins } from '../../../../operator/controllers/kafka/cluster/annotations/unclaimed-logins.js';
import { claimedOf } from '../../../../operator/controllers/kafka/cluster/findings/claimed.js';
import { situationOf } from '../../../../operator/controllers/kafka/cluster/situation.js';
import type { ClusterAnswer, MarkedLogin } from '../../../../operator/controllers/kafka/ports/cluster.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { closeAll } from '../../runtime/given/oracle.js';
import { answer, now, situation, six } from './given-kafka.js';
import { givenServing } from './given-serving.js';

afterEach(closeAll);

const login = (user: string, changes: Partial<MarkedLogin> = {}): MarkedLogin => ({
  ...{ user, owners: ['KafkaUser'], denied: 'none' },
  ...changes,
});
const app = login('app');
const refused = login('app', { denied: 'all' });
const rotated = (namespace: string, changes: Partial<MarkedLogin> = {}) =>
  login('shop-a', { owners: [`SecretRotation/${namespace}/shop`], ...changes });

interface Given {
  readonly logins?: readonly MarkedLogin[];
  readonly users?: readonly string[];
  readonly rotations?: readonly string[];
  readonly allows?: string;
}

function unclaimed({ logins, users = [], rotations = [], allows }: Given) {
  const annotations = allows === undefined ? {} : { 'reconstruct.dev/allow-logins': allows };
  const resource = { metadata: { name: 'events', namespace: 'shop', annotations } };
  return unclaimedLogins(resource as never, { ...(logins && { logins }) }, { users, rotations });
}

const none = { refused: [], allowed: [] };
const refuse = (...users: readonly string[]) => ({ ...none, request: { act: 'refuseLogins', users } });

describe('a login that the operator created', () => {
  test.each<{ is: object; when: string; given: Given }>([
    { is: none, when: 'the cluster has no ACLs', given: {} },
    { is: none, when: 'its KafkaUser exists', given: { logins: [app], users: ['app'] } },
    { is: refuse('app'), when: 'no KafkaUser has it', given: { logins: [app], users: ['other'] } },
    {
      is: refuse('app'),
      when: 'only a KafkaUser with a certificate has its name',
      given: { logins: [app], users: ['CN=app'] },
    },
    {
      is: refuse('CN=app'),
      when: 'it is that of a certificate',
      given: { logins: [login('CN=app')], users: ['app'] },
    },
    {
      is: refuse('app'),
      when: 'only a part of the denials is there',
      given: { logins: [login('app', { denied: 'some' })] },
    },
    {
      is: { ...none, refused: ['app'] },
      when: 'everything is denied: nothing more is sent',
      given: { logins: [refused] },
    },
    {
      is: none,
      when: 'everything is denied and its KafkaUser is back, which removes it',
      given: { logins: [refused], users: ['app'] },
    },
    { is: none, when: 'its SecretRotation exists', given: { logins: [rotated('shop')], rotations: ['shop'] } },
    {
      is: refuse('shop-a'),
      when: 'no SecretRotation has it',
      given: { logins: [rotated('shop')], rotations: ['other'] },
    },
    {
      is: refuse('shop-a'),
      when: 'a SecretRotation of another namespace had it',
      given: { logins: [rotated('east')], rotations: ['shop'] },
    },
    {
      is: none,
      when: 'one of two owners is there',
      given: { logins: [rotated('shop', { owners: ['KafkaUser', 'SecretRotation/shop/shop'] })], rotations: ['shop'] },
    },
    {
      is: none,
      when: 'a later version marked it for a kind that this one does not have',
      given: { logins: [login('app', { owners: ['KafkaAccount/shop/app'] })] },
    },
    {
      is: { ...none, allowed: ['app'] },
      when: 'the annotation allows it',
      given: { logins: [app], allows: ' app,other' },
    },
    {
      is: { ...none, allowed: ['app'], request: { act: 'allowLogins', users: ['app'] } },
      when: 'the annotation allows it after it was refused',
      given: { logins: [refused], allows: 'app' },
    },
    {
      is: { ...none, allowed: ['app'], request: { act: 'allowLogins', users: ['app'] } },
      when: 'the annotation allows it and a part of the denials is there',
      given: { logins: [login('app', { denied: 'some' })], allows: 'app' },
    },
    {
      is: { ...none, allowed: ['app'], request: { act: 'refuseLogins', users: ['zoo'] } },
      when: 'another one is still open: that one is refused first',
      given: { logins: [refused, login('zoo')], allows: 'app' },
    },
    {
      is: refuse('app'),
      when: 'the annotation has a pattern, which is no name',
      given: { logins: [app], allows: '*' },
    },
  ])('leads to $is when $when', ({ is, given }) => {
    expect(unclaimed(given)).toEqual(is);
  });

  test('is refused with at most 99 others in one request', () => {
    const logins = Array.from({ length: 120 }, (_, n) => login(`user-${String(n).padStart(3, '0')}`));
    expect(unclaimed({ logins }).request?.users).toEqual(logins.slice(0, 100).map(({ user }) => user));
  });
});

test.each([
  { when: 'the KafkaUsers cannot be read', unserved: 'KafkaUser' },
  { when: 'the SecretRotations cannot be read', unserved: 'SecretRotation' },
  { when: 'both can be read', unserved: '' },
])('a login is refused only if it is known that no resource has it: $when', ({ unserved }) => {
  const spec = withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } } } as never);
  const view = {
    ...{ resource: { metadata: { name: 'events', namespace: 'shop', uid: 'uid' }, spec }, now: new Date(now) },
    ...{ owned: { of: () => [] }, isServed: ({ kind }: { readonly kind: string }) => kind !== unserved },
    polled: { cluster: { known: true, at: now, value: answer({ logins: [app] }) } },
    reads: { nodes: [], claims: [], listenerCertificates: [], users: [], rotations: [] },
  };
  expect(situationOf(view as never).logins).toEqual(unserved === '' ? refuse('app') : undefined);
});

describe('the condition Claimed', () => {
  const idle = { state: 'none' } as const;
  const failed = { state: 'failed', kind: 'terminal', why: 'not authorized' } as const;
  const told = (given: Given | undefined, call: object = idle, changes: object = {}) => {
    const seen = { situation: situation(six(), { logins: given && unclaimed(given), ...changes }) };
    return claimedOf(seen as never, call as never);
  };
  const remedy =
    'which no KafkaUser or SecretRotation has; create the KafkaUser, or name the users in the annotation reconstruct.dev/allow-logins';
  const all = Array.from({ length: 7 }, (_, n) => login(`u${n}`, { denied: 'all' }));

  test.each<{ is: object; when: string; given?: Given; call?: object; changes?: object }>([
    { is: { reason: 'Claimed' }, when: 'each login has its resource', given: { logins: [app], users: ['app'] } },
    { is: { reason: 'Claimed' }, when: 'KafkaUsers cannot be read' },
    {
      is: { reason: 'Claimed' },
      when: 'a login is not refused yet: its KafkaUser may just have been deleted with it',
      given: { logins: [app] },
    },
    {
      is: { reason: 'LoginsUnclaimed', message: `Kafka refuses everything to app, ${remedy}` },
      when: 'one is refused',
      given: { logins: [refused] },
    },
    {
      is: {
        reason: 'LoginsUnclaimed',
        message: `Kafka refuses everything to u0, u1, u2, u3, u4 and 2 more, ${remedy}`,
      },
      when: 'many are refused',
      given: { logins: all },
    },
    {
      is: { reason: 'RequestFailed', message: 'Logins of app are not refused: not authorized' },
      when: 'Kafka does not take the denials',
      ...{ given: { logins: [app] }, call: failed },
    },
    {
      is: { reason: 'RequestFailed', message: 'Logins of app are not allowed: not authorized' },
      when: 'Kafka does not remove the denials',
      ...{ given: { logins: [refused], allows: 'app' }, call: failed },
    },
    {
      is: {
        reason: 'LoginsAllowed',
        message: 'The annotation reconstruct.dev/allow-logins allows app, which no KafkaUser or SecretRotation has',
      },
      when: 'a person allows it',
      given: { logins: [app], allows: 'app' },
    },
    {
      is: { reason: 'BrokersUnreachable', message: 'The brokers do not answer' },
      when: 'the brokers do not answer',
      changes: { cluster: undefined, silence: 'the brokers do not answer' },
    },
    {
      is: { reason: 'Initializing' },
      when: 'the cluster is new',
      changes: { cluster: undefined, isBootstrapped: false },
    },
  ])('reports $is when $when', ({ is, given, call, changes }) => {
    expect(told(given, call, changes)).toEqual(is);
  });
});

test('a cluster that returns on its volumes refuses the logins that no resource has, until one has them', async () => {
  const logins = [app, login('lost'), login('elsewhere'), rotated('shop')];
  const { operator, brokers, apply, told } = await givenServing({}, { answer: answer({ logins }) });
  const { clock } = operator;
  const denied = () => {
    const all = (brokers.state as ClusterAnswer).logins ?? [];
    return Object.fromEntries(all.map((one) => [one.user, one.denied]));
  };
  const give = (kind: typeof kafkaUserKind | typeof secretRotationKind, name: string, spec: object) => {
    const metadata = { name, namespace: 'shop' };
    const object = { apiVersion: 'reconstruct.dev/v1alpha1', kind: kind.kind, metadata, spec };
    return operator.given(kind, object as Manifest);
  };
  expect(denied()).toEqual({ app: 'all', lost: 'all', elsewhere: 'all', 'shop-a': 'all' });
  expect((await told('Claimed')).message).toContain('Kafka refuses everything to app, elsewhere, lost, shop-a, which');
  expect(await told('Ready')).toMatchObject({ status: 'False' });

  const userOf = (name: string) => withDefaults(kafkaUserSpec, { cluster: { name } } as never);
  await give(kafkaUserKind, 'app', userOf('events'));
  await give(kafkaUserKind, 'elsewhere', userOf('west'));
  await give(
    secretRotationKind,
    'shop',
    withDefaults(secretRotationSpec, { source: { kafkaUser: { name: 'app' } } } as never),
  );
  await clock.advance(10_000);
  expect((await told('Claimed')).message).toContain('Kafka refuses everything to elsewhere, lost, which');

  await apply({}, { 'reconstruct.dev/allow-logins': 'lost, elsewhere' });
  await clock.advance(30_000);
  // The controllers of the resources remove the denials of the others. They do not run here.
  expect(denied()).toEqual({ app: 'all', lost: 'none', elsewhere: 'none', 'shop-a': 'all' });
  expect((await told('Claimed')).reason).toBe('LoginsAllowed');

  await apply({}, {});
  await clock.advance(30_000);
  expect(denied()).toMatchObject({ lost: 'all', elsewhere: 'all' });
});
