import { kafkaClusterSpec, withDefaults } from '../../../../crds/index.js';
import { kafkaClusterKind } from '../../../../imports/index.js';
import { hostHandshakes } from '../../../../operator/consumers/handshakes.js';
import { kafkaCluster } from '../../../../operator/controllers/kafka/cluster/index.js';
import type { ClusterAnswer, ClusterQuestion } from '../../../../operator/controllers/kafka/ports/cluster.js';
import { goneNodes } from '../../../../operator/pods/gone-nodes.js';
import type { Controller } from '../../../../operator/runtime/index.js';
import type { ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import { PersistentVolumeClaim, Pod, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { provided } from '../../../../operator/runtime/ports/external-port.js';
import { MemoryPort } from '../../../../operator/testing/index.js';
import { kafkaClusterId, kafkaClusterIdAnnotation, kafkaObjectNames, kafkaSelector } from '../../../../src/index.js';
import { GivenOperator } from '../../runtime/given/operator.js';
import { runs } from '../../runtime/given/oracle.js';
import { conditionOf } from '../../runtime/given/widgets.js';
import { clusterModel, consumersModel, hooksModel, type Topics, topicModel } from './kafka-models.js';

const somebody = { manager: 'somebody' };

/** Brokers and topics as models. The brokers of a KafkaCluster have the cluster ID of its new volumes. */
export function kafkaModels(state?: ClusterAnswer, existing?: Topics) {
  const topics = new MemoryPort(topicModel(existing));
  const names = () => Object.keys(topics.state as Topics);
  const model = clusterModel(state, names);
  const answer = ({ topics: marked, ...others }: ClusterAnswer, { cluster }: ClusterQuestion) => ({
    ...others,
    clusterId: kafkaClusterId(cluster),
    ...(marked && { topics: marked.map((one) => ({ ...one, exists: names().includes(one.topic) })) }),
  });
  const brokers = new MemoryPort({ ...model, answer });
  const silence = async () => {
    throw new Error('nobody answers');
  };
  const others = [consumersModel(), hooksModel()].map((one) => new MemoryPort(one));
  const ports = [
    ...[brokers, topics, ...others].map((port) => port.provided),
    provided(hostHandshakes, silence),
    provided(goneNodes, silence),
  ];
  return { brokers, topics, ports };
}

/** The Secrets with which the nodes of `events` start. */
export async function givenCertificates(cluster: Cluster, namespace: string): Promise<void> {
  const { nodeCertificate, operatorCertificate } = kafkaObjectNames('events');
  const keys = ['tls.crt', 'tls.key', 'ca.crt'];
  const data = Object.fromEntries(keys.map((key) => [key, Buffer.from(key).toString('base64')]));
  for (const name of [nodeCertificate, operatorCertificate]) {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data };
    await cluster.apply(Secret, secret as Manifest, somebody);
  }
}

/** The kubelet reports the Pods of the namespace as ready. */
export async function givenReadyPods(cluster: Cluster, namespace: string, at: Date): Promise<void> {
  const lastTransitionTime = at.toISOString().replace(/\.\d+/, '');
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime, lastProbeTime: null }];
  const { items } = await cluster.list(Pod, { namespace });
  for (const { metadata } of items) {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: metadata.name, namespace } };
    const running = { ...pod, status: { phase: 'Running', conditions } } as Manifest;
    await cluster.apply(Pod, running, { manager: 'kubelet', subresource: 'status' });
  }
}

/** A volume with the labels of `events` that belongs to another cluster of Kafka. Nobody owns it. */
export async function givenVolumeOfOtherCluster(cluster: Cluster, namespace: string) {
  const claim = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    metadata: {
      ...{ name: 'events-broker-7', namespace, labels: kafkaSelector('events') },
      annotations: { [kafkaClusterIdAnnotation]: 'of-another-cluster' },
    },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  return cluster.apply(PersistentVolumeClaim, claim as unknown as Manifest, somebody);
}

/** The names of the objects of a kind, without those that are being deleted. */
export async function namesOf(cluster: Cluster, kind: ObjectKind, namespace: string): Promise<readonly string[]> {
  const { items } = await cluster.list(kind, { namespace });
  const staying = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return staying.map(({ metadata }) => metadata.name).toSorted();
}

interface GivenServing extends NonNullable<ConstructorParameters<typeof GivenOperator>[0]> {
  /** What the brokers have. @default - an empty cluster */
  readonly answer?: ClusterAnswer;
  /** @default - none */
  readonly topics?: Topics;
}

/** An operator with a KafkaCluster `events` in the namespace `shop` that serves. @param changes of the spec */
export async function givenServing(changes: object, { answer, topics: existing, ...options }: GivenServing = {}) {
  const { brokers, topics, ports } = kafkaModels(answer, existing);
  const controllers = [kafkaCluster as unknown as Controller];
  const operator = runs(new GivenOperator({ controllers, ports, ...options }));
  const { clock, memory } = operator;
  await operator.start();
  await givenCertificates(memory, 'shop');
  const metadata = { name: 'events', namespace: 'shop' };
  const spec = (input: object) => withDefaults(kafkaClusterSpec, { brokers: { storage }, ...input } as never);
  const apply = (input: object, annotations?: Readonly<Record<string, string>>) => {
    const of = { ...metadata, ...(annotations && { annotations }) };
    const object = { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'KafkaCluster', metadata: of, spec: spec(input) };
    return operator.given(kafkaClusterKind, object as Manifest);
  };
  const { metadata: made } = await apply(changes);
  await clock.advance(5_000);
  await givenReadyPods(memory, 'shop', new Date(clock.now()));
  await clock.advance(30_000);
  const read = () => memory.read(kafkaClusterKind, metadata);
  /** The reason and the message of a condition. */
  const told = async (type: string) => {
    const found = conditionOf(await read(), type) ?? {};
    return found as { readonly reason?: string; readonly message?: string };
  };
  const remove = () => memory.remove(kafkaClusterKind, metadata, { uid: made.uid });
  return { operator, brokers, topics, apply, read, told, remove };
}

const storage = { size: '1Gi' };
