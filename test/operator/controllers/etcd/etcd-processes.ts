import type { EtcdAnswer, EtcdChange, EtcdMember } from '../../../../operator/controllers/etcd/ports/cluster.js';
import { memberOf } from './etcd-model.js';

/** A Pod of a member that runs on its volume. */
export interface Process {
  readonly name: string;
  /** The UID of its PVC. */
  readonly volume: string;
  readonly peerUrl: string;
  /** `--initial-cluster-state` and the URLs of `--initial-cluster`. */
  readonly state: string;
  readonly initial: readonly string[];
}

/** What is on a volume: the member that it belongs to, and the last write that it has. */
interface Data {
  readonly id: string;
  has: number;
}

/**
 * The members of one etcd cluster as processes on volumes, with a client that writes all the while. A write is acknowledged
 * if a majority runs. Members start, form the cluster, join, and end as those of etcd do.
 */
export class EtcdProcesses {
  #members: EtcdMember[] = [];
  #leader: string | undefined;
  #added = 0;
  readonly #volumes = new Map<string, Data>();
  /** Volumes on which a member has started, by its ID. */
  readonly #started = new Map<string, string>();
  #running: readonly string[] = [];
  #acknowledged = 0;
  /** What must never happen. */
  readonly violations: string[] = [];

  get isFormed(): boolean {
    return this.#members.length > 0;
  }

  get voters(): readonly EtcdMember[] {
    return this.#members.filter(({ isLearner }) => !isLearner);
  }

  get leader(): string | undefined {
    return this.#members.find(({ id }) => id === this.#leader)?.name;
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Whether a majority of the members with a vote runs. */
  get hasQuorum(): boolean {
    return this.#upVoters.length > this.voters.length / 2;
  }

  get #upVoters(): readonly EtcdMember[] {
    return this.voters.filter(({ id }) => this.#running.includes(id));
  }

  /** What the operator learns through these members. @throws {Error} if none with a vote runs */
  answer(): EtcdAnswer {
    if (this.#upVoters.length === 0) throw new Error('no member with a vote answers');
    const isUp = ({ id }: EtcdMember) => this.hasQuorum && this.#running.includes(id);
    return {
      ...{ clusterId: 'c1', hasQuorum: this.hasQuorum, silent: {} },
      ...(this.hasQuorum && this.#leader !== undefined && { leader: this.#leader }),
      members: this.#members.map((one) => ({ ...one, isHealthy: isUp(one) })),
    };
  }

  /** @param how the change in the answer of a model, which refuses what etcd refuses */
  change(request: EtcdChange, how: (cluster: EtcdAnswer) => EtcdAnswer): void {
    const { members } = how(this.answer());
    // Each added member has another ID, also if its URL was one before.
    const isNew = ({ id }: EtcdMember) => this.#members.every((one) => one.id !== id);
    this.#members = members.map((one) => (isNew(one) ? { ...one, id: `added${++this.#added}` } : one));
    if (request.act === 'removeMember' && !this.hasQuorum) this.violations.push(`no quorum without ${request.id}`);
  }

  /** Another user removes a member. */
  remove(name: string): void {
    this.#members = this.#members.filter((one) => one.name !== name);
  }

  /** A second passes. @returns the names of members that serve clients, and of processes that have ended */
  tick(processes: readonly Process[]): { readonly serving: readonly string[]; readonly ended: readonly string[] } {
    if (!this.isFormed) this.#form(processes);
    const up = processes.map((one) => [one.name, this.isFormed ? this.#start(one) : undefined] as const);
    this.#running = up.flatMap(([, id]) => (id === undefined || id === 'ended' ? [] : [id]));
    this.#write();
    const serving = this.hasQuorum ? this.#upVoters.flatMap(({ name }) => name ?? []) : [];
    return { serving, ended: up.flatMap(([name, id]) => (id === 'ended' ? [name] : [])) };
  }

  /** A majority of the members of one list forms the cluster. */
  #form(processes: readonly Process[]): void {
    for (const { state, initial } of processes) {
      const same = processes.filter((one) => one.state === 'new' && one.initial.join() === initial.join());
      if (state !== 'new' || same.length <= initial.length / 2) continue;
      this.#members = initial.map((url, index) => ({ ...memberOf(index + 1), name: nameOf(url), peerUrls: [url] }));
      return;
    }
  }

  /** @returns the ID of the member, `ended` if etcd ends, or undefined if it waits */
  #start({ name, volume, peerUrl, state, initial }: Process): string | undefined {
    const data = this.#volumes.get(volume);
    if (data) return this.#members.some(({ id }) => id === data.id) ? data.id : 'ended';
    const member = this.#members.find(({ peerUrls: [url] }) => url === peerUrl);
    const urls = this.#members.flatMap(({ peerUrls }) => peerUrls);
    if (!member || initial.length < 2 || initial.some((url) => !urls.includes(url))) return 'ended';
    if (this.#started.has(member.id)) this.violations.push(`${name} starts again with an empty volume`);
    if ((state === 'existing') !== member.isLearner) return 'ended';
    this.#started.set(member.id, volume);
    this.#volumes.set(volume, { id: member.id, has: 0 });
    this.#members = this.#members.map((one) => (one === member ? { ...one, name } : one));
    return member.id;
  }

  /** The leader changes only if it does not run. It has all acknowledged writes, or they are lost. */
  #write(): void {
    if (!this.isFormed || !this.hasQuorum) return;
    const of = (id: string) => [...this.#volumes.values()].find((one) => one.id === id)?.has ?? 0;
    const all = this.#upVoters.map(({ id }) => id).toSorted((one, other) => of(other) - of(one));
    if (this.#leader === undefined || !all.includes(this.#leader)) this.#leader = all[0];
    if (of(this.#leader ?? '') < this.#acknowledged) this.violations.push(`write ${this.#acknowledged} is lost`);
    this.#acknowledged++;
    for (const data of this.#volumes.values()) if (this.#running.includes(data.id)) data.has = this.#acknowledged;
  }
}

function nameOf(url: string): string {
  return new URL(url).hostname.split('.')[0] ?? '';
}
