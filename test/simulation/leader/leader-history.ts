import { holderOf } from '../../../operator/controllers/leader/ports/leases.js';
import { Chance } from '../../../operator/testing/simulation/environment/chance.js';
import type { PlanHistory } from '../plan-history.js';
import { ElectionWorld, type SimulatedPod } from './election-world.js';
import { type Kept, PlannedElection } from './planned-election.js';

/** Seconds within which a leader leads when all is calm: a Lease, a fence, and a copy. */
const patience = 60;

/** Plays one history of an election among three Pods. Equal for equal seeds. */
export function leaderHistory(seed: number): PlanHistory {
  const play = new Play(new Chance(`leader/${seed}`));
  play.all();
  return { lines: play.lines, broken: play.broken };
}

class Play {
  readonly lines: string[] = [];
  readonly world: ElectionWorld;
  readonly kept: Kept = { status: {}, uid: 1 };
  readonly #recreations: Chance;
  #operator: PlannedElection;
  #isAway = false;

  constructor(readonly chance: Chance) {
    this.#recreations = chance.fork('recreations');
    this.world = new ElectionWorld(chance.fork('world'));
    for (const name of ['cache-0', 'cache-1', 'cache-2']) this.world.start(name);
    this.#operator = this.#newOperator();
  }

  get broken(): string | undefined {
    return this.world.judge.broken;
  }

  all(): void {
    for (let left = Math.floor(this.chance.spread(100, 800)); left > 0 && !this.broken; left--) {
      this.#fault();
      this.#step();
    }
    this.#say('-', 'no more faults');
    this.kept.switchover = undefined;
    this.#isAway = false;
    for (const { process } of this.world.pods) Object.assign(process, { isFrozen: false, isCut: false });
    for (let left = patience * 2; left > 0 && !this.broken && !this.#isCalm(); left--) {
      this.#step();
      this.#emptyStrangers();
    }
    if (!this.#isCalm())
      this.world.judge.broken ??= 'leads when all is calm: nobody leads, or somebody does not follow';
    this.#restsAfterRestart();
  }

  /** Somebody deletes data that a new election does not know and leaves alone. */
  #emptyStrangers(): void {
    const names = this.#operator.strangers;
    for (const pod of this.world.pods.filter(({ name }) => names.includes(name))) {
      this.#say('user', `deletes the data of ${pod.name}`);
      this.world.restart(pod);
    }
  }

  /** A new process of the operator changes nothing. */
  #restsAfterRestart(): void {
    const { term } = this.world.lease;
    this.#operator = this.#newOperator();
    for (let left = 80; left > 0 && !this.broken; left--) this.#step();
    if (this.world.lease.term !== term)
      this.world.judge.broken ??= 'a flap: another leader after a restart of the operator';
  }

  #isCalm(): boolean {
    const { processes } = this.world;
    const leaders = processes.filter(({ isOpen, role }) => isOpen && role === 'leader');
    const [leader] = leaders;
    return (
      leader !== undefined &&
      leaders.length === 1 &&
      this.world.lease.holder === holderOf(leader) &&
      processes.every((one) => one === leader || (one.follows === leader?.boot && one.isComplete))
    );
  }

  #newOperator(): PlannedElection {
    return new PlannedElection(this.world, this.kept, (what) => this.#say('operator', what));
  }

  #say(who: string, what: string): void {
    this.lines.push(`${this.world.seconds.toFixed(1).padStart(6)} ${who.padEnd(8)} ${what}`);
  }

  #step(): void {
    this.world.step();
    if (this.#isAway) return;
    this.#operator.poll(this.chance.happens(0.6));
    for (let acts = Math.floor(this.chance.between(0, 3)); acts > 0; acts--) this.#operator.act();
  }

  #fault(): void {
    const { chance, world } = this;
    if (chance.happens(0.02)) {
      this.#say('operator', 'dies');
      this.#operator = this.#newOperator();
    }
    if (chance.happens(this.#isAway ? 0.05 : 0.005)) this.#isAway = !this.#isAway;
    if (chance.happens(0.01)) {
      this.kept.switchover = `${world.seconds} to=${chance.pick(world.pods).name}`;
      this.#say('user', this.kept.switchover);
    }
    if (this.#recreations.happens(0.02) && this.#isCalm()) this.#recreate();
    if (chance.happens(0.015)) this.#strike(chance.pick(world.pods));
  }

  /** Of what the operator knew, only the Pods are left. They have all data. */
  #recreate(): void {
    this.#say('user', 'deletes the election, and creates it again');
    this.world.recreate();
    Object.assign(this.kept, { status: {}, uid: this.kept.uid + 1, switchover: undefined });
    this.#operator = this.#newOperator();
  }

  #strike(pod: SimulatedPod): void {
    const { process } = pod;
    const kind = this.chance.pick(['freezes', 'is cut off', 'restarts'] as const);
    if (kind === 'restarts') {
      if (!this.#canLoseData()) return;
      this.world.restart(pod);
    } else if (kind === 'freezes') process.isFrozen = !process.isFrozen;
    else process.isCut = !process.isCut;
    this.#say(
      'fault',
      `${pod.name} ${kind}${kind === 'restarts' ? '' : ` ${kind === 'freezes' ? process.isFrozen : process.isCut}`}`,
    );
  }

  /** A second loss of data is more than `minReplicas: 1` survives. */
  #canLoseData(): boolean {
    const { members = [] } = this.kept.status;
    return (
      this.#isCalm() && members.length === 2 && members.every(({ isComplete, goneSince }) => isComplete && !goneSince)
    );
  }
}
