import { identityOf } from '../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import { revisionAnnotation } from '../../../operator/members/index.js';
import type { NodeState } from '../../../operator/pods/node-state.js';
import {
  conditionOf,
  type LivePersistentVolumeClaim,
  type LivePod,
  PersistentVolumeClaim,
  Pod,
} from '../../../operator/runtime/index.js';
import type { MemoryCluster } from '../../../operator/testing/memory/memory-cluster.js';
import type { Chance } from '../../../operator/testing/simulation/environment/chance.js';
import type { KafkaModel } from './kafka-model.js';

export const cluster = 'events';
export const namespace = 'shop';
/** Keeps a terminating Pod until its processes have stopped. */
export const grace = 'test/kubelet';
/** The level of `metadata.version` of each version of Kafka. */
export const levels: Readonly<Record<string, number>> = { '4.3': 29, '4.4': 33 };
const home = 'volume.kubernetes.io/selected-node';
const kubelet = { manager: 'kubelet' };
const groups = [
  { name: 'controller', role: 'controller' as const },
  { name: 'broker', role: 'broker' as const },
];

interface Machine {
  state: 'well' | 'lost' | 'gone';
}

/** The id of a node by the name of its Pod. */
export function idOf(name: string): number {
  return identityOf(name, { cluster, groups })?.id ?? -1;
}

/** Machines that run the Pods of one cluster in memory: they start, stop and lose processes of the model of Kafka. */
export class KafkaMachines {
  readonly machines = new Map<string, Machine>();
  /** Steps until a Pod is ready, or has stopped, by its UID. */
  readonly #waits = new Map<string, number>();
  /** UIDs of Pods whose process runs. */
  readonly #runs = new Set<string>();

  constructor(
    readonly memory: MemoryCluster,
    readonly kafka: KafkaModel,
    readonly chance: Chance,
    readonly now: () => number,
  ) {
    for (let number = 0; number < 12; number++) this.machines.set(`m${number}`, { state: 'well' });
  }

  get pods(): readonly LivePod[] {
    return [...this.memory.peek(Pod).values()] as unknown as readonly LivePod[];
  }

  get claims(): readonly LivePersistentVolumeClaim[] {
    return [...this.memory.peek(PersistentVolumeClaim).values()] as readonly LivePersistentVolumeClaim[];
  }

  get nodes(): readonly NodeState[] {
    const there = [...this.machines].filter(([, { state }]) => state !== 'gone');
    return there.map(([name, { state }]) => ({ name, labels: {}, isReady: state === 'well', isCordoned: false }));
  }

  get gone(): readonly string[] {
    return [...this.machines].filter(([, { state }]) => state === 'gone').map(([name]) => name);
  }

