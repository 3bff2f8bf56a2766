import type { ClusterAnswer, ClusterRequest, QuorumMember } from '../../../operator/controllers/kafka/ports/cluster.js';
import { loadOf, partitionCounts } from '../../../operator/engines/kafka/partitions/load.js';
import { type Partition, targetOf } from '../../../operator/engines/kafka/partitions/partitions.js';
import { movesOf, reassignmentFor } from '../../../operator/engines/kafka/partitions/reassignment.js';
import type { Chance } from '../../../operator/testing/simulation/environment/chance.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A broker or controller that is registered, or that was. */
interface Node {
  isAlive: boolean;
  /** The level of `metadata.version` that its software supports. */
  level: number;
  /** Identifier of its disk. */
  disk: string;
  /** Steps until it has all records of the metadata log. */
  behind: number;
}

interface Registration {
  isFenced: boolean;
  /** Steps until the controllers notice that it died. */
  session: number;
}

type Plan = Extract<ClusterRequest, { readonly act: 'reassign' }>;
/** A request without how its cluster is reached. */
export type ModelRequest = { readonly act: ClusterRequest['act'] } & Readonly<Record<string, unknown>>;

/** Steps of a session: a broker that dies is fenced so much later. */
const session = 6;

/**
 * A small model of Kafka, one step at a time: replicas catch up and move, brokers are fenced and return, leaders are
 * elected, and controllers catch up and vote. Like Kafka, it carries out what it is asked for: it does not refuse to
 * unregister a broker that has replicas.
 */
export class KafkaModel {
  readonly nodes = new Map<number, Node>();
  readonly registered = new Map<number, Registration>();
  partitions: Mutable<Partition>[] = [];
  readonly voters = new Map<number, string>();
  /** Steps until a replica is in sync, by broker and partition. */
  readonly #copying = new Map<string, number>();
  readonly config = new Map<string, string>();
  throttle: number | undefined;
  finalized: number;
  leader = -1;
  #records = 5_000;

  constructor(
    readonly chance: Chance,
    level: number,
    /** Brokers, whose ids are below 1000, are the controllers. */
    readonly isCombined: boolean,
  ) {
    this.finalized = level;
  }

  /** A node starts with a disk. With a new one it has more to copy. */
  start(id: number, node: Pick<Node, 'level' | 'disk'>): void {
    const behind = Math.floor(this.chance.between(1, this.nodes.get(id)?.disk === node.disk ? 8 : 25));
    this.nodes.set(id, { isAlive: true, behind, ...node });
  }

  /** The volumes of the first controllers name all of them as voters. */
  form(disks: ReadonlyMap<number, string>): void {
    if (this.voters.size === 0) for (const [id, disk] of disks) this.voters.set(id, disk);
  }

  /** A node stops. A broker that stops in order hands over its partitions first. */
  stop(id: number, isInOrder: boolean): void {
    const node = this.nodes.get(id);
    if (node) node.isAlive = false;
    if (isInOrder && this.hasQuorum) this.#fence(id);
  }

  /** Creates the topics that clients use. */
  createTopics(): void {
    const ids = [...this.registered.keys()];
    const add = (topic: string, number: number, replication: number, minInSync: number) => {
      const replicas = ids.map((_, at) => ids[(at + number) % ids.length] ?? 0).slice(0, replication);
      const [leader] = replicas;
      const none = { adding: [], removing: [], bytes: 100 };
      this.partitions.push({ topic, partition: number, replicas, inSync: replicas, leader, minInSync, ...none });
    };
    for (let number = 0; number < 6; number++) add('orders', number, 3, 2);
    for (let number = 0; number < 3; number++) add('pairs', number, 2, 1);
    for (let number = 0; number < 2; number++) add('logs', number, 1, 1);
    add('strict', 0, 2, 2);
  }

  isController(id: number): boolean {
    return this.isCombined || id >= 1_000;
  }

