import type { Instance } from '../../../../operator/controllers/database/instances/instances.js';
import { planned, podless, replica } from './instances/given-instances.js';

interface Member {
  serial: number;
  pod: 'none' | 'there';
  claim: 'none' | 'there';
  revision: string;
  /** Ticks until its PostgreSQL answers. */
  starts: number;
  leavingAt: string | undefined;
  isQuarantined: boolean;
  timeline: number;
  /** The last write that it has. */
  has: number;
}

interface Wish {
  readonly wanted: number;
  readonly revision: string;
}

/**
 * A small model of what Patroni and Kubernetes make of a plan, one tick at a time: pods start, a primary is elected among
 * those who have every acknowledged write, one that shall hand over does, and a client writes all the while.
 */
export class World {
  #members: Member[] = [];
  #leader: string | undefined;
  #timeline = 0;
  #written = 0;
  #tick = 0;
  #wish: Wish = { wanted: 1, revision: 'r1' };
  /** Instances that were missed at a time, of those that there were. */
  mostAway = 0;
  /** Acknowledged writes that are nowhere any more. */
  readonly lost: string[] = [];

  constructor(readonly deaths: readonly { readonly at: number; readonly who: number }[] = []) {}

  wish(wish: Wish): void {
    this.#wish = wish;
  }

  /** Until nothing changes any more. @throws {Error} when that never comes */
  rest(): void {
    for (let still = 0, n = 0; still < 6; n++) {
      if (n > 300) throw new Error(`it never comes to rest: ${JSON.stringify(this.#members)}`);
      const before = JSON.stringify([this.#members.map(({ has: _, ...rest }) => rest), this.#leader]);
      this.#pass();
      this.#live();
      const after = JSON.stringify([this.#members.map(({ has: _, ...rest }) => rest), this.#leader]);
      still = before === after && this.#tick > 45 ? still + 1 : 0;
    }
  }

  get summary() {
    const running = this.#members.filter(({ pod, isQuarantined }) => pod === 'there' && !isQuarantined);
    const revisions = [...new Set(running.map(({ revision }) => revision))];
    return {
      wanted: this.#wish.wanted,
      revision: revisions.join(' '),
      running: running.length,
      claims: this.#members.filter(({ claim, isQuarantined }) => claim === 'there' && !isQuarantined).length,
      primaries: running.filter((one) => nameOf(one) === this.#leader).length,
    };
  }

  /** What the operator sees and does. */
  #pass(): void {
    const { wanted, revision } = this.#wish;
    const plan = planned(
      this.#members.map((one) => this.#seen(one)),
      { wanted, revision, isSynchronous: wanted > 1 },
    );
    for (const { name, leavingAt, isQuarantined } of plan.claims) {
      const known = this.#members.find((one) => nameOf(one) === name);
      if (known) Object.assign(known, { leavingAt, isQuarantined });
      else this.#members.push(this.#fresh(name));
    }
    for (const one of this.#members) {
      const isWanted = plan.pods.includes(nameOf(one));
      if (isWanted && one.pod === 'none') Object.assign(one, { pod: 'there', starts: 2, revision });
      if (!isWanted) one.pod = 'none';
      if (!plan.claims.some(({ name }) => name === nameOf(one))) one.claim = 'none';
    }
    this.#members = this.#members.filter(({ claim, pod }) => claim === 'there' || pod === 'there');
    if (plan.from !== undefined && plan.from === this.#leader) this.#elect(plan.from);
  }

  #live(): void {
    this.#tick++;
    for (const { at, who } of this.deaths) {
      const victim = this.#members.filter(({ pod }) => pod === 'there')[who];
      if (at === this.#tick && victim) victim.pod = 'none';
    }
    for (const one of this.#members) if (one.pod === 'there' && one.starts > 0) one.starts--;
    if (!this.#runs(this.#leader)) this.#elect(undefined);
    if (this.#runs(this.#leader)) this.#write();
    const away = this.#members.filter((one) => one.leavingAt === undefined && !this.#runs(nameOf(one)) && one.has > 0);
    this.mostAway = Math.max(this.mostAway, away.length);
    if (this.#written > 0 && !this.#members.some(({ has }) => has === this.#written))
      this.lost.push(`write ${this.#written}`);
  }

  /** A write is acknowledged when the primary has it and a replica, where there is one to have. */
  #write(): void {
    const running = this.#members.filter((one) => this.#runs(nameOf(one)));
    if (this.#members.length > 1 && running.length < 2) return;
    this.#written++;
    for (const one of running) Object.assign(one, { has: this.#written, timeline: this.#timeline });
  }

  #elect(but: string | undefined): void {
    const fit = this.#members.filter(
      (one) => this.#runs(nameOf(one)) && nameOf(one) !== but && one.has === this.#written,
    );
    const [chosen] = fit;
    if (!chosen) return;
    this.#leader = nameOf(chosen);
    this.#timeline++;
  }

  #runs(name: string | undefined): boolean {
    return this.#members.some((one) => nameOf(one) === name && one.pod === 'there' && one.starts === 0);
  }

  #fresh(name: string): Member {
    const serial = Number(name.slice('orders-'.length));
    const none = { leavingAt: undefined, isQuarantined: false, timeline: 0, has: 0 };
    return { serial, pod: 'none', claim: 'there', revision: '', starts: 0, ...none };
  }

  #seen(one: Member): Instance {
    const { serial, pod, claim, revision, leavingAt, isQuarantined, timeline, has } = one;
    const marks = { pod, claim, revision, leavingAt, isQuarantined };
    if (!this.#runs(nameOf(one))) return replica(serial, { ...podless, ...marks });
    const isLeader = nameOf(one) === this.#leader;
    const others = this.#members.filter((other) => other !== one && this.#runs(nameOf(other)));
    const streaming = Object.fromEntries(others.map((other) => [nameOf(other), { synchronous: true }]));
    const state = { state: 'running', timeline: isLeader ? this.#timeline : timeline, position: has };
    const report = isLeader
      ? ({ role: 'primary', ...state, streaming } as const)
      : ({ role: 'replica', ...state } as const);
    return replica(serial, { ...marks, report, isLabelledPrimary: isLeader });
  }
}

function nameOf({ serial }: Member): string {
  return `orders-${serial}`;
}
