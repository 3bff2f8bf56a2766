import { type KafkaClusterResource, type KafkaClusterStatusNodes, kafkaClusterKind } from '../../imports/index.js';
import {
  drainAnnotation,
  drainedBrokers,
} from '../../operator/controllers/kafka/cluster/annotations/drained-brokers.js';
import { apiVersionOf } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type Manifest, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import { type Clock, sleep } from '../../operator/runtime/ports/clock.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { rebalanceView } from './rebalance-view.js';
import { kafkaClusterNamed } from './resources.js';

/** Milliseconds between two looks at the KafkaCluster. */
const pause = 2_000;
/** Milliseconds after which a refusal in the status is about this drain. The operator asks the brokers every 5 seconds. */
const answered = 15_000;
const manager = 'reconstruct-drain';

/** What a user asks for. */
export interface DrainRequest {
  readonly name: ObjectName;
  /** ID of the broker, or the name of its Pod. */
  readonly broker: string;
  /** Lets the broker have replicas again. */
  readonly cancel: boolean;
  /** Shows the plan and writes nothing. */
  readonly dryRun: boolean;
  /** Milliseconds to wait. */
  readonly patience: number;
}

/** Where the command reads the time, waits and writes. */
export interface DrainPlace {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/**
 * Asks the operator to move all replicas off a broker, shows what it plans, and waits until the broker has none.
 * @returns 0 if the broker has no replicas, and 1 if the operator refuses, or if it takes too long
 * @throws {Error} if the KafkaCluster or the broker does not exist
 */
export async function drain(request: DrainRequest, place: DrainPlace): Promise<number> {
  const { name, cancel, dryRun } = request;
  const { cluster, print } = place;
  const kafka = await kafkaClusterNamed(cluster, name);
  const node = brokerNamed(kafka, request.broker);
  const others = drainedBrokers(kafka).filter((id) => id !== node.id);
  const ids = cancel ? others : [...others, node.id].toSorted((a, b) => a - b);
  for (const line of planOf(kafka, { node, ids, cancel })) print(line);
  if (dryRun) return 0;
  await write(cluster, kafka, ids);
  if (cancel) return 0;
  return follow(request, node, place);
}

function brokerNamed({ metadata, status }: KafkaClusterResource, broker: string): KafkaClusterStatusNodes {
  const brokers = (status?.nodes ?? []).filter(({ role }) => role === 'Broker');
  const found = brokers.find(({ id, name }) => `${id}` === broker || name === broker);
  if (found) return found;
  const known = brokers.map(({ id }) => id).join(', ') || 'none yet';
  throw new Error(`KafkaCluster ${metadata.name} has no broker ${printable(broker)}; its brokers are ${known}`);
}

interface Planned {
  readonly node: KafkaClusterStatusNodes;
  readonly ids: readonly number[];
  readonly cancel: boolean;
}

function planOf(kafka: KafkaClusterResource, { node, ids, cancel }: Planned): readonly string[] {
  const { metadata, spec, status } = kafka;
  const brokers = (status?.nodes ?? []).filter(({ role, id }) => role === 'Broker' && !ids.includes(id));
  const value = ids.length > 0 ? `set to "${ids.join(',')}"` : 'removed';
  const written = `Annotation ${drainAnnotation} of KafkaCluster ${keyOf({ ...metadata, namespace: metadata.namespace ?? '' })}: ${value}`;
  const moves = cancel
    ? `${node.name} may have replicas again; the operator gives it some if it has none`
    : `All replicas of ${node.name} move to ${brokers.map(({ name }) => name).join(', ') || 'no other broker'}, with up to ${spec.rebalance.throttle} per second and broker`;
  return [written, moves].map(printable);
}

/** With the UID, a resource that was deleted and created again meanwhile is left alone. */
async function write(cluster: Cluster, { metadata }: KafkaClusterResource, ids: readonly number[]): Promise<void> {
  const { name, namespace = '', uid } = metadata;
  const annotations = ids.length > 0 ? { annotations: { [drainAnnotation]: ids.join(',') } } : {};
  const manifest = {
    ...{ apiVersion: apiVersionOf(kafkaClusterKind), kind: kafkaClusterKind.kind },
    metadata: { name, namespace, uid, ...annotations },
  } as Manifest;
  await cluster.apply(kafkaClusterKind, manifest, { manager });
}

async function follow(
  { name, patience }: DrainRequest,
  { id, name: pod }: KafkaClusterStatusNodes,
  { cluster, clock, signal, print }: DrainPlace,
): Promise<number> {
  const began = clock.now();
  let shown = '';
  while (clock.now() - began < patience) {
    await sleep(clock, pause, signal);
    signal.throwIfAborted();
    const kafka = await kafkaClusterNamed(cluster, name);
    const state = kafka.status?.nodes?.find((node) => node.id === id)?.state;
    const text = rebalanceView(kafka).join('\n');
    if (text !== shown) print(text);
    shown = text;
    if (state === 'Drained') {
      print(`${pod} has no replicas. To remove it, lower the replicas of its group by 1: drained brokers leave first`);
      return 0;
    }
    const balanced = kafka.status?.conditions?.find(({ type }) => type === 'Balanced');
    if (balanced?.reason === 'RemovalRefused' && clock.now() - began >= answered) {
      print('The operator refuses. To take the request back, run the command with --cancel');
      return 1;
    }
  }
  print(`${pod} still has replicas. The operator goes on; to follow it, run reconstruct kafka rebalance ${name.name}`);
  return 1;
}
