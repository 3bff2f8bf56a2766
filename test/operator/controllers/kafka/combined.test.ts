import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../crds/index.js';
import type { KafkaClusterResource } from '../../../../imports/index.js';
import { assess } from '../../../../operator/controllers/kafka/cluster/assess.js';
import { presentedAsked } from '../../../../operator/controllers/kafka/cluster/certificates/presented-certificates.js';
import { desire } from '../../../../operator/controllers/kafka/cluster/desire.js';
import { wantedGroups } from '../../../../operator/controllers/kafka/cluster/groups.js';
import { nodesIn } from '../../../../operator/controllers/kafka/cluster/view.js';
import { ExternalCall, PersistentVolumeClaim, Pod } from '../../../../operator/runtime/index.js';
import { answer, member, node, now } from './given-kafka.js';

interface Given {
  readonly spec?: object;
  readonly pods?: readonly object[];
  readonly claims?: readonly object[];
  readonly cluster?: ReturnType<typeof answer>;
  readonly isLeaving?: boolean;
}

const names = [0, 1, 2].map((id) => `events-broker-${id}`);
const claimOf = (name: string, annotations: object = {}) => ({
  metadata: {
    name,
    namespace: 'shop',
    labels: {},
    annotations: { 'reconstruct.dev/bootstrapped': 'true', ...annotations },
  },
  spec: { volumeName: 'pv', resources: { requests: { storage: '1Gi' } } },
  status: { phase: 'Bound', capacity: { storage: '1Gi' } },
});
const combinedClaim = (name: string) => claimOf(name, { 'reconstruct.dev/kafka-combined': 'true' });
const podOf = (name: string) => ({
  metadata: { name, namespace: 'shop', annotations: {}, creationTimestamp: '2026-11-27T11:00:00Z' },
  spec: { nodeName: 'm1' },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-11-27T11:00:00Z' }],
  },
});

function viewOf({ spec = {}, pods = [], claims = [], cluster, isLeaving = false }: Given = {}) {
  const metadata = { name: 'events', namespace: 'shop', uid: 'uid', resourceVersion: '1' };
  const resource = {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'KafkaCluster' },
    metadata: { ...metadata, ...(isLeaving && { deletionTimestamp: '2026-11-27T12:00:00Z' }) },
    spec: withDefaults(kafkaClusterSpec, {
      ...{ brokers: { storage: { size: '1Gi' } }, controllers: { combined: true }, ...spec },
    } as never),
  } as unknown as KafkaClusterResource;
  const certificate = { authorities: 'a', fingerprint: 'n' };
  return {
    ...{ resource, now: new Date(now), calls: { of: () => ({ state: 'none' }) }, accepted: true },
    polled: cluster ? { cluster: { known: true, value: cluster, at: now, earlier: [] } } : {},
    isServed: () => true,
    owned: { of: (kind: unknown) => (kind === Pod ? pods : kind === PersistentVolumeClaim ? claims : []) },
    reads: {
      nodes: [],
      claims: [],
      nodeCertificate: certificate,
      listenerCertificates: [],
      operatorCertificate: certificate,
    },
  } as never;
}

function rendered(view: never) {
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  desire(chart, view);
  return chart.toJson();
}

const voting = (...ids: readonly number[]) => ({ leader: 1, voters: ids.map((id) => member(id)), observers: [] });

