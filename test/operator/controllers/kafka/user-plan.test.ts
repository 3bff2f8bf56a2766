import { describe, expect, test } from 'vitest';
import { kafkaUserSpec, withDefaults } from '../../../../crds/index.js';
import type { KafkaUserResource } from '../../../../imports/index.js';
import { changesOf, dueSteps } from '../../../../operator/controllers/kafka/user/plan.js';
import { denials, type UserAnswer, userMark } from '../../../../operator/kafka/users.js';

function user(spec: object = {}, isDeleting = false): KafkaUserResource {
  return {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'KafkaUser' },
    metadata: { name: 'shop', namespace: 'shop', ...(isDeleting && { deletionTimestamp: '2026-11-27T00:00:00Z' }) },
    spec: withDefaults(kafkaUserSpec, { cluster: { name: 'events' }, ...spec } as never),
  } as unknown as KafkaUserResource;
}

const found = (changes: Partial<UserAnswer> = {}): UserAnswer => ({
  hasCredential: true,
  quotas: {},
  ...changes,
  acls: [userMark, ...(changes.acls ?? [])],
});
const absent: UserAnswer = { hasCredential: false, acls: [], quotas: {} };
const read = { resource: 'Topic', name: 'orders', pattern: 'Literal', operation: 'Read', permission: 'Allow' } as const;
const write = { ...read, operation: 'Write' } as const;
const acls = [{ resource: { type: 'Topic', name: 'orders' }, operations: ['Read', 'Write'] }];

describe('the changes of a user', () => {
  test.each<{ are: object; when: string; given: KafkaUserResource; has: UserAnswer; hash?: string }>([
    {
      are: { login: { act: 'setPassword', hash: 'h' } },
      when: 'it has no password',
      given: user(),
      has: found({ hasCredential: false }),
      hash: 'h',
    },
    { are: {}, when: 'the Secret has no password yet', given: user(), has: found({ hasCredential: false }) },
    { are: {}, when: 'the password works', given: user(), has: found({ accepts: true }), hash: 'h' },
    { are: {}, when: 'the login cannot be tried, and there is a password', given: user(), has: found(), hash: 'h' },
    {
      are: { login: { act: 'setPassword', hash: 'h' } },
      when: 'the password is refused',
      given: user(),
      has: found({ accepts: false }),
      hash: 'h',
    },
    {
      are: { login: { act: 'deletePassword' } },
      when: 'it has a certificate instead',
      given: user({ authentication: 'MutualTls' }),
      has: found(),
    },
    {
      are: { rights: { act: 'setAcls', add: [read, write], remove: [] } },
      when: 'it has no rights',
      given: user({ acls }),
      has: found(),
    },
    {
      are: { rights: { act: 'setAcls', add: [write], remove: [] } },
      when: 'it has some of them',
      given: user({ acls }),
      has: found({ acls: [read] }),
    },
    {
      are: { rights: { act: 'setAcls', add: [], remove: [read] } },
      when: 'it has a right that the spec lacks',
      given: user(),
      has: found({ acls: [read] }),
    },
    {
      are: { rights: { act: 'setQuotas', quotas: { producerByteRate: 1_048_576 } } },
      when: 'it has no quota',
      given: user({ quotas: { producerByteRate: '1Mi' } }),
      has: found(),
    },
    {
      are: { rights: { act: 'setQuotas', quotas: {} } },
      when: 'it has a quota that the spec lacks',
      given: user(),
      has: found({ quotas: { requestPercentage: 5 } }),
    },
    {
      are: { login: { act: 'deletePassword' }, rights: { act: 'setAcls', add: [], remove: [read] } },
      when: 'it is being deleted',
      given: user({ acls }, true),
      has: found({ acls: [read] }),
      hash: 'h',
    },
    {
      are: {},
      when: 'it is being deleted, and nothing is left',
      given: user({ acls }, true),
      has: absent,
    },
    {
      are: { rights: { act: 'setAcls', add: [], remove: [userMark] } },
      when: 'it is being deleted, and only the mark is left: it outlasts the login',
      given: user({ acls }, true),
      has: found({ hasCredential: false }),
    },
    {
      are: { login: { act: 'setPassword', hash: 'h' }, rights: { act: 'setAcls', add: [userMark], remove: [] } },
      when: 'Kafka does not have it: it gets the mark of the operator',
      given: user(),
      has: absent,
      hash: 'h',
    },
    {
      are: { rights: { act: 'setAcls', add: [], remove: [...denials] } },
      when: 'its cluster refused the login while no KafkaUser had it',
      given: user(),
      has: found({ accepts: true, acls: denials }),
      hash: 'h',
    },
    {
      are: { login: { act: 'deletePassword' } },
      when: 'it is being deleted and an earlier operator created it without a mark',
      given: user({}, true),
      has: { ...absent, hasCredential: true },
    },
  ])('are $are when $when', ({ are, given, has, hash }) => {
    expect(changesOf(given, has, hash)).toEqual(are);
  });

  test.each([
    { sent: ['rights'], when: 'the mark is missing', has: absent },
    { sent: ['login'], when: 'the mark is there', has: found({ hasCredential: false }) },
    {
      sent: ['login'],
      when: 'it is being deleted without a mark',
      has: { ...absent, hasCredential: true },
      isDeleting: true,
    },
    { sent: ['login', 'rights'], when: 'it is being deleted', has: found({ acls: [read] }), isDeleting: true },
  ])('are sent as $sent when $when', ({ sent, has, isDeleting = false }) => {
    const due = dueSteps({ resource: user({}, isDeleting), found: has, hash: 'h' });
    expect(Object.keys(due)).toEqual(sent);
  });

  test('name the only resource of the type Cluster as Kafka does', () => {
    const { rights } = changesOf(
      user({ acls: [{ resource: { type: 'Cluster' }, operations: ['Create'] }] }),
      found(),
      'h',
    );
    expect(rights).toMatchObject({ add: [{ resource: 'Cluster', name: 'kafka-cluster', operation: 'Create' }] });
  });
});
