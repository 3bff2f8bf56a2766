import type { LivePersistentVolumeClaim } from '../../../operator/runtime/index.js';
import { MemoryCluster } from '../../../operator/testing/memory/memory-cluster.js';
import { Chance } from '../../../operator/testing/simulation/environment/chance.js';
import { KafkaJudge } from './kafka-judge.js';
import { idOf, KafkaMachines, levels } from './kafka-machines.js';
import { KafkaModel } from './kafka-model.js';
import { type Kept, PlannedOperator, type Wish } from './planned-operator.js';

/** One history of a KafkaCluster. */
export interface KafkaHistory {
  readonly lines: readonly string[];
  /** The promise that was broken, and how. */
  readonly broken?: string | undefined;
}

const start = Date.parse('2030-01-01T00:00:00Z');
const second = 1_000;
/** Steps within which a calm cluster is as it is wanted. */
const patience = 2_500;
const first: Wish = { brokers: 3, controllers: 3, combined: false, version: '4.3', keepsRemoved: true };

/** Plays one history: specs change and faults happen at random, then all is calm. Equal for equal seeds. */
export async function kafkaHistory(seed: number): Promise<KafkaHistory> {
  return played(new Play(new Chance(`kafka/${seed}`), first));
}

/** The same for a cluster whose brokers are its controllers. */
export async function combinedKafkaHistory(seed: number): Promise<KafkaHistory> {
  return played(new Play(new Chance(`combined kafka/${seed}`), { ...first, combined: true, controllers: 0 }));
}

async function played(play: Play): Promise<KafkaHistory> {
  await play.all();
  return { lines: play.lines, broken: play.judge.broken };
}

class Play {
  readonly lines: string[] = [];
  readonly kafka: KafkaModel;
  readonly machines: KafkaMachines;
  readonly judge: KafkaJudge;
  readonly #kept: Kept = { isBootstrapped: false };
  #operator: PlannedOperator;
  #wish: Wish;
  #steps = 0;
  #silentUntil = 0;
  #lost: { readonly name: string; readonly until: number } | undefined;
  #uid = 0;

  constructor(
    readonly chance: Chance,
    wish: Wish,
  ) {
    const now = () => this.#now();
    const memory = new MemoryCluster({ now, uid: () => `uid-${++this.#uid}` });
    this.kafka = new KafkaModel(chance.fork('kafka'), levels['4.3'] ?? 0, wish.combined);
    this.machines = new KafkaMachines(memory, this.kafka, chance.fork('machines'), now);
    this.judge = new KafkaJudge(this.kafka, this.machines, now);
    this.#wish = { ...wish, keepsRemoved: chance.happens(0.5) };
    this.#operator = this.#process();
  }

  async all(): Promise<void> {
    await this.#until(() => this.kafka.registered.size === 3 && this.kafka.leader >= 0, 200);
    this.kafka.createTopics();
    for (const wish of this.#wishes()) {
      this.#wish = { ...this.#wish, ...wish };
      this.#say('user', `wants ${JSON.stringify(wish)}`);
      for (let left = Math.floor(this.chance.spread(5, 300)); left > 0 && !this.judge.broken; left--) {
        await this.#fault();
        await this.#step();
      }
    }
    this.#say('-', 'no more faults');
    if (this.#lost) this.machines.settle(this.#lost.name, true);
    this.#silentUntil = 0;
    this.#deleteLostTopics();
    await this.#until(() => this.unrest() === undefined, patience);
  }

  /** Why the cluster is not as it is wanted. */
  unrest(): string | undefined {
    const { brokers, controllers, combined, version, keepsRemoved } = this.#wish;
    const { kafka, machines } = this;
    const serving = [...kafka.registered.keys()].filter((id) => kafka.serves(id)).length;
    if (serving !== brokers || kafka.registered.size !== brokers)
      return `${serving} of ${kafka.registered.size} brokers serve, ${JSON.stringify(kafka.partitions.filter(({ replicas, inSync }) => replicas.length > inSync.length))}`;
    const voters = combined ? brokers : controllers;
    if (kafka.voters.size !== voters || kafka.votersAlive() !== voters)
      return `${kafka.votersAlive()} of ${kafka.voters.size} voters run`;
    if (machines.pods.length !== brokers + controllers) return `${machines.pods.length} Pods exist`;
    const late = kafka.partitions.find(
      ({ replicas, inSync, adding }) => replicas.length !== inSync.length || adding.length > 0,
    );
    if (late) return `${late.topic}-${late.partition} is not in sync: ${JSON.stringify(late)}`;
    if (kafka.throttle !== undefined) return 'replication is limited';
    if (kafka.finalized !== levels[version]) return `level ${kafka.finalized} is finalized`;
    const old = machines.pods.find(({ metadata }) => metadata.annotations?.['reconstruct.dev/revision'] !== version);
    if (old) return `${old.metadata.name} is outdated`;
    const removed = machines.claims.filter(
      ({ metadata }) => metadata.labels?.['reconstruct.dev/retired'] === 'removed',
    );
    if (!keepsRemoved && removed.length > 0) return `${removed.length} volumes of removed nodes exist`;
    const empty = [...kafka.registered.keys()].find(
      (id) => !kafka.partitions.some(({ replicas }) => replicas.includes(id)),
    );
    return empty === undefined ? undefined : `broker ${empty} has no replicas`;
  }

  #now(): number {
    return start + this.#steps * second;
  }