describe('a KafkaCluster whose brokers are its controllers', () => {
  test('begins with Pods that name each other as the first voters', () => {
    const pods = rendered(viewOf()).filter(({ kind }) => kind === 'Pod');
    expect(pods.map(({ metadata }) => metadata.name)).toEqual(names);
    for (const { spec } of pods) {
      const { value } = spec.containers[0].env.find(
        ({ name }: { name: string }) => name === 'KAFKA_INITIAL_CONTROLLERS',
      );
      expect(value.split(',').map((one: string) => one.split('@')[0])).toEqual(['0', '1', '2']);
    }
  });

  test('reports its controllers, their disks, and which of them is active', () => {
    const view = viewOf({
      ...{ pods: names.map(podOf), claims: names.map(combinedClaim) },
      cluster: answer({ quorum: voting(0, 1, 2) }),
    });
    const { status } = assess(view);
    expect(status).toMatchObject({ ready: '3/3', controllers: '3/3', activeController: 1 });
    expect(status?.nodes?.map(({ role, directoryId }) => [role, directoryId])).toEqual(
      [0, 1, 2].map((id) => ['Broker', `disk-${id}`]),
    );
  });

  test('waits for the vote of a broker that observes the quorum', () => {
    const view = viewOf({
      ...{ pods: names.map(podOf), claims: names.map(combinedClaim) },
      cluster: answer({ quorum: { ...voting(0, 1), observers: [member(2)] } }),
    });
    expect(assess(view).conditions.Provisioned).toEqual({
      ...{ reason: 'Provisioning', message: 'Waiting until events-broker-2 can vote in the metadata quorum' },
    });
    const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
    desire(chart, view);
    const [call] = chart.node.findAll().filter(ExternalCall.isExternalCall);
    expect(call?.props.request).toMatchObject({
      ...{ act: 'addVoter', id: 2, directoryId: 'disk-2' },
      address: { host: 'events-broker-2.events-nodes.shop.svc', port: 9090 },
    });
  });

  test('has certificates on the ports of both roles', () => {
    const view = viewOf({ pods: names.map(podOf), claims: names.map(combinedClaim) });
    const nodes = [node(0, { isCombined: true })];
    const ports = presentedAsked(view, nodes)?.question.endpoints.map(({ port }) => port);
    expect(ports).toEqual([9090, 9091, 9092]);
    expect(nodesIn(view, []).every(({ isCombined }) => isCombined)).toBe(true);
    expect(wantedGroups(view).map(({ name, isCombined }) => [name, isCombined])).toEqual([['broker', true]]);
  });

  test('stops its brokers together when it is deleted: the last ones could not hand over alone', () => {
    const given = { pods: names.map(podOf), claims: names.map(combinedClaim), isLeaving: true };
    expect(rendered(viewOf(given)).filter(({ kind }) => kind === 'Pod')).toEqual([]);
    // Those of a pool hand over first.
    const pools = [{ name: 'large', replicas: 1, storage: { size: '1Gi' } }];
    const withPool = {
      ...given,
      spec: { pools },
      pods: [...given.pods, podOf('events-large-3')],
      claims: [...given.claims, claimOf('events-large-3')],
    };
    const left = rendered(viewOf(withPool)).filter(({ kind }) => kind === 'Pod');
    expect(left.map(({ metadata }) => metadata.name)).toEqual(names);
  });

  test.each([
    {
      says: 'spec.controllers.combined: Invalid value: true: PVC events-controller-1000 has the metadata of a controller in a Pod of its own; create the KafkaCluster with combined: false, or with another name',
      when: 'an earlier one had controllers of its own',
      combined: true,
      claims: [claimOf('events-broker-0'), claimOf('events-controller-1000')],
    },
    {
      says: 'spec.controllers.combined: Invalid value: true: PVC events-broker-0 has the metadata of a broker that is no controller; create the KafkaCluster with combined: false, or with another name',
      when: 'an earlier one had controllers of its own, and their volumes are lost',
      combined: true,
      claims: [claimOf('events-broker-0'), claimOf('events-broker-0-fast')],
    },
    {
      says: 'spec.controllers.combined: Invalid value: false: PVC events-broker-0 has the metadata of a broker that is a controller too; create the KafkaCluster with combined: true, or with another name',
      when: 'an earlier one had none',
      combined: false,
      claims: [combinedClaim('events-broker-0')],
    },
  ])('is rejected when $when', ({ says, combined, claims }) => {
    expect(() => rendered(viewOf({ claims, spec: { controllers: { combined } } }))).toThrow(says);
    expect(() => assess(viewOf({ claims, spec: { controllers: { combined } } }))).not.toThrow();
  });
});
