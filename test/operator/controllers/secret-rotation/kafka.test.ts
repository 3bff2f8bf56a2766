import { describe, expect, it } from 'vitest';
import { secretRotation } from '../../../../operator/controllers/secret-rotation/index.js';
import { clusterPart } from '../../../../operator/kafka/cluster-part.js';
import { credentialHash } from '../../../../src/index.js';
import {
  absent,
  acls,
  at,
  changing,
  current,
  factsIn,
  first,
  type Given,
  mark,
  next,
  quotas,
  rendered,
  retired,
  type Texts,
  target,
  unproved,
  works,
} from './given-kafka-rotation.js';
import { kafka } from './given-rotation.js';

const keys = (slot: string) => ({ username: `${slot}.username`, password: `${slot}.password` });
const setPassword = (slot: 'current' | 'next', credential: Texts) => ({
  ...{ act: 'setPassword', user: credential['username'], hash: credentialHash(credential), keys: keys(slot) },
});

describe('the users of a rotation in Kafka', () => {
  it.each<{ calls: object; when: string; given: Given }>([
    { when: 'nothing is kept yet', given: { owned: [], users: [absent, absent] }, calls: {} },
    {
      when: 'the first user is kept: it gets the mark before anything else',
      given: { owned: first, users: [absent, absent] },
      calls: { rightsA: { act: 'setAcls', user: 'orders_a', add: [mark], remove: [] } },
    },
    {
      when: 'it has the mark alone',
      given: { owned: first, users: [{ ...absent, acls: [mark] }, absent] },
      calls: { rightsA: { act: 'setAcls', user: 'orders_a', add: acls, remove: [] } },
    },
    {
      when: 'it has no quotas yet',
      given: { owned: first, users: [{ ...retired, quotas: {} }, absent] },
      calls: { rightsA: { act: 'setQuotas', user: 'orders_a', quotas } },
    },
    {
      when: 'it has all rights: it gets its password',
      given: { owned: first, users: [{ ...retired, accepts: false }, absent] },
      calls: { login: setPassword('next', current) },
    },
    {
      when: 'the next user works, and lacks a quota',
      given: { owned: changing, users: [works, { ...works, quotas: {} }] },
      calls: { rightsB: { act: 'setQuotas', user: 'orders_b', quotas } },
    },
    { when: 'the next user works', given: { owned: changing, users: [works, works] }, calls: {} },
    {
      when: 'Kafka has lost the password of the clients',
      given: { users: [{ ...works, accepts: false }, retired] },
      calls: { login: setPassword('current', current) },
    },
    {
      when: 'Kafka has lost both users',
      given: { users: [{ ...absent, accepts: false }, absent] },
      calls: { rightsA: { act: 'setAcls', user: 'orders_a', add: [mark], remove: [] } },
    },
    {
      when: 'the earlier user is not needed any more',
      given: { users: [works, unproved], phase: 'Current' },
      calls: { login: { act: 'deletePassword', user: 'orders_b' } },
    },
    { when: 'overlap has not passed', given: { users: [works, unproved], phase: 'Current', age: 0.5 }, calls: {} },
    { when: 'a consumer has the earlier user', given: { users: [works, unproved], phase: 'RollingOut' }, calls: {} },
    { when: 'a consumer does not come up', given: { users: [works, unproved], phase: 'Failed' }, calls: {} },
    { when: 'one of them is unknown', given: { users: [works, 'no answer'], phase: 'Current' }, calls: {} },
    {
      when: 'somebody changed the rights of the user that rests',
      given: { users: [works, { ...retired, acls: [mark] }] },
      calls: { rightsB: { act: 'setAcls', user: 'orders_b', add: acls, remove: [] } },
    },
    {
      when: 'somebody else has a user of the name',
      given: { owned: first, users: [{ ...absent, hasCredential: true }, absent] },
      calls: {},
    },
    {
      when: 'somebody else has rights of the name',
      given: { owned: first, users: [{ ...absent, acls }, absent] },
      calls: {},
    },
  ])('are changed so if $when', ({ given, calls }) => {
    expect(rendered(given).calls).toEqual(calls);
  });

  it.each<{ calls: object; when: string; given: Given }>([
    {
      when: 'both have passwords',
      given: { users: [works, unproved] },
      calls: {
        rightsA: { act: 'deletePassword', user: 'orders_a' },
        rightsB: { act: 'deletePassword', user: 'orders_b' },
      },
    },
    {
      when: 'they have rights, and the KafkaUser is gone',
      given: {
        users: [retired, { ...retired, quotas: {} }],
        reads: { kafkaUser: undefined },
        status: { kafkaCluster: 'events' },
      },
      calls: {
        rightsA: { act: 'setAcls', user: 'orders_a', add: [], remove: acls },
        rightsB: { act: 'setAcls', user: 'orders_b', add: [], remove: acls },
      },
    },
    {
      when: 'they have the mark and quotas, or the mark alone',
      given: {
        users: [
          { ...absent, acls: [mark], quotas },
          { ...absent, acls: [mark] },
        ],
      },
      calls: {
        rightsA: { act: 'setQuotas', user: 'orders_a', quotas: {} },
        rightsB: { act: 'setAcls', user: 'orders_b', add: [], remove: [mark] },
      },
    },
    {
      when: 'somebody else has both',
      given: {
        users: [
          { ...works, acls },
          { ...works, acls },
        ],
      },
      calls: {},
    },
    { when: 'nothing is left', given: { users: [absent, absent] }, calls: {} },
    { when: 'one is unknown', given: { users: ['no answer', absent] }, calls: {} },
  ])('are removed with it, the mark last, if $when', ({ given, calls }) => {
    const { secrets, ...left } = rendered({ ...given, isDeleting: true });
    expect([left.calls, secrets]).toEqual([calls, {}]);
  });
});