  /** One step of all kubelets. */
  async step(): Promise<void> {
    for (const pod of this.pods) {
      const { uid, deletionTimestamp } = pod.metadata;
      const machine = await this.#machineOf(pod);
      if (deletionTimestamp !== undefined) await this.#terminate(pod, machine);
      else if (machine?.state === 'well') await this.#run(pod);
      else if (machine?.state === 'gone' && pod.spec.nodeName !== undefined) await this.#collect(pod);
      else if (machine?.state === 'lost' && this.#runs.delete(uid)) await this.#report(pod, false);
    }
  }

  /** The process of a node dies. Its container starts again. */
  async kill(pod: LivePod): Promise<void> {
    if (!this.#runs.delete(pod.metadata.uid)) return;
    this.kafka.stop(idOf(pod.metadata.name), false);
    this.#waits.delete(pod.metadata.uid);
    await this.#report(pod, false);
  }

  /** A machine is lost with its processes. */
  lose(name: string): void {
    const machine = this.machines.get(name);
    if (machine) machine.state = 'lost';
    for (const { metadata, spec } of this.pods) if (spec.nodeName === name) this.kafka.stop(idOf(metadata.name), false);
  }

  /** A lost machine returns, or is deleted for good. */
  settle(name: string, returns: boolean): void {
    const machine = this.machines.get(name);
    if (machine?.state === 'lost') machine.state = returns ? 'well' : 'gone';
  }

  /** The machine of the volume of a Pod. The first start selects one. */
  async #machineOf({ metadata: { name } }: LivePod): Promise<Machine | undefined> {
    const claim = this.claims.find(({ metadata }) => metadata.name === name);
    if (!claim) return undefined;
    const known = claim.metadata.annotations?.[home];
    if (known !== undefined) return this.machines.get(known);
    const used = this.claims.map(({ metadata }) => metadata.annotations?.[home]);
    const free = [...this.machines].filter(([, { state }]) => state === 'well').map(([one]) => one);
    const countOf = (one: string) => used.filter((other) => other === one).length;
    const [chosen = ''] = free.toSorted((a, b) => countOf(a) - countOf(b));
    const path = `/metadata/annotations/${home.replaceAll('/', '~1')}`;
    const first = { op: 'add' as const, path: '/metadata/annotations', value: {} };
    const add = { op: 'add' as const, path, value: chosen };
    await this.memory.patch(
      PersistentVolumeClaim,
      claim.metadata,
      claim.metadata.annotations ? [add] : [first, add],
      kubelet,
    );
    return this.machines.get(chosen);
  }

  async #run(pod: LivePod): Promise<void> {
    const { name, uid, annotations } = pod.metadata;
    if (this.#runs.has(uid)) {
      if (this.#waited(uid, 4)) await this.#report(pod, true);
      return;
    }
    if (!this.#waited(`${uid} start`, 3)) return;
    this.#waits.delete(`${uid} start`);
    this.#runs.add(uid);
    this.#waits.delete(uid);
    const level = levels[annotations?.[revisionAnnotation] ?? ''] ?? 0;
    const disks = new Map(this.claims.map(({ metadata }) => [idOf(metadata.name), metadata.uid]));
    this.kafka.form(new Map([...disks].filter(([id]) => this.kafka.isController(id))));
    this.kafka.start(idOf(name), { level, disk: disks.get(idOf(name)) ?? '' });
    const claim = this.claims.find(({ metadata }) => metadata.name === name);
    const nodeName = claim?.metadata.annotations?.[home];
    await this.memory.patch(Pod, pod.metadata, [{ op: 'add', path: '/spec/nodeName', value: nodeName }], kubelet);
    await this.#report(pod, false);
  }

  /** Whether so many steps have passed, more or less. */
  #waited(key: string, steps: number): boolean {
    const left = this.#waits.get(key) ?? Math.floor(this.chance.between(1, steps + 1));
    this.#waits.set(key, Math.max(0, left - 1));
    return left === 0;
  }

  async #terminate(pod: LivePod, machine: Machine | undefined): Promise<void> {
    const { name, uid } = pod.metadata;
    // A kubelet that is lost reports nothing.
    if (machine?.state === 'lost' && pod.spec.nodeName !== undefined) return;
    if (this.#runs.has(uid) && !this.#waited(`${uid} stop`, 3)) return;
    if (this.#runs.delete(uid)) this.kafka.stop(idOf(name), true);
    await this.#collect(pod);
  }

  /** The Pod is gone. */
  async #collect({ metadata }: LivePod): Promise<void> {
    this.#runs.delete(metadata.uid);
    if (metadata.deletionTimestamp === undefined) await this.memory.remove(Pod, metadata, { uid: metadata.uid });
    await this.memory.patch(Pod, metadata, [{ op: 'remove', path: '/metadata/finalizers' }], kubelet);
  }

  async #report(pod: LivePod, isReady: boolean): Promise<void> {
    const { metadata } = pod;
    const ready = conditionOf(pod, 'Ready')?.status;
    if (ready === (isReady ? 'True' : 'False')) return;
    const lastTransitionTime = new Date(this.now()).toISOString().replace('.000', '');
    const condition = { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime };
    const value = { phase: 'Running', conditions: [condition] };
    await this.memory.patch(Pod, metadata, [{ op: 'add', path: '/status', value }], {
      ...kubelet,
      subresource: 'status',
    });
  }
}
