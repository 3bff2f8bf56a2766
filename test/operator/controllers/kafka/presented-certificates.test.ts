import { describe, expect, test } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../crds/index.js';
import type { KafkaClusterResource } from '../../../../imports/index.js';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import { nodeCertificateIn } from '../../../../operator/controllers/kafka/cluster/certificates/node-certificate.js';
import {
  presentedAsked,
  presentedIn,
  presentedStatus,
} from '../../../../operator/controllers/kafka/cluster/certificates/presented-certificates.js';
import type { CallState } from '../../../../operator/runtime/index.js';
import { node, now } from './given-kafka.js';

const listeners = [
  { name: 'internal', port: 9092 },
  { name: 'partners', port: 9093, tls: { issuer: { name: 'public' } } },
  { name: 'plain', port: 9094, tls: { enabled: false } },
];
const nodes = [node(0), node(1000)];
const broker = 'events-broker-0.events-nodes.shop.svc';
const controller = 'events-controller-1000.events-nodes.shop.svc';
const current = {
  [`${broker}:9091`]: 'n',
  [`${broker}:9092`]: 'n',
  [`${broker}:9093`]: 'p',
  [`${controller}:9090`]: 'n',
};
const none: CallState = { state: 'none' };
const minutes = (count: number) => new Date(now - count * 60_000).toISOString();

type Status = NonNullable<KafkaClusterResource['status']>;

function viewOf(status: Partial<Status> = {}) {
  const certificate = (fingerprint: string) => ({ authorities: 'a', fingerprint });
  const resource = {
    metadata: { name: 'events', namespace: 'shop' },
    spec: withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } }, listeners } as never),
    status,
  } as unknown as KafkaClusterResource;
  const reads = { nodeCertificate: certificate('n'), listenerCertificates: [certificate('p')] };
  return { resource, reads, now: new Date(now) };
}

/** @param presented fingerprints by endpoint. One without is silent */
function found(presented: Readonly<Record<string, string | undefined>>, status: Partial<Status> = {}, of = nodes) {
  const value = Object.fromEntries(
    Object.entries({ ...current, ...presented }).map(([at, one]) => [
      at,
      one === undefined ? { why: 'connection refused' } : { fingerprint: one },
    ]),
  );
  return presentedIn(viewOf(status), of, { known: true, value, at: now, earlier: [] } as never);
}

describe('the ports whose certificates are compared', () => {
  test('are those with TLS', () => {
    const endpoints = presentedAsked(viewOf(), nodes)?.question.endpoints;
    expect(endpoints?.map(({ host, port }) => `${host}:${port}`)).toEqual(Object.keys(current));
  });

  test('are compared every ten seconds until all nodes present them, and once an hour from then on', () => {
    const presented = found({});
    const { status } = presentedStatus(viewOf(), nodes, { presented, loading: undefined, call: none });
    expect(presentedAsked(viewOf(), nodes)?.interval).toBe(10_000);
    expect(presentedAsked(viewOf(status), nodes)?.interval).toBe(3_600_000);
    expect(presentedAsked(viewOf(status), [...nodes, node(1)])?.interval).toBe(10_000);
  });
});

describe('what nodes present', () => {
  test.each([
    {
      current: nodes.map(({ name }) => name),
      stale: [],
      when: 'all present the certificates in their Secrets',
      is: {},
    },
    {
      current: ['events-controller-1000'],
      stale: ['events-broker-0'],
      when: 'one listener presents an earlier one',
      is: { [`${broker}:9093`]: 'o' },
    },
    {
      current: ['events-controller-1000'],
      stale: [],
      when: 'one does not answer',
      is: { [`${broker}:9092`]: undefined },
    },
  ])('is current for $current, and earlier for $stale when $when', ({ is, current: names, stale }) => {
    expect(found(is)).toMatchObject({ current: names, stale });
  });

  test.each([
    { when: 'it became ready after the answer was asked for', changes: { readySince: now } },
    { when: 'it is not ready', changes: { isReady: false } },
  ])('is unknown for a node when $when', ({ changes }) => {
    expect(found({ [`${broker}:9091`]: 'o' }, {}, [node(0, changes), node(1000)])?.stale).toEqual([]);
  });

  test('is unknown while there is no answer', () => {
    expect(presentedIn(viewOf(), nodes, undefined)).toBeUndefined();
  });
});

