import { holderOf, type LeaseAnswer, type LeaseRelease } from '../../../operator/controllers/leader/ports/leases.js';
import type { LeaderRole, PodAssignment, PodRole } from '../../../operator/controllers/leader/ports/roles.js';
import type { Chance } from '../../../operator/testing/simulation/environment/chance.js';
import { CandidateProcess, type Surroundings } from './candidate-process.js';
import { ElectionJudge } from './election-judge.js';

/** A Lease on the API server. */
export interface SimulatedLease {
  readonly term: number;
  readonly holder: string;
  /** Grows with each write. */
  readonly version: number;
  readonly release?: LeaseRelease | undefined;
}

/** A Pod and the process in its container. */
export interface SimulatedPod {
  readonly name: string;
  readonly uid: string;
  process: CandidateProcess;
  role: PodRole;
}

/** Pods, a Lease, a network, and clients that write to each process that lets them. */
export class ElectionWorld implements Surroundings {
  /** Milliseconds since 1970. */
  readonly epoch = Date.parse('2030-01-01T00:00:00Z');
  seconds = 0;
  lease: SimulatedLease = { term: 0, holder: '', version: 1 };
  readonly judge = new ElectionJudge();
  readonly pods: SimulatedPod[] = [];
  /** Processes of Pods, and those that were cut off when their Pod was deleted. */
  processes: CandidateProcess[] = [];
  #count = 0;
  /** Writes that no replica has confirmed yet, by the process that took them. */
  readonly #pending = new Map<CandidateProcess, number[]>();

  constructor(readonly chance: Chance) {}

  start(name: string): void {
    const uid = `u${++this.#count}`;
    const process = this.#process(name, uid);
    this.pods.push({ name, uid, process, role: { uid, isLabelled: false } });
  }

  /** The container of a Pod ends and is started again, without its data. */
  restart(pod: SimulatedPod): void {
    pod.process.isAlive = false;
    this.processes = this.processes.filter((one) => one !== pod.process);
    pod.process = this.#process(pod.name, pod.uid);
  }

  #process(name: string, uid: string): CandidateProcess {
    const process = new CandidateProcess(name, uid, `b${++this.#count}`, this);
    this.processes.push(process);
    return process;
  }

  /** Somebody deletes the election, with its Lease and the roles of the Pods, and creates it again. */
  recreate(): void {
    this.lease = { term: 0, holder: '', version: this.lease.version + 1 };
    for (const pod of this.pods) pod.role = { uid: pod.uid, isLabelled: false };
  }

  roleOf(uid: string): LeaderRole | undefined {
    const text = this.pods.find((pod) => pod.uid === uid)?.role.role;
    return text === undefined ? undefined : (JSON.parse(text) as LeaderRole);
  }

  reaches(one: CandidateProcess, other: CandidateProcess): boolean {
    return one.isAlive && other.isAlive && !one.isCut && !other.isCut;
  }

  renew({ name, uid, boot, term }: CandidateProcess): boolean {
    if (this.lease.holder !== holderOf({ name, uid, boot }) || this.lease.term !== term) return false;
    this.lease = { ...this.lease, version: this.lease.version + 1 };
    return true;
  }

  release(process: CandidateProcess, to?: CandidateProcess): void {
    const { term, history, log } = process;
    const { name, uid, boot } = process;
    if (this.lease.holder !== holderOf({ name, uid, boot })) return;
    const release: LeaseRelease = {
      ...{
        by: { name, uid, boot },
        term,
        reason: to ? 'Handover' : 'Fenced',
        replicationId: history,
        offset: log.length,
      },
      ...(to && { to: { name: to.name, uid: to.uid, boot: to.boot } }),
    };
    this.lease = { term: this.lease.term, holder: '', version: this.lease.version + 1, release };
  }

  elect({ over, term, holder }: { readonly over: number; readonly term: number; readonly holder: string }): void {
    if (this.lease.version !== over) return;
    this.lease = { term, holder, version: this.lease.version + 1 };
    if (holder !== '') this.judge.named(term, holder);
  }

  assign(assignments: readonly PodAssignment[]): void {
    for (const { uid, role, term, isLabelled = false } of assignments) {
      const pod = this.pods.find((one) => one.uid === uid);
      if (pod) pod.role = { uid, isLabelled, ...(role && { role }), ...(term && { term }) };
    }
  }

  /** Half a second. */
  step(): void {
    this.seconds += 0.5;
    // A server that was suspended may take writes before its launcher acts.
    this.#write();
    for (const process of this.processes) process.step();
    this.#confirm();
  }

  #write(): void {
    for (const process of this.processes) {
      if (!process.isAlive || process.isFrozen || !process.isOpen || process.role !== 'leader') continue;
      const write = ++this.#count;
      process.log.push(write);
      this.#pending.set(process, [...(this.#pending.get(process) ?? []), write]);
    }
    this.#confirm();
  }

  #confirm(): void {
    for (const [leader, writes] of this.#pending) {
      if (!leader.isAlive || leader.isFrozen) continue;
      const replicas = this.processes.filter(
        (one) => one.follows === leader.boot && one.isComplete && !one.isFrozen && this.reaches(one, leader),
      );
      const confirmed = writes.filter((write) => replicas.some(({ log }) => log.includes(write)));
      for (const write of confirmed) this.judge.confirms(write, leader);
      this.#pending.set(
        leader,
        writes.filter((write) => !confirmed.includes(write)),
      );
    }
  }

  /** What a process of the operator sees of the Lease. @param since when it was first seen like this, in seconds */
  leaseSeen(since: number): LeaseAnswer {
    const { term, holder, version, release } = this.lease;
    const known = { uid: 'lease', term, version: String(version) };
    if (holder === '') return { state: 'released', ...known, ...(release && { release }) };
    if (this.seconds - since < 15) return { state: 'held', holder, ...known };
    return { state: 'expired', since: this.epoch + (since + 15) * 1_000, holder, ...known };
  }
}
