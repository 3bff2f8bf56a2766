import { expect, it } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../../crds/index.js';
import { kafkaClusterKind } from '../../../../../imports/index.js';
import { kafkaCluster } from '../../../../../operator/controllers/kafka/cluster/index.js';
import { Job, type LiveObject, Pod, Secret } from '../../../../../operator/runtime/index.js';
import { cutCluster } from '../../../../../operator/testing/contract/trial/cut-cluster.js';
import { Trial } from '../../../../../operator/testing/contract/trial/trial.js';
import { MemoryCluster } from '../../../../../operator/testing/index.js';
import { kafkaClusterId } from '../../../../../src/index.js';
import { playsAll } from '../../../../simulation/seeds.js';
import { answer, member } from '../given-kafka.js';
import { clusterModel, consumersModel, hooksModel } from '../kafka-models.js';

const namespace = 'shop';
const manager = 'somebody';
const job = { image: 'registry.example.com/hooks:1' };
const hooks = { preRestart: { job }, postRestart: { job } };
const storage = { size: '1Gi' };
const specOf = (labels: object) =>
  withDefaults(kafkaClusterSpec, {
    ...{ hooks, controllers: { replicas: 1 } },
    brokers: { replicas: 1, storage, podTemplate: { labels } },
  } as never);
const resourceOf = (spec: object) => ({
  ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'KafkaCluster', metadata: { name: 'events', namespace } },
  spec,
});
const certificate = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } },
  data: Object.fromEntries(['tls.crt', 'tls.key', 'ca.crt'].map((key) => [key, Buffer.from(key).toString('base64')])),
});

/** Kubernetes, as far as it makes Pods ready, and completes Jobs. */
async function live(memory: MemoryCluster): Promise<void> {
  const status = async (kind: typeof Pod | typeof Job, { metadata }: LiveObject, value: object) =>
    memory.patch(kind, metadata, [{ op: 'add', path: '/status', value }], { manager, subresource: 'status' });
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: new Date(Date.now() - 60_000).toISOString() };
  const idle = [...memory.peek(Pod).values()].filter((pod) => !('status' in pod));
  for (const pod of idle) await status(Pod, pod, { phase: 'Running', conditions: [ready] });
  const open = [...memory.peek(Job).values()].filter((one) => !('status' in one));
  for (const one of open) await status(Job, one, { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] });
}

/** A person deletes the Jobs of hooks that have succeeded. */
async function tidy(memory: MemoryCluster): Promise<void> {
  const [owner] = memory.peek(kafkaClusterKind).values();
  const { restart } = (owner as unknown as { status?: { restart?: Record<string, string> } }).status ?? {};
  for (const one of memory.peek(Job).values()) {
    const hook = variable(one, 'HOOK_NAME');
    if (restart?.[hook] === 'Succeeded') await memory.remove(Job, one.metadata, { uid: one.metadata.uid });
  }
}

function variable(one: LiveObject, name: string): string {
  const { template } = (one as unknown as { spec: { template: { spec: { containers: readonly [Container] } } } }).spec;
  return template.spec.containers[0].env.find((variable) => variable.name === name)?.value ?? '';
}

interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

/** Every Job that was created and every Pod that was replaced, in their order. */
class Diary {
  readonly lines: string[] = [];
  readonly #seen = new Set<string>();

  read(memory: MemoryCluster): void {
    const isNew = ({ metadata }: LiveObject) => !this.#seen.has(metadata.uid) && this.#seen.add(metadata.uid);
    for (const pod of memory.peek(Pod).values()) if (isNew(pod)) this.lines.push(`starts ${pod.metadata.name}`);
    for (const one of memory.peek(Job).values())
      if (isNew(one)) this.lines.push(`${variable(one, 'HOOK_NAME')} ${variable(one, 'HOOK_POD')}`);
  }
}

/** The restart of a broker, whose operator dies at a write. */
async function restart(cut: { readonly write: number; readonly isCarriedOut: boolean }) {
  let count = 0;
  const memory = new MemoryCluster({ uid: () => `uid-${++count}` });
  for (const name of ['events-nodes-tls', 'events-operator-tls'])
    await memory.apply(Secret, certificate(name), { manager });
  const resource = resourceOf(specOf({}));
  const { metadata } = await memory.apply(kafkaClusterKind, resource, { manager });
  const cluster = answer({ ids: [0], quorum: { voters: [member(1_000)] } });
  const ports = [clusterModel({ ...cluster, clusterId: kafkaClusterId(metadata.uid) }), consumersModel(), hooksModel()];
  const starting = new Trial(kafkaCluster, memory, { ports });
  const diary = new Diary();
  for (let round = 0; round < 6; round++) {
    await starting.rest(resource);
    await live(memory);
  }
  diary.read(memory);
  expect(diary.lines.splice(0).toSorted()).toEqual(['starts events-broker-0', 'starts events-controller-1000']);
  await memory.apply(kafkaClusterKind, resourceOf(specOf({ team: 'shop' })), { manager });
  let died = false;
  const crashed = () => {
    died = true;
  };
  const { outside } = starting;
  let operator = new Trial(kafkaCluster, memory, { outside, cluster: cutCluster(memory, { ...cut, crashed }) });
  let isReplaced = false;
  for (let round = 0, quiet = 0; round < 100 && quiet < 3; round++) {
    const writes = await operator.pass(resource).catch((error: unknown) => {
      if (!died) throw error;
      return 1;
    });
    if (died && !isReplaced) {
      isReplaced = true;
      operator = new Trial(kafkaCluster, memory, { outside });
    }
    diary.read(memory);
    await live(memory);
    await tidy(memory);
    quiet = writes === 0 ? quiet + 1 : 0;
  }
  return { lines: diary.lines, died };
}

const whole = ['preRestart events-broker-0', 'starts events-broker-0', 'postRestart events-broker-0'];

// A write without an answer is the harder case. A commit tries some of the writes.
it.each([
  [true, playsAll ? 1 : 3],
  [false, playsAll ? 1 : 6],
])(
  'each Job of a hook runs once and in its place, wherever the operator is killed (write carried out: %s)',
  async (isCarriedOut, step) => {
    let write = 0;
    for (let died = true; died; write += step) {
      const history = await restart({ write, isCarriedOut });
      expect(history.lines, `killed at write ${write}`).toEqual(whole);
      died = history.died;
    }
    expect(write).toBeGreaterThan(10);
  },
);
