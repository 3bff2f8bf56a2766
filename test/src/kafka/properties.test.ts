import { describe, expect, test } from 'vitest';
import { dynamicProperties } from '../../../src/index.js';
import { least, linesOf, specOf } from './given-cluster.js';

const partners = { name: 'partners', port: 9093, authentication: 'MutualTls', tls: { issuer: { name: 'public' } } };
const plain = { name: 'plain', port: 9094, authentication: 'None', tls: { enabled: false } };
const internal = { name: 'internal', port: 9092 };
const all = { listeners: [internal, partners, plain], authorization: 'None' };

describe('a controller creates topics and fences brokers, so it has', () => {
  test.each([
    ['default.replication.factor=3', 'by default', {}],
    ['num.partitions=3', 'by default', {}],
    ['min.insync.replicas=2', 'by default', {}],
    ['default.replication.factor=1', 'with one broker', { brokers: { ...least.brokers, replicas: 1 } }],
    ['default.replication.factor=2', 'if the spec has it', { config: { 'default.replication.factor': '2' } }],
    ['broker.session.timeout.ms=4000', 'if the spec has it', { config: { 'broker.session.timeout.ms': '4000' } }],
  ])('%s %s', (line, _, given) => {
    expect(linesOf('controller', given)).toContain(line);
    expect(linesOf('broker', given)).toContain(line);
  });

  test('each property once, as the spec has it', () => {
    const lines = linesOf('controller', { config: { 'default.replication.factor': '2' } });
    expect(lines.filter((line) => line.startsWith('default.replication.factor='))).toHaveLength(1);
  });
});

describe('replicas follow the number of brokers of all pools', () => {
  const pools = (replicas: number) => [{ name: 'large', replicas, storage: { size: '1Ti' } }];
  test.each([
    [1, 0, '1', '1'],
    [1, 1, '2', '1'],
    [2, 1, '3', '2'],
    [3, 0, '3', '2'],
    [9, 9, '3', '2'],
  ])('%i brokers and %i in a pool: %s replicas, %s in sync', (replicas, ofPool, factor, inSync) => {
    const lines = linesOf('broker', { brokers: { ...least.brokers, replicas }, pools: pools(ofPool) });
    for (const name of ['default', 'offsets.topic', 'transaction.state.log', 'share.coordinator.state.topic'])
      expect(lines).toContain(`${name}.replication.factor=${factor}`);
    for (const name of ['min.insync.replicas', 'transaction.state.log.min.isr'])
      expect(lines).toContain(`${name}=${inSync}`);
  });
});

describe('the listeners', () => {
  test('have the protocol of their authentication', () => {
    expect(linesOf('broker', all)).toContain(
      'listener.security.protocol.map=CONTROLLER:SSL,REPLICATION:SSL,INTERNAL:SASL_SSL,PARTNERS:SSL,PLAIN:PLAINTEXT',
    );
    expect(linesOf('broker', { listeners: [{ ...internal, tls: { enabled: false } }] })).toContain(
      'listener.security.protocol.map=CONTROLLER:SSL,REPLICATION:SSL,INTERNAL:SASL_PLAINTEXT',
    );
  });

  test.each([
    ['listener.name.internal.ssl.client.auth=none', 'of passwords'],
    ['listener.name.internal.sasl.enabled.mechanisms=SCRAM-SHA-512', 'of passwords'],
    ['listener.name.partners.ssl.client.auth=required', 'of certificates'],
    ['listener.name.partners.ssl.keystore.location=/run/kafka/tls/partners/keystore.pem', 'with an issuer'],
    ['listener.name.controller.ssl.client.auth=required', 'of controllers'],
    ['listener.name.replication.ssl.client.auth=required', 'of brokers'],
  ])('have %s as a listener %s', (line) => {
    expect(linesOf('broker', all)).toContain(line);
  });

  test.each([
    { what: 'ten minutes', of: all, is: '600000' },
    { what: 'what the spec says', of: { config: { 'initial.broker.registration.timeout.ms': '60000' } }, is: '60000' },
  ])('give a broker $what to register', ({ of, is }) => {
    expect(linesOf('broker', of)).toContain(`initial.broker.registration.timeout.ms=${is}`);
  });

  test('accept certificates of the CA of the cluster alone: another issuer could sign the name of a node', () => {
    expect(linesOf('broker', all).filter((line) => line.includes('truststore.location'))).toEqual([
      'ssl.truststore.location=/run/kafka/tls/nodes/truststore.pem',
    ]);
  });

  test.each(['broker', 'controller'] as const)('let a %s load a renewed certificate with other names', (role) => {
    expect(linesOf(role, all)).toEqual(
      expect.arrayContaining(['ssl.allow.dn.changes=true', 'ssl.allow.san.changes=true']),
    );
  });

  test.each(['sasl', 'keystore', 'client.auth'])('have no %s without authentication and TLS', (word) => {
    const own = linesOf('broker', { listeners: [plain], authorization: 'None' }).filter((line) =>
      line.startsWith('listener.name.plain.'),
    );
    expect(own.filter((line) => line.includes(word))).toEqual([]);
  });
});

