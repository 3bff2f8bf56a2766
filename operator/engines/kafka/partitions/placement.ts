import type { Partition } from './partitions.js';

/** A broker that may have replicas. */
export interface Candidate {
  readonly id: number;
  /** @default - it shares no rack */
  readonly rack?: string;
}

/** A partition whose replicas are being chosen. */
export interface Placed {
  readonly of: Partition;
  /** In order of preference. */
  readonly replicas: number[];
}

/** Which broker has how much, while replicas are chosen. */
export class Placement {
  readonly #racks: ReadonlyMap<number, string>;
  readonly #counts = new Map<number, number>();
  readonly #bytes = new Map<number, number>();
  /** By topic and broker. */
  readonly #topics = new Map<string, Map<number, number>>();

  constructor(
    readonly placed: readonly Placed[],
    readonly brokers: readonly Candidate[],
  ) {
    this.#racks = new Map(brokers.map(({ id, rack }) => [id, rack ?? `broker ${id}`]));
    for (const { of, replicas } of placed) for (const id of replicas) this.#count(of, id, 1);
  }

  replicasOn(id: number): number {
    return this.#counts.get(id) ?? 0;
  }

  bytesOn(id: number): number {
    return this.#bytes.get(id) ?? 0;
  }

  /** Replicas of one topic. */
  topicOn(topic: string, id: number): number {
    return this.#topics.get(topic)?.get(id) ?? 0;
  }

  /** A broker of which the racks are unknown is in a rack of its own. */
  rackOf(id: number): string {
    return this.#racks.get(id) ?? `broker ${id}`;
  }

  /** The number of racks in which a partition is, or would be with another broker in the place of one. */
  racksOf({ replicas }: Placed, replaced?: number, by?: number): number {
    return new Set(replicas.map((id) => this.rackOf(id === replaced && by !== undefined ? by : id))).size;
  }

  /** Whether a replica may move without a loss of racks. */
  mayMove(placed: Placed, from: number, to: number): boolean {
    return !placed.replicas.includes(to) && this.racksOf(placed, from, to) >= this.racksOf(placed);
  }

  /** Puts a broker in the place of another, so that the order of preference stays. */
  move(placed: Placed, from: number, to: number): void {
    placed.replicas[placed.replicas.indexOf(from)] = to;
    this.#count(placed.of, from, -1);
    this.#count(placed.of, to, 1);
  }

  add(placed: Placed, id: number): void {
    placed.replicas.push(id);
    this.#count(placed.of, id, 1);
  }

  remove(placed: Placed, id: number): void {
    placed.replicas.splice(placed.replicas.indexOf(id), 1);
    this.#count(placed.of, id, -1);
  }

  /**
   * The broker for another replica: in another rack if there is one, then the one with the fewest replicas of the topic,
   * the fewest replicas, and the fewest bytes.
   * @param kept the replicas beside which it stands
   */
  best({ of }: Placed, kept: readonly number[], onto: readonly number[]): number | undefined {
    const racks = new Set(kept.map((id) => this.rackOf(id)));
    const weights = (id: number) => [
      racks.has(this.rackOf(id)) ? 1 : 0,
      this.topicOn(of.topic, id),
      this.replicasOn(id),
      this.bytesOn(id),
      id,
    ];
    const free = onto.filter((id) => !kept.includes(id)).map((id) => ({ id, weights: weights(id) }));
    return free.sort((one, other) => compared(one.weights, other.weights))[0]?.id;
  }

  #count({ topic, bytes }: Partition, id: number, by: 1 | -1): void {
    this.#counts.set(id, this.replicasOn(id) + by);
    this.#bytes.set(id, this.bytesOn(id) + by * bytes);
    const topics = this.#topics.get(topic) ?? new Map<number, number>();
    this.#topics.set(topic, topics.set(id, (topics.get(id) ?? 0) + by));
  }
}

function compared(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return (one[at] ?? 0) - (other[at] ?? 0);
}
