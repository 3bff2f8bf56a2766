import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hexadecimalUuid, kafkaUuid } from '../../../../operator/engines/kafka/connection/uuids.js';
import { aclFrom, wireAcl } from '../../../../operator/engines/kafka/users/acls.js';
import { scramCredential } from '../../../../operator/engines/kafka/users/scram-credential.js';

it('sends a salted password of SCRAM-SHA-512, with another salt each time', async () => {
  const [one, other] = await Promise.all([scramCredential('secret'), scramCredential('secret')]);
  expect(one).toMatchObject({ mechanism: 2, iterations: 8192 });
  expect(one.saltedPassword).toHaveLength(64);
  expect(one.salt.equals(other.salt)).toBe(false);
  expect(one.saltedPassword.equals(other.saltedPassword)).toBe(false);
});

it('salts a password as RFC 5802 says', async () => {
  const salt = Buffer.from('salt');
  let block = createHmac('sha512', 'secret')
    .update(Buffer.concat([salt, Buffer.from([0, 0, 0, 1])]))
    .digest();
  const expected = Buffer.from(block);
  for (let round = 1; round < 8192; round++) {
    block = createHmac('sha512', 'secret').update(block).digest();
    for (let at = 0; at < expected.length; at++) expected[at] = (expected[at] ?? 0) ^ (block[at] ?? 0);
  }
  expect((await scramCredential('secret', salt)).saltedPassword.equals(expected)).toBe(true);
});

it('writes identifiers as the tools of Kafka do', () => {
  expect(kafkaUuid('00000000-0000-0000-0000-000000000001')).toBe('AAAAAAAAAAAAAAAAAAAAAQ');
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(hexadecimalUuid(kafkaUuid(uuid))).toBe(uuid);
    }),
  );
});

it('reads back each rule that it writes, and none of a single host', () => {
  const acl = fc.record({
    resource: fc.constantFrom('Topic', 'Group', 'TransactionalId', 'Cluster'),
    name: fc.string({ minLength: 1 }),
    pattern: fc.constantFrom('Literal', 'Prefixed'),
    operation: fc.constantFrom('All', 'Read', 'Write', 'Describe', 'DescribeConfigs', 'IdempotentWrite'),
    permission: fc.constantFrom('Allow', 'Deny'),
  });
  fc.assert(
    fc.property(acl, (one) => {
      const wire = wireAcl('alice', one);
      expect(wire?.principal).toBe('User:alice');
      expect(wire && aclFrom(wire)).toEqual(one);
      expect(wire && aclFrom({ ...wire, host: '10.0.0.1' })).toBeUndefined();
    }),
  );
  expect(
    wireAcl('alice', { resource: 'Topic', name: 'x', pattern: 'Literal', operation: 'read', permission: 'Allow' }),
  ).toBeUndefined();
});