describe('the authorizer', () => {
  const names = ['authorizer.class.name=', 'super.users=', 'allow.everyone.if.no.acl.found='];
  test.each([
    ['broker', 'Acl', 2],
    ['controller', 'Acl', 2],
    ['broker', 'None', 0],
    ['controller', 'None', 0],
  ] as const)('of a %s with authorization %s has %i properties', (role, authorization, count) => {
    const found = linesOf(role, { authorization }).filter((line) => names.some((name) => line.startsWith(name)));
    expect(found).toHaveLength(count);
  });
});

describe('a property of the spec', () => {
  test.each([
    ['log.retention.ms', '4.4', 'at once'],
    ['num.io.threads', '4.4', 'at once'],
    ['compression.gzip.level', '4.3', 'at once'],
    ['log.remote.copy.lag.ms', '4.4', 'at once'],
    ['replica.fetch.max.bytes', '4.4', 'by a restart'],
    ['connections.max.reauth.ms', '4.4', 'by a restart'],
    ['log.retention.hours', '4.4', 'by a restart'],
    ['config.providers', '4.4', 'by a restart'],
    ['queued.max.requests', '4.4', 'by a restart'],
    ['replica.alter.log.dirs.io.max.bytes.per.second', '4.4', 'by a restart'],
    ['group.consumer.assignor.offload.enable', '4.4', 'by a restart'],
    ['group.share.assignor.offload.enable', '4.4', 'by a restart'],
    ['group.streams.assignor.offload.enable', '4.4', 'by a restart'],
  ])('%s of %s applies %s', (name, version, how) => {
    const given = { version, config: { [name]: '5' } };
    const isDynamic = how === 'at once';
    expect(dynamicProperties(specOf(given))[name]).toBe(isDynamic ? '5' : undefined);
    expect(linesOf('broker', given).includes(`${name}=5`)).toBe(!isDynamic);
  });

  test('min.insync.replicas is always stated, because Kafka refuses to remove it', () => {
    expect(dynamicProperties(specOf())).toEqual({ 'min.insync.replicas': '2' });
    expect(dynamicProperties(specOf({ config: { 'min.insync.replicas': '3' } }))).toEqual({
      'min.insync.replicas': '3',
    });
  });

  test.each([
    ['a\\', 'a\\\\', 'a backslash, which would continue the line'],
    ['\\d+\\.', '\\\\d+\\\\.', 'several backslashes'],
    ['é€', '\\u00e9\\u20ac', 'a letter that Java would read as Latin-1'],
    ['a=b:c #d', 'a=b:c #d', 'what needs no escape'],
  ])('has %j as %j: %s', (value, escaped) => {
    expect(linesOf('broker', { config: { 'rsm.config.name': value } })).toContain(`rsm.config.name=${escaped}`);
  });
});
