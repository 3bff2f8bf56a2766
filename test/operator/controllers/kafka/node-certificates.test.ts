import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../crds/index.js';
import type { KafkaClusterResource } from '../../../../imports/index.js';
import { assess } from '../../../../operator/controllers/kafka/cluster/assess.js';
import { desire } from '../../../../operator/controllers/kafka/cluster/desire.js';
import { provisionedOf } from '../../../../operator/controllers/kafka/cluster/findings/provisioned.js';
import { wantedGroups } from '../../../../operator/controllers/kafka/cluster/groups.js';
import { isOutdated } from '../../../../operator/controllers/kafka/cluster/plan/index.js';
import { situationOf } from '../../../../operator/controllers/kafka/cluster/situation.js';
import { ExternalCall, Pod } from '../../../../operator/runtime/index.js';
import { answer, now } from './given-kafka.js';

const listeners = [
  { name: 'internal', port: 9092 },
  { name: 'partners', port: 9093, tls: { issuer: { name: 'public' } } },
];

const resource = {
  ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'KafkaCluster' },
  metadata: { name: 'events', namespace: 'shop', uid: 'uid', generation: 1, resourceVersion: '1' },
  spec: withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } }, listeners } as never),
} as unknown as KafkaClusterResource;

const names = [1000, 1001, 1002, 0, 1, 2].map((id) => `events-${id < 1000 ? 'broker' : 'controller'}-${id}`);
const pods = names.map((name) => ({
  metadata: {
    name,
    namespace: 'shop',
    uid: name,
    creationTimestamp: '2026-11-27T12:00:00Z',
    labels: {},
    annotations: {},
  },
  spec: {},
  status: { phase: 'Running', conditions: [] },
}));

interface Given {
  /** The certificates in the Secrets, by a name of each. */
  readonly node?: string | undefined;
  readonly partners?: string | undefined;
  /** A name of the authorities in the Secrets. */
  readonly authorities?: string;
  readonly running?: readonly object[];
  /** Answers of the external sources. */
  readonly polled?: object;
  readonly status?: object;
}

const validity = { from: Date.parse('2026-11-01T00:00:00Z'), to: Date.parse('2027-01-30T00:00:00Z') };

function viewOf({ node, partners, authorities = 'a', running = [], polled = {}, status }: Given) {
  const certificate = (name: string | undefined) => name && { authorities, fingerprint: name, validity };
  return {
    ...{ resource: { ...resource, ...(status && { status }) }, now: new Date(now), polled },
    ...{ calls: { of: () => ({ state: 'none' }) }, accepted: true, isServed: () => true },
    owned: { of: (kind: unknown) => (kind === Pod ? running : []) },
    reads: {
      ...{ nodes: [], claims: [], operatorCertificate: certificate('o') },
      ...{ nodeCertificate: certificate(node), listenerCertificates: [certificate(partners)] },
    },
  } as never;
}

function podsIn(view: never): readonly string[] {
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  desire(chart, view);
  const rendered = chart.toJson().filter(({ kind }) => kind === 'Pod');
  return rendered.map(({ metadata }) => metadata.name).toSorted();
}

const brokers = names.filter((name) => name.includes('broker'));
const controllers = names.filter((name) => name.includes('controller'));

describe('the certificates with which nodes start', () => {
  test.each([
    { given: {}, starts: [], when: 'none is there' },
    { given: { node: 'n' }, starts: controllers, when: 'that of a listener is missing, which controllers do not have' },
    { given: { node: 'n', partners: 'p' }, starts: [...brokers, ...controllers], when: 'all are there' },
  ])('start $starts when $when', ({ given, starts }) => {
    expect(podsIn(viewOf(given))).toEqual(starts);
  });

  test('do not stop a node that runs when their Secrets are lost, nor make it outdated', () => {
    const view = viewOf({ running: pods });
    expect(podsIn(view)).toEqual([...brokers, ...controllers]);
    const situation = situationOf(view);
    expect(situation.nodes.filter((node) => isOutdated(node, situation))).toEqual([]);
    expect(
      provisionedOf({ resource, situation, steps: [], call: { state: 'none' }, hook: undefined, hasRoutes: true })
        .message,
    ).toBe(
      'Waiting for the certificates in events-nodes-tls, events-listener-partners-tls; no node starts without them',
    );
  });

  test.each([
    { changes: [], when: 'the certificate of the nodes is renewed', given: { node: 'm' } },
    { changes: [], when: 'that of a listener is renewed', given: { partners: 'q' } },
    { changes: ['controller', 'broker'], when: 'the authorities change', given: { authorities: 'b' } },
  ])('change the revision of $changes when $when', ({ changes, given }) => {
    const groupsWith = (changed: Given) => wantedGroups(viewOf({ node: 'n', partners: 'p', ...changed }));
    const before = groupsWith({}).map(({ revision }) => revision);
    const changed = groupsWith(given).filter(({ revision }, at) => revision !== before[at]);
    expect(changed.map(({ name }) => name)).toEqual(changes);
  });

  test('are recorded on the Pods that start with them', () => {
    const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
    desire(chart, viewOf({ node: 'n', partners: 'p' }));
    const annotations = chart
      .toJson()
      .filter(({ kind }) => kind === 'Pod')
      .map(({ metadata }) => [metadata.name, metadata.annotations['reconstruct.dev/certificates']]);
    const [controller, broker] = wantedGroups(viewOf({ node: 'n', partners: 'p' })).map(
      ({ certificates }) => certificates?.hash,
    );
    expect(broker).not.toBe(controller);
    expect(Object.fromEntries(annotations)).toEqual({
      ...Object.fromEntries(controllers.map((name) => [name, controller])),
      ...Object.fromEntries(brokers.map((name) => [name, broker])),
    });
  });
});

