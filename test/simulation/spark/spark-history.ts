import { Chance } from '../../../operator/testing/simulation/environment/chance.js';
import type { PlanHistory } from '../plan-history.js';
import { type KeptJob, PlannedSparkJob } from './planned-spark-job.js';
import { SparkJudge } from './spark-judge.js';
import { type SimulatedPod, SparkMachines } from './spark-machines.js';

/** Seconds within which the job ends when all is calm. */
const patience = 1_500;

/** Plays one history of a SparkJob. Equal for equal seeds. */
export function sparkHistory(seed: number): PlanHistory {
  const play = new Play(new Chance(`spark/${seed}`));
  play.all();
  return { lines: play.lines, broken: play.judge.broken };
}

class Play {
  readonly lines: string[] = [];
  readonly judge = new SparkJudge(() => this.machines);
  readonly machines: SparkMachines;
  readonly job: KeptJob = {
    ...{ uid: 'j1', generation: 1, wish: { suspend: false, args: [] }, status: {}, isFull: false },
    known: new Set(),
  };
  #operator: PlannedSparkJob;
  #isAway = false;

  constructor(readonly chance: Chance) {
    this.machines = new SparkMachines(chance.fork('machines'), {
      starts: (driver) => {
        this.#say('machine', `${driver.name} starts and ${driver.fate}`);
        this.judge.starts(driver);
      },
      reports: (driver) => {
        this.#say('machine', `${driver.name} ends with ${driver.exitCode}`);
        this.judge.reports(driver);
      },
    });
    this.#operator = this.#newOperator();
  }

  all(): void {
    for (let left = Math.floor(this.chance.spread(60, 400)); left > 0 && !this.judge.broken; left--) {
      this.#user();
      this.#fault();
      this.#step();
    }
    this.#say('-', 'no more faults');
    Object.assign(this.job, { isFull: false });
    this.#isAway = false;
    for (const name of this.machines.lost.keys()) this.machines.settle(name, false);
    if (this.job.wish.suspend) this.#wants({ suspend: false });
    for (let left = patience; left > 0 && !this.judge.broken && !this.#isOver(); left--) this.#step();
    if (!this.#isOver()) this.judge.finds('ends each job, and leaves nothing behind', this.#rest());
    this.#restsAfterEnd();
  }

  #isOver(): boolean {
    return this.job.status.completionTime !== undefined && this.#rest() === '';
  }

  /** What is left of a job that has ended, beside drivers that stay for their logs. */
  #rest(): string {
    const { pods } = this.machines;
    const isLeft = (pod: SimulatedPod) => pod.role === 'executor' || pod.isAlive || pod.isEnding;
    const left = pods.filter(isLeft).map(({ name }) => name);
    const others = pods.length - left.length > 3 ? ['more than 3 drivers'] : [];
    const { state, completionTime } = this.job.status;
    return [...(completionTime === undefined ? [`is ${state}`] : []), ...left, ...others].join(', ');
  }

  /** A new process of the operator does nothing with a job that has ended. */
  #restsAfterEnd(): void {
    const { status } = this.job;
    this.#operator = this.#newOperator();
    for (let left = 30; left > 0 && !this.judge.broken; left--) this.#step();
    if (JSON.stringify(this.job.status) !== JSON.stringify(status))
      this.judge.finds('leaves a job that has ended', 'its status changed');
  }

  #newOperator(): PlannedSparkJob {
    const { machines, judge, job } = this;
    return new PlannedSparkJob({ machines, judge, job, say: (what) => this.#say('operator', what) });
  }

  #say(who: string, what: string): void {
    this.lines.push(`${String(this.machines?.seconds ?? 0).padStart(5)} ${who.padEnd(8)} ${what}`);
  }

  #wants(change: Partial<KeptJob['wish']>): void {
    this.job.wish = { ...this.job.wish, ...change };
    this.job.generation++;
    this.#say('user', `wants ${JSON.stringify(change)}`);
  }

  #step(): void {
    this.machines.step();
    this.#collectGarbage();
    if (this.#isAway) return;
    if (this.chance.happens(0.6)) this.#operator.watch();
    for (let acts = Math.floor(this.chance.between(0, 8)); acts > 0; acts--) this.#operator.act();
  }

  /** Pods of a job that is gone are deleted at some time. */
  #collectGarbage(): void {
    for (const pod of this.machines.pods) {
      const isLeft = pod.role === 'driver' && pod.owner !== this.job.uid && !pod.isEnding;
      if (isLeft && this.chance.happens(0.05)) this.machines.delete(pod);
    }
  }

  #user(): void {
    const { chance, job } = this;
    if (chance.happens(0.008)) this.#wants({ suspend: !job.wish.suspend });
    else if (chance.happens(0.006)) this.#wants({ args: [String(job.generation)] });
    else if (chance.happens(0.004)) this.#recreate();
  }

  /** The job is gone with its finalizer, and its Pods follow later, or terminate for as long as their node is lost. */
  #recreate(): void {
    this.#say('user', 'deletes the job by force, and creates it again');
    const [, number = 1] = /(\d+)/.exec(this.job.uid) ?? [];
    Object.assign(this.job, { uid: `j${Number(number) + 1}`, generation: 1, status: {} });
    Object.assign(this.job, { wish: { suspend: false, args: [] } });
    for (const pod of [...this.machines.pods]) this.machines.unprotect(pod);
  }

  #fault(): void {
    const { chance, machines } = this;
    if (chance.happens(0.05)) {
      this.#say('operator', 'dies');
      this.#operator = this.#newOperator();
    }
    if (chance.happens(this.#isAway ? 0.1 : 0.01)) {
      this.#isAway = !this.#isAway;
      this.#operator = this.#newOperator();
    }
    if (chance.happens(this.job.isFull ? 0.08 : 0.01)) this.job.isFull = !this.job.isFull;
    for (const name of machines.lost.keys()) if (chance.happens(0.02)) this.#settle(name);
    if (machines.lost.size === 0 && chance.happens(0.012)) this.#lose(chance.pick(machines.names));
    const drivers = machines.pods.filter(({ role, isEnding }) => role === 'driver' && !isEnding);
    if (drivers.length === 0 || !chance.happens(0.02)) return;
    const pod = chance.pick(drivers);
    const act = chance.pick(['deletes', 'evicts'] as const);
    this.#say('fault', `${act} ${pod.name}`);
    if (act === 'deletes') machines.delete(pod);
    else machines.evict(pod);
  }

  #lose(name: string): void {
    this.#say('fault', `machine ${name} is lost`);
    this.machines.lose(name);
  }

  #settle(name: string): void {
    const isOff = this.chance.happens(0.5);
    this.#say('fault', `machine ${name} ${isOff ? 'is off for good' : 'returns'}`);
    this.machines.settle(name, isOff);
  }
}
