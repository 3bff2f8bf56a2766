import { Chance } from '../../../operator/testing/simulation/environment/chance.js';
import { type Job, newMemory, type Wish } from './job.js';
import { PlannedJob } from './planned-jobs.js';
import { TrainingJudge } from './training-judge.js';
import { namespace, placesOfRack, type SimulatedPod, TrainingMachines } from './training-machines.js';
import { type Process, TrainingModel } from './training-model.js';

/** One history of two TrainingJobs. */
export interface TrainingHistory {
  readonly lines: readonly string[];
  /** The promise that was broken, and how. */
  readonly broken?: string | undefined;
}

const start = Date.parse('2030-01-01T00:00:00Z') / 1_000;
/** Seconds within which both jobs end when all is calm. */
const patience = 1_500;
const first: Wish = {
  workers: 3,
  minWorkers: 3,
  priority: 0,
  spares: 0,
  perWindow: 50,
  suspend: false,
  revision: 'r1',
};

/** Plays one history: users and faults act at random, then all is calm. Equal for equal seeds. */
export function trainingHistory(seed: number): TrainingHistory {
  const play = new Play(new Chance(`training/${seed}`));
  play.all();
  return { lines: play.lines, broken: play.judge.broken };
}

class Play {
  readonly lines: string[] = [];
  readonly judge = new TrainingJudge(
    () => this.#now(),
    (job) => this.jobs.find(({ name }) => job === `${namespace}/${name}`)?.wish.priority ?? 0,
  );
  readonly machines: TrainingMachines;
  readonly jobs: readonly Job[];
  #operator: readonly PlannedJob[] = [];
  #seconds = 0;
  #silentUntil = 0;
  #uid = 0;

  constructor(readonly chance: Chance) {
    this.jobs = ['a', 'b'].map((name) => {
      const [workers, spares] = [Math.floor(chance.between(2, 6)), Math.floor(chance.between(0, 2))];
      const minWorkers = Math.max(1, workers - Math.floor(chance.fork(`least ${name}`).between(0, 3)));
      const priority = chance.fork(`priority ${name}`).pick([0, 100]);
      // A job that begins later finds the room taken.
      const suspend = chance.fork(`later ${name}`).happens(0.3);
      const perWindow = chance.happens(0.4) ? 1 : 50;
      const isNear = workers + spares <= placesOfRack && chance.fork(`near ${name}`).happens(0.4);
      const model = new TrainingModel(chance.fork(name));
      return {
        name,
        memory: newMemory,
        model,
        wish: { ...first, workers, minWorkers, priority, spares, perWindow, suspend, isNear },
      };
    });
    const places = this.jobs.map(({ wish }) => wish.workers + wish.spares);
    const quota = chance.fork('quota').happens(0.4)
      ? Math.max(...places) + Math.floor(chance.fork('more').between(0, 3))
      : undefined;
    const listener = {
      starts: (pod: SimulatedPod) => this.#modelOf(pod).starts(pod),
      ends: (pod: SimulatedPod, isSilent: boolean) => this.#modelOf(pod).ends(pod, isSilent),
      now: () => this.#now(),
    };
    this.machines = new TrainingMachines(chance.fork('machines'), listener, quota);
    this.#startOperator();
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
    for (const job of this.jobs) this.#wants(job, { suspend: false });
    // A process that was stopped stays so, and the operator replaces it.
    for (let left = patience; left > 0 && !this.judge.broken && this.#unrest() !== undefined; left--) this.#step();
    const unrest = this.#unrest();
    if (unrest !== undefined) this.judge.broken ??= `ends each job: ${unrest}`;
  }

  /** Why a job has not ended. */
  #unrest(): string | undefined {
    for (const { name, memory } of this.jobs) {
      if (!memory.end) return `${name} has not ended`;
      const left = this.machines.of(name).filter(({ phase }) => phase === 'Running' || phase === 'Pending');
      if (left.length > 0) return `${left.length} Pods of ${name} run after its end`;
    }
    return undefined;
  }

