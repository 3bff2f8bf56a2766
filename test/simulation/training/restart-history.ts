import { Chance } from '../../../operator/testing/simulation/environment/chance.js';
import { type Job, newMemory, type Wish } from './job.js';
import { PlannedJob } from './planned-jobs.js';
import { RestartJudge } from './restart-judge.js';
import type { TrainingHistory } from './training-history.js';
import { type SimulatedPod, TrainingMachines } from './training-machines.js';
import { TrainingModel } from './training-model.js';

const start = Date.parse('2030-01-01T00:00:00Z') / 1_000;
/** Seconds in which the program is done, if nothing happens. */
const work = 120;
/** Seconds within which the job ends when all is calm. */
const patience = 900;

/** Plays one history of a TrainingJob with `recovery: Restart`, whose ranks know nothing of the operator. Equal for equal seeds. */
export function restartHistory(seed: number): TrainingHistory {
  const play = new Play(new Chance(`restart/${seed}`));
  play.all();
  return { lines: play.lines, broken: play.judge.broken };
}

class Play {
  readonly lines: string[] = [];
  readonly judge: RestartJudge;
  readonly machines: TrainingMachines;
  readonly job: Job;
  #operator: PlannedJob;
  #seconds = 0;
  #silentUntil = 0;
  #uid = 0;
  #done = 0;
  /** UIDs of the ranks that have trained together, in the order in which they began. */
  #groups: (readonly string[])[] = [];
  #isFinishing = false;

  constructor(readonly chance: Chance) {
    this.machines = new TrainingMachines(chance.fork('machines'), {
      starts: () => {},
      ends: () => {},
      now: () => this.#now(),
    });
    const workers = Math.floor(chance.between(1, 5));
    const wish: Wish = {
      ...{ workers, minWorkers: workers, priority: 0, spares: 0, perWindow: 900, suspend: false, revision: 'r1' },
      recovery: 'Restart',
    };
    this.job = { name: 'a', memory: newMemory, model: new TrainingModel(chance.fork('a')), wish };
    this.judge = new RestartJudge(() => this.#now(), this.machines);
    this.#operator = this.#newOperator();
  }

  all(): void {
    for (let left = Math.floor(this.chance.spread(60, 600)); left > 0 && !this.judge.broken; left--) {
      this.#user();
      this.#fault();
      this.#step();
    }
    this.#say('-', 'no more faults');
    this.#silentUntil = 0;
    for (const name of this.machines.lost.keys()) this.machines.settle(name);
    this.#wants({ suspend: false });
    for (let left = patience; left > 0 && !this.judge.broken && !this.job.memory.end; left--) this.#step();
    if (!this.job.memory.end) this.judge.broken ??= 'ends each job: it has not ended';
  }

  #now(): number {
    return start + this.#seconds;
  }

  #say(who: string, what: string): void {
    this.lines.push(`${String(this.#seconds).padStart(5)} ${who.padEnd(8)} ${what}`);
  }

  #newOperator(): PlannedJob {
    const world = {
      ...{ jobs: [this.job], machines: this.machines, judge: this.judge, now: () => this.#now() },
      ...{ say: (what: string) => this.#say('operator', what), uid: () => `u${++this.#uid}` },
      isReachable: () => this.#seconds >= this.#silentUntil,
    };
    return new PlannedJob(world, this.job);
  }

  #wants(change: Partial<Wish>): void {
    this.job.wish = { ...this.job.wish, ...change };
    this.#say('user', `wants ${JSON.stringify(change)}`);
  }

  #step(): void {
    this.#seconds++;
    this.machines.step();
    this.#train();
    this.judge.watches(this.job, this.machines, this.#seconds >= this.#silentUntil);
    this.#operator.poll(this.chance.happens(0.7) ? 0 : Math.floor(this.chance.between(1, 5)));
    for (let acts = Math.floor(this.chance.between(0, 5)); acts > 0; acts--) this.#operator.act();
  }

  /** The ranks work while all are there. After the loss of one, the others fail sooner or later, or hang. */
  #train(): void {
    const pods = this.machines.of(this.job.name);
    const isAlive = (pod: SimulatedPod) =>
      pod.phase === 'Running' && !pod.isEnding && !this.machines.lost.has(pod.node ?? '');
    const alive = pods.filter(isAlive);
    const [last = []] = this.#groups.slice(-1);
    if (this.#isFinishing && alive.some(({ uid }) => last.includes(uid))) {
      for (const pod of alive) if (this.chance.happens(0.3)) this.machines.end(pod, 'Succeeded');
      return;
    }
    this.#isFinishing = false;
    const free = alive.filter(({ uid }) => !this.#groups.some((group) => group.includes(uid)));
    // A rank that is in no group joins whichever others it finds.
    if (free.length > 0 && free.length === this.job.wish.workers) {
      this.#groups.push(free.map(({ uid }) => uid));
      this.#done = Math.max(0, this.#done - 10);
    }
    const isWhole = last.length > 0 && last.every((uid) => alive.some((one) => one.uid === uid));
    if (isWhole) {
      if (++this.#done >= work) this.#isFinishing = true;
      return;
    }
    for (const pod of alive) if (last.includes(pod.uid) && this.#fails(pod)) this.machines.end(pod, 'Failed');
  }

  /** Half of the ranks wait for a lost peer for ever. */
  #fails({ uid }: SimulatedPod): boolean {
    return this.chance.fork(`hangs ${uid}`).happens(0.5) && this.chance.happens(0.3);
  }

  #user(): void {
    const { chance, job } = this;
    if (chance.happens(0.006)) this.#wants({ suspend: !job.wish.suspend });
    else if (chance.happens(0.003)) this.#wants({ revision: job.wish.revision === 'r1' ? 'r2' : 'r1' });
  }

  #fault(): void {
    const { chance, machines, job } = this;
    if (chance.happens(0.03)) {
      this.#say('operator', 'dies');
      this.#operator = this.#newOperator();
    }
    if (chance.happens(0.01)) this.#silentUntil = this.#seconds + Math.floor(chance.between(1, 20));
    for (const name of machines.lost.keys()) if (chance.happens(0.04)) machines.settle(name);
    if (machines.lost.size === 0 && chance.happens(0.004)) this.#lose(chance.pick(machines.names));
    const pods = machines.of(job.name).filter(({ isEnding }) => !isEnding);
    if (pods.length === 0 || !chance.happens(0.03)) return;
    const pod = chance.pick(pods);
    const kind = chance.pick(['deleted', 'deleted at once', 'fails']);
    this.#say('fault', `${pod.name} ${kind}`);
    this.judge.struck();
    if (kind === 'fails') machines.end(pod, 'Failed');
    else machines.remove(pod);
    if (kind === 'deleted at once') machines.pods = machines.pods.filter((one) => one !== pod);
  }

  #lose(name: string): void {
    this.#say('fault', `machine ${name} is lost`);
    // Its Pods can be of several starts, and each is one fault at most.
    for (const _ of this.machines.lose(name)) this.judge.struck();
  }
}
