import { neededInSync } from '../../../operator/engines/kafka/partitions/partitions.js';
import { idOf, type KafkaMachines } from './kafka-machines.js';
import type { KafkaModel, ModelRequest } from './kafka-model.js';

/** What the operator knew when it acted. */
interface Knowledge {
  /** When its answer was asked for, in milliseconds. */
  readonly answeredAt: number;
}

/** Judges each act of the operator by what is so in fact. An act is excused by a fault that the operator cannot know of. */
export class KafkaJudge {
  /** The promise that was broken, and how. */
  broken: string | undefined;
  /** Nodes that the operator took down and that do not serve again, by name. */
  readonly #away = new Set<string>();
  /** When a node was last struck by a fault, by id. */
  readonly #faults = new Map<number, number>();

  constructor(
    readonly kafka: KafkaModel,
    readonly machines: KafkaMachines,
    readonly now: () => number,
  ) {}

  /** A fault struck a node. */
  struck(name: string): void {
    this.#faults.set(idOf(name), this.now());
  }

  /** The operator deletes the Pod of a node. @param stays whether the node is to run again */
  takesDown(name: string, known: Knowledge): void {
    const id = idOf(name);
    const isController = this.kafka.isController(id);
    // To take down what does not serve costs nothing.
    if (!this.kafka.serves(id) && !(isController && this.#isUp(id, known))) return;
    for (const other of this.#away)
      if (other !== name && this.#isAway(other))
        this.#find('two at once', `${name} is taken down while ${other} is away`);
    this.#away.add(name);
    if (isController) this.#checkVoters(`without ${name}`, { without: id, known });
    this.#checkPartitions(id, known);
  }

  /** The operator deletes a PVC. */
  removes(claim: string): void {
    if (this.machines.pods.some(({ metadata }) => metadata.name === claim))
      this.#find('volume before Pod', `PVC ${claim} is deleted while its Pod exists`);
    const left = this.kafka.partitions.filter(({ replicas }) => replicas.includes(idOf(claim)));
    if (left.length > 0) this.#find('volume with replicas', `PVC ${claim} is deleted, with ${left.length} replicas`);
    if (this.kafka.voters.has(idOf(claim))) this.#find('volume of a voter', `PVC ${claim} is deleted`);
  }

  /** Kafka is about to carry out a request of the operator. */
  asks(request: ModelRequest, known: Knowledge): void {
    if (request.act === 'unregister') {
      const broker = Number(request['broker']);
      const left = this.kafka.partitions.filter(({ replicas }) => replicas.includes(broker));
      if (left.length > 0) this.#find('unregistered with replicas', `broker ${broker} has ${left.length} replicas`);
      if (this.kafka.nodes.get(broker)?.isAlive) this.#find('unregistered while it runs', `broker ${broker} runs`);
      if (this.kafka.voters.has(broker)) this.#find('unregistered with a vote', `broker ${broker} is a voter`);
    }
    const id = Number(request['id']);
    if (request.act === 'removeVoter') {
      this.#checkVoters(`when ${id} loses its vote`, { without: id, known, isRemoval: true });
      // Its removal may still be refused, and then it would be a broker without a vote.
      if (this.kafka.serves(id) && this.kafka.partitions.some(({ replicas }) => replicas.includes(id)))
        this.#find('vote of a broker with replicas', `broker ${id} loses its vote`);
    }
    if (request.act === 'addVoter') {
      const lag = this.kafka.nodes.get(id)?.behind ?? 99;
      // It cannot know of a restart after the answer.
      if (lag > 3 && !this.#isExcused(id, known))
        this.#find('a voter that lags', `controller ${id} becomes a voter ${lag} steps behind`);
    }
  }

  #checkPartitions(id: number, known: Knowledge): void {
    for (const partition of this.kafka.partitions) {
      const { topic, partition: number, replicas, adding } = partition;
      const inSync = replicas.filter((one) => this.#isInSync(one, partition.inSync, known));
      if (!inSync.includes(id)) continue;
      const left = inSync.filter((one) => one !== id).length;
      const needed = Math.min(neededInSync(partition) ?? 0, replicas.length - adding.length - 1);
      if (left >= needed || left === replicas.length - 1) continue;
      this.#find('below min ISR', `${topic}-${number} has ${left} of ${needed} replicas in sync without broker ${id}`);
    }
  }

  #checkVoters(
    when: string,
    { without, known, isRemoval = false }: { without: number; known: Knowledge; isRemoval?: boolean },
  ): void {
    const { voters } = this.kafka;
    if (!voters.has(without)) return;
    const others = [...voters.keys()].filter((id) => id !== without);
    const alive = others.filter((id) => this.#isUp(id, known)).length;
    const total = isRemoval ? others.length : voters.size;
    if (total > 1 && alive < Math.floor(total / 2) + 1 && alive < others.length)
      this.#find('voters below a majority', `${alive} of ${total} are up ${when}`);
    if (total === 0) this.#find('voters below a majority', `none is left ${when}`);
  }

  /** Whether a replica is in sync, or was until a fault that is not known. */
  #isInSync(id: number, inSync: readonly number[], known: Knowledge): boolean {
    return (inSync.includes(id) && this.kafka.nodes.get(id)?.isAlive === true) || this.#isExcused(id, known);
  }

  #isUp(id: number, known: Knowledge): boolean {
    const node = this.kafka.nodes.get(id);
    return node?.isAlive === true || this.#isExcused(id, known);
  }

  #isExcused(id: number, { answeredAt }: Knowledge): boolean {
    return (this.#faults.get(id) ?? Number.NEGATIVE_INFINITY) >= answeredAt - 1_000;
  }

  /** Whether a node that the operator took down is still away: its Pod is not ready, or it does not serve. */
  #isAway(name: string): boolean {
    const id = idOf(name);
    const pod = this.machines.pods.find(({ metadata }) => metadata.name === name);
    const isGone = !pod && !this.machines.claims.some(({ metadata }) => isRunnable(metadata, name));
    const serves = id >= 1_000 ? this.kafka.nodes.get(id)?.isAlive === true : this.kafka.serves(id);
    const isBack = pod !== undefined && pod.metadata.deletionTimestamp === undefined && serves;
    if (isBack || isGone) this.#away.delete(name);
    return !isBack && !isGone;
  }

  #find(promise: string, how: string): void {
    this.broken ??= `${promise}: ${how}`;
  }
}

/** The volume of a node that is to run again. */
function isRunnable(
  metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> | undefined },
  name: string,
): boolean {
  return metadata.name === name && metadata.labels?.['reconstruct.dev/retired'] === undefined;
}