  /** A majority of the voters runs. */
  get hasQuorum(): boolean {
    return this.voters.size > 0 && this.votersAlive() > this.voters.size / 2;
  }

  votersAlive(): number {
    return [...this.voters].filter(([id, disk]) => this.#runsOn(id, disk)).length;
  }

  /** Whether a broker serves. */
  serves(id: number): boolean {
    return this.nodes.get(id)?.isAlive === true && this.registered.get(id)?.isFenced === false;
  }

  /** One step of all nodes. */
  step(): void {
    this.#elect();
    this.#records += 50;
    for (const node of this.nodes.values()) if (node.isAlive && node.behind > 0) node.behind--;
    if (!this.hasQuorum) return;
    for (const [id, node] of this.nodes) if (id < 1_000) this.#heartbeat(id, node);
    for (const partition of this.partitions) this.#replicate(partition);
  }

  /** @throws {Error} when no broker answers, or the controllers do not */
  answer({ from, onto }: Pick<Plan, 'from' | 'onto'>): ClusterAnswer {
    if (!this.hasQuorum || ![...this.registered.keys()].some((id) => this.serves(id))) throw new Error('no answer');
    const ids = [...this.registered.keys()].toSorted((a, b) => a - b);
    const partitions = structuredClone(this.partitions) as readonly Partition[];
    const serving = ids.filter((id) => this.registered.get(id)?.isFenced === false).map((id) => ({ id }));
    const levels = [...this.nodes].filter(([id, { isAlive }]) => isAlive && id < 1_000).map(([, { level }]) => level);
    return {
      clusterId: 'cluster',
      brokers: ids.map((id) => ({ id, isFenced: this.registered.get(id)?.isFenced ?? true })),
      quorum: { leader: this.leader, ...this.#members() },
      metadataVersion: { finalized: this.finalized, minimum: 1, maximum: Math.min(...levels) },
      load: loadOf(partitions, ids, new Map()),
      partitions: partitionCounts(partitions),
      config: Object.fromEntries(this.config),
      ...(this.throttle !== undefined && { throttle: this.throttle }),
      moves: movesOf(reassignmentFor(partitions, serving, { from, onto }), partitions),
    };
  }

  /** Carries out a request. @throws {Error} if the controllers do not answer */
  perform(request: ModelRequest): void {
    if (!this.hasQuorum) throw new Error('the controllers do not answer');
    const of = <T>(key: string) => request[key] as T;
    switch (request.act) {
      case 'reassign':
        this.#reassign(of('from'), of('onto'));
        this.throttle = of('throttle');
        break;
      case 'unthrottle':
        this.throttle = undefined;
        break;
      case 'unregister':
        this.registered.delete(of('broker'));
        break;
      case 'addVoter':
        this.voters.set(of('id'), of('directoryId'));
        break;
      case 'removeVoter':
        if (this.voters.get(of('id')) === of('directoryId')) this.voters.delete(of('id'));
        break;
      case 'finalize':
        this.finalized = of('level');
        break;
      case 'configure':
        for (const [key, value] of Object.entries(of<Readonly<Record<string, string>>>('set')))
          this.config.set(key, value);
        for (const key of of<readonly string[]>('remove')) this.config.delete(key);
        break;
      default:
        throw new Error(`the model does not ${request.act}`);
    }
    this.#elect();
  }

  #runsOn(id: number, disk: string): boolean {
    const node = this.nodes.get(id);
    return node?.isAlive === true && node.disk === disk;
  }

  #elect(): void {
    const isFit = (id: number) =>
      this.#runsOn(id, this.voters.get(id) ?? '') && (this.nodes.get(id)?.behind ?? 1) === 0;
    const fit = [...this.voters.keys()].filter(isFit);
    if (!this.hasQuorum) this.leader = -1;
    else if (!fit.includes(this.leader)) this.leader = fit[0] ?? [...this.voters.keys()][0] ?? -1;
  }

