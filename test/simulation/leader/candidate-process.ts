import type { LauncherReport } from '../../../operator/controllers/leader/ports/launchers.js';
import type { LeaderRole } from '../../../operator/controllers/leader/ports/roles.js';
import type { Chance } from '../../../operator/testing/simulation/environment/chance.js';

/** Seconds without a renewal after which a leader stops, between two renewals, and without news of a leader. */
const [renewDeadline, retryPeriod, leaseDuration] = [10, 2, 15];

/** Seconds after which the file of a role is up to date. */
const latestFile = 3;

/** What is around a process. */
export interface Surroundings {
  readonly seconds: number;
  readonly chance: Chance;
  readonly processes: readonly CandidateProcess[];
  readonly judge: { leads(process: CandidateProcess): void };
  roleOf(uid: string): LeaderRole | undefined;
  reaches(one: CandidateProcess, other: CandidateProcess): boolean;
  renew(process: CandidateProcess): boolean;
  release(process: CandidateProcess, to?: CandidateProcess): void;
}

/** A launcher and its server in one container. Another start is another process. */
export class CandidateProcess {
  isAlive = true;
  isFrozen = false;
  /** Cut off from the API server, and from all other processes. */
  isCut = false;
  role: 'leader' | 'replica' | 'none' = 'none';
  /** Clients can use it. */
  isOpen = false;
  fencedAt = 0;
  term = 0;
  isComplete = true;
  /** The writes that it has, in their order. */
  log: number[] = [];
  history: string;
  second: { readonly id: string; readonly offset: number } | undefined;
  /** The boot of the leader that it follows. */
  follows: string | undefined;
  #told: LeaderRole | undefined;
  #file: LeaderRole | undefined;
  /** What the file has next, and when, in seconds. */
  #coming: { readonly role: LeaderRole | undefined; readonly at: number } = { role: undefined, at: 0 };
  #renewed = Number.NEGATIVE_INFINITY;
  #heard = Number.NEGATIVE_INFINITY;
  #copyUntil = 0;

  constructor(
    readonly name: string,
    readonly uid: string,
    readonly boot: string,
    private readonly world: Surroundings,
  ) {
    this.history = `h ${boot}`;
  }

  get report(): LauncherReport {
    const { name, uid, boot, term, role, fencedAt, second } = this;
    const leads = role === 'leader' && this.isOpen;
    return {
      ...{ name, uid, boot, term, role: role === 'leader' && !leads ? 'none' : role, leads, fencedAt },
      ...(leads && { authority: 'Lease' as const }),
      application: {
        ...{ isRunning: true, version: 'redis 7', replicationId: this.history, offset: this.log.length },
        ...(second && { secondReplicationId: second.id, secondOffset: second.offset }),
        ...{ isComplete: this.isComplete, hasData: this.log.length > 0 },
        ...(role === 'replica' && { isLinked: this.follows !== undefined, isFresh: this.follows !== undefined }),
      },
    };
  }

  /** What the launcher does in half a second. */
  step(): void {
    if (!this.isAlive) return;
    const role = this.#readRole();
    if (this.isFrozen) return;
    if (!role) this.#close();
    else if (role.boot === this.boot && role.term >= this.term) this.#obey(role);
    if (this.role === 'leader') this.#lead();
    if (this.role === 'replica') this.#follow();
  }

  #obey(role: LeaderRole): void {
    if (role.role !== 'leader' && this.role === 'leader') this.#stop();
    const isNew =
      role.term > this.term || role.role !== this.#told?.role || role.leader?.boot !== this.#told?.leader?.boot;
    this.#told = role;
    if (!isNew) return;
    this.term = role.term;
    this.role = role.role;
    if (role.role !== 'replica' || this.follows !== role.leader?.boot) this.follows = undefined;
    this.fencedAt = Math.max(this.fencedAt, role.term);
    this.#renewed = Number.NEGATIVE_INFINITY;
    this.#heard = this.world.seconds;
  }

  /** The file with the role, which the kubelet updates some time after the annotation, if it reaches the API server. */
  #readRole(): LeaderRole | undefined {
    const { world } = this;
    const role = world.roleOf(this.uid);
    const text = JSON.stringify(role);
    if (!this.isCut && text !== JSON.stringify(this.#coming.role))
      this.#coming = { role, at: world.seconds + world.chance.between(0, latestFile) };
    if (!this.isCut && world.seconds >= this.#coming.at) this.#file = this.#coming.role;
    return this.#file;
  }

  /** Without a role, it serves nobody. */
  #close(): void {
    if (this.role === 'leader') this.#stop();
    this.role = 'none';
    this.follows = undefined;
    this.#told = undefined;
  }

  #stop(): void {
    this.isOpen = false;
    if (!this.isCut) this.world.release(this);
  }

  #lead(): void {
    const { seconds } = this.world;
    if (!this.isCut && seconds - this.#renewed >= retryPeriod) {
      const isOurs = this.world.renew(this);
      if (isOurs) this.#renewed = seconds;
      else this.isOpen = false;
      if (isOurs && !this.isOpen) this.#open();
    }
    if (seconds - this.#renewed >= renewDeadline) this.isOpen = false;
    const to = this.#told?.handover?.to;
    const target = to && this.world.processes.find(({ boot }) => boot === to.boot);
    if (target && this.isOpen && this.world.reaches(this, target) && target.log.length >= this.log.length) {
      this.isOpen = false;
      this.role = 'none';
      this.world.release(this, target);
    }
  }

  /** A leader that has stopped in its term goes on with its own history. */
  #open(): void {
    this.isOpen = true;
    if (this.history === `h ${this.boot} ${this.term}`) return;
    this.second = { id: this.history, offset: this.log.length };
    this.history = `h ${this.boot} ${this.term}`;
    this.world.judge.leads(this);
  }

  #follow(): void {
    const { world } = this;
    const leader = world.processes.find(({ boot }) => boot === this.#told?.leader?.boot);
    const isHeard =
      leader && world.reaches(this, leader) && !leader.isFrozen && leader.isOpen && leader.term === this.term;
    if (isHeard) this.#heard = world.seconds;
    // A frozen leader keeps its connections until nobody has heard of it for too long.
    if (world.seconds - this.#heard >= leaseDuration || (leader && !world.reaches(this, leader)))
      this.follows = undefined;
    if (!leader || !isHeard) return;
    if (this.follows !== leader.boot) this.#attach(leader);
    if (world.seconds < this.#copyUntil) return;
    if (!this.isComplete) this.log = [...leader.log];
    this.isComplete = true;
    const count = Math.floor(world.chance.between(0, 4));
    this.log.push(...leader.log.slice(this.log.length, this.log.length + count));
  }

  /** A server whose data is no part of that of the leader copies all of it. */
  #attach(leader: CandidateProcess): void {
    this.follows = leader.boot;
    const isPart = this.log.every((write, at) => leader.log[at] === write);
    const isKnown = [leader.history, leader.second?.id].includes(this.history);
    if (!(isPart && isKnown)) {
      this.isComplete = false;
      this.log = [];
      this.#copyUntil = this.world.seconds + this.world.chance.between(0.5, 4);
    }
    this.history = leader.history;
    this.second = leader.second;
  }
}