describe('the Secret of clients of Kafka', () => {
  const of = (given: Partial<Given>) => rendered({ users: [works, works], ...given }).secrets['orders-login'];
  const keysOfKafkaUser = [
    'bootstrap.servers',
    'ca.crt',
    'client.properties',
    'password',
    'sasl.jaas.config',
    'username',
  ];

  it('has what that of a KafkaUser has, with the user whose turn it is', () => {
    const data = of({ owned: changing }) ?? {};
    expect(Object.keys(data).sort()).toEqual(keysOfKafkaUser);
    expect(data).toMatchObject({
      ...next,
      'ca.crt': 'authority',
      'bootstrap.servers': 'events-bootstrap.shop.svc:9092',
    });
    expect(data['sasl.jaas.config']).toContain('username="orders_b" password="secret of b"');
  });

  it.each<{ when: string; given: Partial<Given> }>([
    { when: 'the next user lacks rights', given: { users: [works, { ...works, quotas: {} }] } },
    { when: 'the next user is not proved', given: { users: [works, unproved] } },
    { when: 'Kafka refuses the next user', given: { users: [works, { ...works, accepts: false }] } },
    { when: 'Kafka is away', given: { users: ['away', 'away'] } },
  ])('keeps the earlier user while $when', ({ given }) => {
    expect(of({ owned: changing, ...given })).toMatchObject(current);
  });

  it.each<{ when: string; reads: object }>([
    { when: 'the authority is not read yet', reads: { kafkaAuthorities: [] } },
    { when: 'the KafkaCluster is deleted', reads: { kafkaClusters: [] } },
  ])('keeps the addresses and the authority if $when', ({ reads }) => {
    expect(of({ reads })).toMatchObject(target);
  });

  it('is not written before the authority of the listener is known', () => {
    expect(of({ owned: first, users: [works, absent], reads: { kafkaAuthorities: [] } })).toBeUndefined();
    expect(of({ owned: first, users: [works, absent] })).toMatchObject(current);
  });
});