describe('a renewed certificate of a listener', () => {
  const certificates = { node: 'n', partners: 'q' };
  /** Pods of the current template that started with the certificate before. */
  const running = pods.map((pod) => {
    const role = pod.metadata.name.includes('controller') ? 'controller' : 'broker';
    const revision = wantedGroups(viewOf(certificates)).find(({ name }) => name === role)?.revision;
    const ready = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-11-27T11:00:00Z' }];
    return {
      ...pod,
      metadata: { ...pod.metadata, annotations: { 'reconstruct.dev/revision': revision } },
      status: { phase: 'Running', conditions: ready },
    };
  });
  const host = (name: string) => `${name}.events-nodes.shop.svc`;
  const served = (port: number, fingerprint: string) => names.map((name) => [`${host(name)}:${port}`, { fingerprint }]);
  const shown = (partners: string) =>
    Object.fromEntries([...[9090, 9091, 9092].flatMap((port) => served(port, 'n')), ...served(9093, partners)]);
  const known = (value: object) => ({ known: true, value, at: now, earlier: [] });
  const view = (partners: string) =>
    viewOf({
      ...{ ...certificates, running, status: { bootstrapped: true } },
      polled: {
        cluster: known(answer({ config: { 'min.insync.replicas': '2' } })),
        certificates: known(shown(partners)),
      },
    });

  const callsIn = (of: never) => {
    const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
    desire(chart, of);
    const calls = chart.node.findAll().filter(ExternalCall.isExternalCall);
    return calls.map(({ node, props }) => ({ name: node.id, ...props }));
  };

  test('is loaded by one broker, which keeps running', () => {
    expect(callsIn(view('p'))).toMatchObject([
      {
        ...{ name: 'certificates', refreshes: ['certificates'] },
        request: { act: 'reload', node: 0, address: { host: host('events-broker-0'), port: 9091 } },
      },
    ]);
    expect(podsIn(view('p'))).toEqual([...brokers, ...controllers]);
  });

  test.each([
    { active: 1001, when: 'another one is active', asked: ['events-controller-1001'] },
    { active: 1000, when: 'it is active', asked: ['events-controller-1000'] },
    { active: -1, when: 'none is active', asked: [] },
  ])('is loaded by a controller through the active one, when $when', ({ active, asked }) => {
    const stale = { [`${host('events-controller-1000')}:9090`]: { fingerprint: 'old' } };
    const quorum = { ...answer({}).quorum, leader: active };
    const polled = {
      cluster: known(answer({ config: { 'min.insync.replicas': '2' }, quorum })),
      certificates: known({ ...shown('q'), ...stale }),
    };
    const calls = callsIn(viewOf({ ...{ ...certificates, running, status: { bootstrapped: true } }, polled }));
    expect(calls.map(({ request }) => request)).toMatchObject(
      asked.map((name) => ({ act: 'reload', node: 1000, address: { host: host(name), port: 9090 } })),
    );
  });

  test('is reported meanwhile', () => {
    const { conditions, status } = assess(view('p'));
    expect(conditions.UpToDate).toEqual({
      reason: 'RollingOut',
      message: `${brokers.join(', ')} load renewed certificates, without a restart`,
    });
    expect(status?.certificateReload).toMatchObject({ pending: 3, node: 'events-broker-0', failures: [] });
  });

  test('needs no call when all brokers present it', () => {
    expect(callsIn(view('q'))).toEqual([]);
    const { conditions, status } = assess(view('q'));
    expect(conditions.UpToDate).toEqual({ reason: 'UpToDate' });
    expect(status).not.toHaveProperty('certificateReload');
    expect(status?.presentedCertificates).toBeDefined();
  });
});