  #now(): number {
    return start + this.#seconds;
  }

  #say(who: string, what: string): void {
    this.lines.push(`${String(this.#seconds).padStart(5)} ${who.padEnd(8)} ${what}`);
  }

  #modelOf({ job }: Pick<SimulatedPod, 'job'>): TrainingModel {
    return (this.jobs.find(({ name }) => name === job) as Job).model;
  }

  #startOperator(): void {
    const world = {
      ...{ jobs: this.jobs, machines: this.machines, judge: this.judge, now: () => this.#now() },
      ...{ say: (what: string) => this.#say('operator', what), uid: () => `u${++this.#uid}` },
      isReachable: () => this.#seconds >= this.#silentUntil,
    };
    this.#operator = this.jobs.map((job) => new PlannedJob(world, job));
  }

  #wants(job: Job, change: Partial<Wish>): void {
    if (Object.entries(change).every(([key, value]) => job.wish[key as keyof Wish] === value)) return;
    job.wish = { ...job.wish, ...change };
    this.#say('user', `wants ${job.name} ${JSON.stringify(change)}`);
  }

  #step(): void {
    this.#seconds++;
    const { chance, machines } = this;
    machines.step();
    for (const { name, model } of this.jobs) {
      model.step();
      for (const pod of machines.of(name))
        if (model.done.has(pod.uid) && chance.happens(0.5)) this.machines.end(pod, 'Succeeded');
    }
    for (const job of this.jobs) this.judge.watches(job, machines, this.#seconds >= this.#silentUntil);
    for (const one of this.#operator) {
      one.poll(chance.happens(0.7) ? 0 : Math.floor(chance.between(1, 5)));
      for (let acts = Math.floor(chance.between(0, 5)); acts > 0; acts--) one.act();
    }
  }

  #user(): void {
    const { chance } = this;
    const job = chance.pick(this.jobs);
    if (chance.happens(0.006)) this.#wants(job, { suspend: !job.wish.suspend });
    else if (chance.happens(0.003)) this.#wants(job, { revision: job.wish.revision === 'r1' ? 'r2' : 'r1' });
  }

  #fault(): void {
    const { chance, machines } = this;
    if (chance.happens(0.02)) {
      this.#say('operator', 'dies');
      this.#startOperator();
    }
    if (chance.happens(0.01)) this.#silentUntil = this.#seconds + Math.floor(chance.between(1, 20));
    if (chance.happens(0.004)) {
      const job = chance.pick(this.jobs);
      this.#say('fault', `the coordinator of ${job.name} starts again`);
      job.model.restartCoordinator(Math.floor(chance.between(1, 15)));
    }
    for (const name of machines.lost.keys()) if (chance.happens(0.04)) this.#settle(name);
    if (machines.lost.size === 0 && chance.happens(0.004)) this.#lose(chance.pick(machines.names));
    const waiting = machines.pods.filter(({ isGated, isEnding }) => isGated && !isEnding);
    if (waiting.length > 0 && chance.happens(0.03)) machines.remove(chance.pick(waiting));
    const pods = machines.pods.filter(({ phase, isEnding }) => phase === 'Running' && !isEnding);
    if (pods.length > 0 && chance.happens(0.03)) this.#strike(chance.pick(pods));
  }

  #lose(machine: string): void {
    this.#say('fault', `machine ${machine} is lost`);
    for (const pod of this.machines.lose(machine)) this.judge.struck(pod.job, pod.uid);
  }

  #settle(machine: string): void {
    this.#say('fault', `machine ${machine} returns`);
    this.machines.settle(machine);
  }

  #strike(pod: SimulatedPod): void {
    const model = this.#modelOf(pod);
    const one = model.processes.get(pod.uid);
    const kind = this.chance.pick(['deleted', 'fails', 'exits', 'frozen', 'pod frozen', 'sleeps', 'poisoned']);
    if (one?.life !== 'runs' || one.state === 'done' || one.state === 'starting') return;
    if (kind === 'sleeps' && one.state !== 'training') return;
    this.#say('fault', `${pod.name} ${kind}`);
    if (kind === 'poisoned') {
      if (model.poison()) this.judge.struck(pod.job);
      return;
    }
    this.judge.struck(pod.job, pod.uid);
    if (kind === 'deleted') this.machines.remove(pod);
    else if (kind === 'fails') this.machines.end(pod, 'Failed');
    else if (kind === 'exits') model.exits(one, 'exit');
    else one.life = kind as Process['life'];
  }
}