describe('a SecretRotation in Kafka reports', () => {
  const listener = { name: 'internal', port: 9092, authentication: 'Scram', tls: { enabled: true } };
  const withListener = (changes: object) => ({
    kafkaClusters: [{ ...clusterPart(kafka.cluster as never), listeners: [{ ...listener, ...changes }] }],
  });
  const failed = { state: 'failed', kind: 'terminal', why: 'Kafka says no', since: at, count: 0 } as const;

  it.each<{ type: string; reason: string; when: string; given: Given; message?: string }>([
    { type: 'Rotated', reason: 'UpToDate', when: 'nothing is due', given: { users: [works, retired] } },
    { type: 'Rotated', reason: 'UpToDate', when: 'nothing is due, and Kafka is away', given: { users: ['', ''] } },
    { type: 'Retired', reason: 'Refused', when: 'one user works', given: { users: [works, retired] } },
    {
      type: 'Retired',
      reason: 'WaitingForConsumers',
      when: 'a consumer lacks it',
      given: { users: [works, unproved], phase: 'Failed' },
    },
    {
      type: 'Retired',
      reason: 'CallFailed',
      when: 'Kafka does not delete a password',
      given: { users: [works, unproved], calls: { login: failed } },
      message: 'Kafka does not refuse login orders_b: Kafka says no',
    },
    {
      type: 'Rotated',
      reason: 'ServerUnknown',
      when: 'Kafka is away before the first user',
      given: { owned: [], users: ['connect ECONNREFUSED', absent] },
      message: 'Kafka does not answer: connect ECONNREFUSED',
    },
    {
      type: 'Rotated',
      reason: 'CallFailed',
      when: 'Kafka refuses an ACL',
      given: { owned: changing, users: [works, { ...retired, quotas: {} }], calls: { rightsB: failed } },
      message: 'Kafka refuses ACLs or quotas: Kafka says no',
    },
    {
      type: 'Rotated',
      reason: 'CallFailed',
      when: 'Kafka takes an ACL without effect',
      given: {
        ...{ owned: changing, users: [works, { ...retired, quotas: {} }] },
        calls: { rightsB: { state: 'sent', at, count: 2, firstAt: 0 } },
      },
      message:
        'Kafka does not apply ACLs or quotas: the request was sent 2 times since 1970-01-01T00:00:00Z, without effect',
    },
    {
      type: 'Rotated',
      reason: 'NotOurs',
      when: 'somebody else has a user of the name',
      given: { users: [works, { ...absent, hasCredential: true }] },
      message:
        'User orders_b exists, and no SecretRotation of this name has created it; delete the user in Kafka, or choose another name',
    },
    {
      type: 'Rotated',
      reason: 'KafkaUserNotFound',
      when: 'there is no KafkaUser',
      given: { users: [works, retired], reads: { kafkaUser: undefined } },
      message: 'The namespace has no KafkaUser shop; create it, or name another one in a new SecretRotation',
    },
    {
      type: 'Rotated',
      reason: 'KafkaClusterNotFound',
      when: 'there is no KafkaCluster',
      given: { users: [works, retired], reads: { kafkaClusters: [] } },
      message: 'The namespace has no KafkaCluster events; create it',
    },
    {
      type: 'Rotated',
      reason: 'KafkaUserUnsuitable',
      when: 'the KafkaUser has a certificate',
      given: { users: [works, retired], reads: { kafkaUser: { cluster: 'events', authentication: 'MutualTls' } } },
      message:
        'KafkaUser shop has a certificate and no password; name a KafkaUser with authentication Scram in a new SecretRotation',
    },
    {
      type: 'Rotated',
      reason: 'KafkaUserUnsuitable',
      when: 'the KafkaUser was replaced by one of another cluster',
      given: { users: [works, retired], status: { kafkaCluster: 'other' } },
      message:
        'KafkaUser shop belongs to KafkaCluster events, and the users of this rotation to other; create another SecretRotation',
    },
    ...[{ authentication: 'MutualTls' }, { tls: { enabled: true, issuer: { name: 'public' } } }].map((changes) => ({
      ...{ type: 'Rotated', reason: 'KafkaUserUnsuitable', when: `the listener has ${JSON.stringify(changes)}` },
      given: { users: [works, retired], reads: withListener(changes) } as Given,
      message:
        'KafkaUser shop cannot be tried: KafkaCluster events has no listener with authentication Scram and the issuer of the cluster; add one to its spec.listeners',
    })),
  ])('$type $reason if $when', ({ type, reason, given, message }) => {
    const { conditions } = secretRotation.assess(factsIn(given) as never);
    expect(conditions[type]).toEqual({ reason, ...(message && { message }) });
  });

  it('the KafkaCluster of the users, and keeps it when the KafkaUser is gone', () => {
    const statusOf = (given: Given) => secretRotation.assess(factsIn(given) as never).status;
    const users = [works, retired] as const;
    expect(statusOf({ users })).toMatchObject({ kafkaCluster: 'events', login: 'orders_a' });
    const gone = { users, reads: { kafkaUser: undefined }, status: { kafkaCluster: 'events' } };
    expect(statusOf(gone)).toMatchObject({ kafkaCluster: 'events' });
  });
});
