import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as crds from '../../../../../crds/index.js';
import { kafkaClusterKind, kafkaTopicKind } from '../../../../../imports/index.js';
import type { KubernetesCluster } from '../../../../../operator/cluster/kubernetes-cluster.js';
import { kafkaCluster } from '../../../../../operator/controllers/kafka/cluster/index.js';
import { kafkaTopic } from '../../../../../operator/controllers/kafka/topic/index.js';
import type { Controller } from '../../../../../operator/runtime/controller/controller.js';
import type { ObjectKind } from '../../../../../operator/runtime/kubernetes/kinds.js';
import { PersistentVolumeClaim, Pod } from '../../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../../operator/runtime/kubernetes/object.js';
import { systemClock } from '../../../../../operator/runtime/ports/clock.js';
import { CallError } from '../../../../../operator/runtime/ports/external-call.js';
import { silent } from '../../../../../operator/runtime/ports/telemetry.js';
import { Operator } from '../../../../../operator/runtime/reconcile/operator.js';
import { ApiServer } from '../../../../crds/given-api-server.js';
import { administratorOf, freshNamespace, givenControlPlane } from '../../../../given/control-plane.js';
import type { Loose } from '../../../../given.js';
import { conditionOf } from '../../../runtime/given/widgets.js';
import {
  givenCertificates,
  givenReadyPods,
  givenVolumeOfOtherCluster,
  kafkaModels,
  namesOf,
} from '../given-serving.js';

const apiVersion = 'reconstruct.dev/v1alpha1';
const somebody = { manager: 'somebody' };
const patience = { timeout: 90_000, interval: 200 };
const own = ['broker-0', 'broker-1', 'broker-2', 'controller-1000', 'controller-1001', 'controller-1002'].map(
  (node) => `events-${node}`,
);
const other = 'events-broker-7';

const cases = [
  { deletionPolicy: 'Retain', when: 'Kafka takes all calls', left: own },
  { deletionPolicy: 'Delete', when: 'Kafka takes all calls', left: [] },
  { deletionPolicy: 'Retain', when: 'Kafka refuses a property and a topic', left: own },
  { deletionPolicy: 'Delete', when: 'Kafka refuses a property and a topic', left: [] },
  { deletionPolicy: 'Retain', when: 'it has a volume of another cluster', left: [...own, other].toSorted() },
  { deletionPolicy: 'Delete', when: 'it has a volume of another cluster', left: [other] },
];

const stop = new AbortController();
let cluster: KubernetesCluster;
let running: Promise<void>;
let namespaces: readonly string[];

/** Brokers that refuse a property and a topic. */
function refusingPorts() {
  const { brokers, topics, ports } = kafkaModels();
  const refuse = (why: string, isMeant: (request: Loose) => boolean) => (request: unknown) =>
    isMeant(request as Loose) ? { error: new CallError('terminal', why) } : {};
  brokers.fate = refuse('Value must be at least 1', ({ set }) => set?.['min.insync.replicas'] === '-1');
  topics.fate = refuse('Topic collides', ({ topic }) => topic === 'bad');
  return ports;
}

beforeAll(async () => {
  const controlPlane = givenControlPlane();
  const server = await ApiServer.at(controlPlane.kubeconfig);
  for (const kind of [crds.kafkaCluster, crds.kafkaTopic, crds.issuer, crds.certificate]) await server.serve(kind);
  await server.close();
  cluster = await administratorOf(controlPlane);
  namespaces = await Promise.all(cases.map(() => freshNamespace(controlPlane, 'kafka')));
  const operator = new Operator({
    controllers: [kafkaCluster, kafkaTopic] as unknown as Controller[],
    ports: refusingPorts(),
    ...{ cluster, clock: systemClock, telemetry: silent, namespaces, maxConcurrentReconciles: 4 },
    ...{ resyncPeriod: 600_000, reconcileTimeout: 120_000, gracefulShutdownTimeout: 5_000, identity: 'kafka-deletion' },
  });
  running = operator.run(stop.signal);
});
afterAll(async () => {
  stop.abort();
  await running;
});

type Case = (typeof cases)[number];

/** A KafkaCluster that serves, and a topic of it. */
async function given(namespace: string, { deletionPolicy, when }: Case): Promise<void> {
  const isRefused = when.includes('refuses');
  await givenCertificates(cluster, namespace);
  const config = { 'min.insync.replicas': isRefused ? '-1' : '2' };
  const spec = { deletionPolicy, config, brokers: { storage: { size: '1Gi' } } };
  const events = { apiVersion, kind: 'KafkaCluster', metadata: { name: 'events', namespace }, spec };
  await cluster.apply(kafkaClusterKind, events as Manifest, somebody);
  await vi.waitFor(async () => expect(await namesOf(cluster, Pod, namespace)).toEqual(own), patience);
  await givenReadyPods(cluster, namespace, new Date());
  const topic = { apiVersion, kind: 'KafkaTopic', metadata: { name: isRefused ? 'bad' : 'orders', namespace } };
  await cluster.apply(kafkaTopicKind, { ...topic, spec: { cluster: { name: 'events' } } } as Manifest, somebody);
  const told = async (kind: ObjectKind, of: { readonly metadata: { name: string; namespace: string } }, type: string) =>
    conditionOf(await cluster.read(kind, of.metadata), type)?.['reason'];
  await vi.waitFor(async () => {
    expect(await told(kafkaClusterKind, events, 'UpToDate')).toBe(isRefused ? 'PropertyRefused' : 'UpToDate');
    expect(await told(kafkaTopicKind, topic, 'Configured')).toBe(isRefused ? 'Refused' : 'Configured');
  }, patience);
  if (!when.includes('another cluster')) return;
  await givenVolumeOfOtherCluster(cluster, namespace);
  const refusal = () => told(kafkaClusterKind, events, 'Accepted');
  await vi.waitFor(async () => expect(await refusal()).toBe('VolumesOfOtherCluster'), patience);
}

describe('a KafkaCluster that is deleted with its topic', () => {
  test.each(cases.map((one, index) => ({ ...one, index })))(
    'is gone and leaves $left with $deletionPolicy, when $when',
    async ({ index, ...one }) => {
      const namespace = namespaces[index] ?? '';
      await given(namespace, one);
      const otherBefore = await cluster.read(PersistentVolumeClaim, { name: other, namespace });
      for (const kind of [kafkaClusterKind, kafkaTopicKind]) {
        const { items } = await cluster.list(kind, { namespace });
        for (const { metadata } of items) await cluster.remove(kind, metadata, { uid: metadata.uid });
      }
      await vi.waitFor(async () => {
        const kinds = [kafkaClusterKind, kafkaTopicKind];
        const left = await Promise.all(kinds.map((kind) => cluster.list(kind, { namespace })));
        expect(left.flatMap(({ items }) => items.map((item) => conditionOf(item, 'Ready')?.['message']))).toEqual([]);
      }, patience);
      expect((await cluster.list(Pod, { namespace })).items).toEqual([]);
      expect(await namesOf(cluster, PersistentVolumeClaim, namespace)).toEqual(one.left);
      const after = await cluster.read(PersistentVolumeClaim, { name: other, namespace });
      expect(after?.metadata.resourceVersion).toBe(otherBefore?.metadata.resourceVersion);
    },
  );
});