describe('a reload', () => {
  const old = { [`${broker}:9091`]: 'o' };
  const loading = 'events-broker-0';
  const reload = (since: string, of = loading) => ({
    certificateReload: { pending: 1, node: of, since, failures: [] },
  });
  const sent: CallState = { state: 'sent', at: now, count: 1, firstAt: now };
  const refused: CallState = { state: 'failed', kind: 'terminal', why: 'no such node', since: now, count: 0 };
  const away: CallState = { state: 'failed', kind: 'unreachable', why: 'timeout', since: now, count: 1, firstAt: now };

  test.each([
    { fails: undefined, when: 'it has just begun', before: {}, call: none },
    { fails: undefined, when: 'it began 4 minutes ago', before: reload(minutes(4)), call: sent },
    {
      fails: 'it does not present them within 5 minutes',
      when: 'it began 5 minutes ago',
      before: reload(minutes(5)),
      call: sent,
    },
    {
      fails: undefined,
      when: 'another node has loaded them until now',
      before: reload(minutes(5), 'other'),
      call: sent,
    },
    {
      fails: undefined,
      when: 'nothing was sent, because the operator has just started',
      before: reload(minutes(5)),
      call: none,
    },
    {
      fails: 'Kafka refuses to load them: no such node',
      when: 'Kafka refuses it',
      before: reload(minutes(1)),
      call: refused,
    },
    { fails: undefined, when: 'the node has not answered for a minute', before: reload(minutes(1)), call: away },
  ])('fails with $fails when $when', ({ fails, before, call }) => {
    const presented = found(old, before);
    const { status, left } = presentedStatus(viewOf(before), nodes, { presented, loading, call });
    const failures = fails === undefined ? [] : [{ node: loading, message: fails }];
    expect(status.certificateReload).toMatchObject({ pending: 1, node: loading, failures });
    // It is looked at again when it has failed.
    if (fails === undefined) expect(left).toBeGreaterThan(0);
    // The plan knows of the failure from the status, also after a restart of the operator.
    expect(found(old, status)?.failures).toEqual(fails === undefined ? {} : { [loading]: fails });
  });

  test('does not change the status with each reconcile', () => {
    const before = reload(minutes(1));
    const { status } = presentedStatus(viewOf(before), nodes, { presented: found(old, before), loading, call: none });
    expect(status).toEqual(before);
  });

  test('of the next node keeps the failure of the one before until it presents them', () => {
    const failures = [{ node: loading, message: 'no' }];
    const before = { certificateReload: { pending: 2, failures } };
    const state = { loading: 'events-controller-1000', call: sent };
    const both = { ...old, [`${controller}:9090`]: 'o' };
    const next = presentedStatus(viewOf(before), nodes, { presented: found(both, before), ...state });
    expect(next.status.certificateReload?.failures).toEqual(failures);
    const last = { [`${controller}:9090`]: 'o' };
    const after = presentedStatus(viewOf(before), nodes, { presented: found(last, before), ...state });
    expect(after.status.certificateReload?.failures).toEqual([]);
  });

  test('is over when all nodes present the certificates', () => {
    const state = { presented: found({}), loading: undefined, call: none };
    const { status } = presentedStatus(viewOf(reload(minutes(1))), nodes, state);
    expect(status).toEqual({ presentedCertificates: expect.stringMatching(/^[0-9a-f]{16}$/) });
  });

  test('stays in the status while the nodes do not answer', () => {
    const before = { ...reload(minutes(1)), presentedCertificates: 'before' };
    const state = { presented: undefined, loading: undefined, call: none };
    expect(presentedStatus(viewOf(before), nodes, state).status).toEqual(before);
  });
});

describe('the certificate in a Secret', async () => {
  const [first, second] = [
    await CertificateAuthority.create(365, 'events Kafka CA'),
    await CertificateAuthority.create(365, 'events Kafka CA'),
  ];
  const secret = async (signer: CertificateAuthority, trusted: readonly CertificateAuthority[]) => {
    const { certificate } = await signer.issue({ commonName: 'events-nodes' });
    const texts = { 'tls.crt': certificate, 'ca.crt': trusted.map(({ own }) => own.certificate).join('') };
    const data = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
    return nodeCertificateIn({ data: Object.fromEntries(data) });
  };
  const before = await secret(first, [first]);

  test.each([
    { is: 'has the same authorities', when: 'it is renewed', same: true, after: await secret(first, [first]) },
    {
      is: 'has others',
      when: 'the bundle gets another authority',
      same: false,
      after: await secret(first, [first, second]),
    },
    {
      is: 'has others',
      when: 'another authority of the same name signed it',
      same: false,
      after: await secret(second, [first, second]),
    },
  ])('$is when $when', ({ same, after }) => {
    expect(after?.fingerprint).not.toBe(before?.fingerprint);
    expect(after?.authorities === before?.authorities).toBe(same);
  });

  test('differs by its signer alone', async () => {
    const both = [first, second];
    expect((await secret(first, both))?.authorities).not.toBe((await secret(second, both))?.authorities);
  });

  test('is undefined for a Secret without one', () => {
    expect(nodeCertificateIn({ data: {} })).toBeUndefined();
  });
});