  #members(): Pick<ClusterAnswer['quorum'], 'voters' | 'observers'> {
    const member = (id: number, directoryId: string): QuorumMember => {
      const node = this.nodes.get(id);
      const behind = !node?.isAlive || node.disk !== directoryId ? 20 : node.behind;
      const caughtUpAt = 20 * (this.#records - 50 * behind);
      return { id, directoryId, logEndOffset: this.#records - 50 * behind, caughtUpAt };
    };
    const others = [...this.nodes].filter(
      ([id, { isAlive, disk }]) => this.isController(id) && isAlive && this.voters.get(id) !== disk,
    );
    return {
      voters: [...this.voters].map(([id, disk]) => member(id, disk)),
      observers: others.map(([id, { disk }]) => member(id, disk)),
    };
  }

  #heartbeat(id: number, { isAlive, behind }: Node): void {
    const known = this.registered.get(id);
    if (isAlive) {
      // A broker that returns is taken out of all partitions before it is taken in.
      if (known?.isFenced === false && known.session < session) this.#fence(id);
      if (behind === 0) this.registered.set(id, { isFenced: false, session });
      else if (!known) this.registered.set(id, { isFenced: true, session });
    } else if (known && !known.isFenced && --known.session <= 0) this.#fence(id);
  }

  #fence(id: number): void {
    const known = this.registered.get(id);
    if (!known) return;
    this.registered.set(id, { isFenced: true, session });
    for (const partition of this.partitions) {
      // The last replica in sync stays in the set, so that no other is elected.
      if (partition.inSync.length > 1) partition.inSync = partition.inSync.filter((one) => one !== id);
      if (partition.leader === id) partition.leader = undefined;
    }
  }

  #replicate(partition: Mutable<Partition>): void {
    const { topic, partition: number, replicas, adding } = partition;
    const isLed = partition.leader !== undefined && this.serves(partition.leader);
    if (!isLed) partition.leader = replicas.find((id) => partition.inSync.includes(id) && this.serves(id));
    if (partition.leader === undefined) return;
    for (const id of replicas) {
      const key = `${id} ${topic} ${number}`;
      if (partition.inSync.includes(id)) continue;
      if (!this.serves(id)) {
        this.#copying.delete(key);
        continue;
      }
      const left = this.#copying.get(key) ?? Math.floor(this.chance.between(2, adding.includes(id) ? 14 : 9));
      if (left > 0) this.#copying.set(key, left - 1);
      else {
        this.#copying.delete(key);
        partition.inSync = [...partition.inSync, id];
      }
    }
    if (adding.length + partition.removing.length > 0) this.#finish(partition);
  }

  #finish(partition: Mutable<Partition>): void {
    const target = targetOf(partition);
    if (!target.every((id) => partition.inSync.includes(id))) return;
    Object.assign(partition, { replicas: target, adding: [], removing: [] });
    partition.inSync = partition.inSync.filter((id) => target.includes(id));
    if (partition.leader !== undefined && !target.includes(partition.leader)) partition.leader = undefined;
  }

  #reassign(from: readonly number[], onto: readonly number[]): void {
    const serving = [...this.registered].filter(([, { isFenced }]) => !isFenced).map(([id]) => ({ id }));
    for (const { topic, partition: number, replicas } of reassignmentFor(this.partitions, serving, { from, onto })) {
      const partition = this.partitions.find((one) => one.topic === topic && one.partition === number);
      if (!partition) continue;
      const before = partition.replicas.filter((id) => !partition.adding.includes(id));
      const adding = replicas.filter((id) => !before.includes(id));
      const removing = before.filter((id) => !replicas.includes(id));
      partition.inSync = partition.inSync.filter((id) => before.includes(id) || adding.includes(id));
      Object.assign(partition, { replicas: [...replicas, ...removing], adding, removing });
    }
  }
}
