import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../crds/index.js';
import type { KafkaClusterResource } from '../../../../imports/index.js';
import { desire } from '../../../../operator/controllers/kafka/cluster/desire.js';
import { provisionOf } from '../../../../operator/controllers/kafka/cluster/findings.js';
import { isOutdated } from '../../../../operator/controllers/kafka/cluster/plan/index.js';
import { wantedGroups } from '../../../../operator/controllers/kafka/cluster/stable-view.js';
import { situationOf } from '../../../../operator/controllers/kafka/cluster/view.js';
import { Pod } from '../../../../operator/runtime/index.js';

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
  readonly node?: string | undefined;
  readonly partners?: string | undefined;
  readonly running?: readonly object[];
}

function viewOf({ node, partners, running = [] }: Given) {
  return {
    ...{ resource, now: new Date('2026-11-27T12:00:00Z'), polled: {} },
    ...{ calls: { of: () => ({ state: 'none' }) }, accepted: true, isServed: () => true },
    owned: { of: (kind: unknown) => (kind === Pod ? running : []) },
    reads: {
      ...{ nodes: [], claims: [], nodeCertificate: node, listenerCertificates: [partners], operatorCertificate: 'o' },
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
    { given: { node: 'n', partners: '' }, starts: controllers, when: 'the Secret of a listener has none' },
    { given: { node: 'n', partners: 'p' }, starts: [...brokers, ...controllers], when: 'all are there' },
  ])('start $starts when $when', ({ given, starts }) => {
    expect(podsIn(viewOf(given))).toEqual(starts);
  });

  test('do not stop a node that runs when their Secrets are lost, nor make it outdated', () => {
    const view = viewOf({ running: pods });
    expect(podsIn(view)).toEqual([...brokers, ...controllers]);
    const situation = situationOf(view);
    expect(situation.nodes.filter((node) => isOutdated(node, situation))).toEqual([]);
    expect(provisionOf({ resource, situation, steps: [], call: { state: 'none' }, hasRoutes: true }).message).toBe(
      'Waiting for the certificates in events-nodes-tls, events-listener-partners-tls; no node starts without them',
    );
  });

  test('change the revision of the brokers when that of a listener is renewed, and not that of the controllers', () => {
    const revisions = (partners: string) =>
      Object.fromEntries(wantedGroups(viewOf({ node: 'n', partners })).map(({ name, revision }) => [name, revision]));
    const [before, after] = [revisions('p'), revisions('q')];
    expect(after['controller']).toBe(before['controller']);
    expect(after['broker']).not.toBe(before['broker']);
  });
});