  #say(who: string, what: string): void {
    this.lines.push(`${String(this.#steps).padStart(5)} ${who.padEnd(8)} ${what}`);
  }

  #process(): PlannedOperator {
    const { kafka, machines, judge } = this;
    return new PlannedOperator({
      ...{ kafka, machines, judge, kept: this.#kept, now: () => this.#now(), wish: () => this.#wish },
      ...{ say: (what) => this.#say('operator', what), isReachable: () => this.#steps >= this.#silentUntil },
    });
  }

  #wishes(): readonly Partial<Wish>[] {
    const numbers = [
      [{ brokers: 5 }, { brokers: 3 }],
      ...(this.#wish.combined ? [] : [[{ controllers: 5 }, { controllers: 3 }]]),
      [{ version: '4.4' as const }],
    ];
    const queues = numbers.filter(() => this.chance.happens(0.75)).map((queue) => [...queue]);
    const wishes: Partial<Wish>[] = [{}];
    for (
      let left = queues.filter(({ length }) => length > 0);
      left.length > 0;
      left = queues.filter(({ length }) => length > 0)
    ) {
      const next = this.chance.pick(left).shift();
      if (next) wishes.push(next);
    }
    return wishes;
  }

  async #until(holds: () => boolean, steps: number): Promise<void> {
    for (let left = steps; left > 0; left--) {
      if (this.judge.broken || holds()) return;
      await this.#step();
    }
    this.judge.broken ??= `ends as it is wanted: ${this.unrest() ?? 'it does not start'}; next ${this.#operator.outlook.join('; ')}`;
  }

  async #step(): Promise<void> {
    this.#steps++;
    const { chance } = this;
    this.kafka.step();
    await this.machines.step();
    this.#operator.poll(chance.happens(0.7) ? 0 : second * Math.floor(chance.between(1, 6)));
    for (let acts = Math.floor(chance.between(0, 4)); acts > 0; acts--) await this.#operator.act();
  }

  /** A user deletes what had its only replica in sync on a machine that is gone for good. */
  #deleteLostTopics(): void {
    const { kafka, machines } = this;
    const homeOf = ({ metadata }: LivePersistentVolumeClaim) =>
      metadata.annotations?.['volume.kubernetes.io/selected-node'];
    const ids = machines.claims
      .filter((claim) => machines.gone.includes(homeOf(claim) ?? ''))
      .map(({ metadata }) => idOf(metadata.name));
    kafka.partitions = kafka.partitions.filter(({ inSync }) => !inSync.every((id) => ids.includes(id)));
  }

  async #fault(): Promise<void> {
    const { chance, machines } = this;
    if (this.#lost && this.#steps >= this.#lost.until) {
      const returns = chance.happens(0.5);
      this.#say('machine', `${this.#lost.name} ${returns ? 'returns' : 'is deleted'}`);
      machines.settle(this.#lost.name, returns);
      this.#lost = undefined;
    }
    if (chance.happens(0.02)) {
      this.#say('operator', 'dies');
      this.#operator = this.#process();
    }
    if (chance.happens(0.01)) this.#silentUntil = this.#steps + Math.floor(chance.between(1, 20));
    const pods = machines.pods.filter(({ spec }) => spec.nodeName !== undefined);
    if (pods.length === 0) return;
    const pod = chance.pick(pods);
    if (chance.happens(0.008)) {
      this.#say('fault', `${pod.metadata.name} dies`);
      this.judge.struck(pod.metadata.name);
      await machines.kill(pod);
    }
    const machine = pod.spec.nodeName ?? '';
    const { kafka } = this;
    // Each machine has a voter, and a quorum without a majority never returns.
    const isSpared = this.#wish.combined && kafka.votersAlive() < kafka.voters.size;
    if (!this.#lost && !isSpared && machines.gone.length < 2 && chance.happens(0.003)) {
      this.#say('fault', `${machine} is lost`);
      this.#lost = { name: machine, until: this.#steps + Math.floor(chance.between(5, 60)) };
      for (const { metadata, spec } of pods) if (spec.nodeName === machine) this.judge.struck(metadata.name);
      machines.lose(machine);
    }
  }
}
