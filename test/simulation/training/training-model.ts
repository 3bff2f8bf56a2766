import type {
  CoordinatorAct,
  CoordinatorAnswer,
  LauncherFault,
  Member,
} from '../../../operator/controllers/training/ports/coordinator.js';
import type { Chance } from '../../../operator/testing/simulation/environment/chance.js';
import type { SimulatedPod } from './training-machines.js';

/** A process of a worker. */
export interface Process extends Member {
  /** `frozen`: it is stopped, with or without its launcher. `sleeps`: it hangs outside of a collective. */
  life: 'runs' | 'frozen' | 'pod frozen' | 'sleeps';
  state: string;
  generation: number;
  /** The generation that the process before it in this container was in. */
  readonly after: number;
  step: number;
  /** The generation of the last rollback that its state has seen. */
  line: number;
  firstNonFinite: number | undefined;
  phase: string;
  phaseSeconds: number;
  /** Seconds of training in this generation. */
  trained: number;
  /** Seconds until it is ready. */
  startsIn: number;
  /** The last order of a restart that its launcher saw. */
  readonly order: string;
}

type Generation = Extract<CoordinatorAct, { act: 'begin' }>;

/** Steps of a job. */
export const steps = 240;
/** Steps in a second. */
const pace = 3;
/** Steps between two checkpoints. */
const every = 30;

/** The coordinator and the processes of one job, as `images/training` has them. */
export class TrainingModel {
  readonly processes = new Map<string, Process>();
  /** Steps of finite states on the volume. */
  checkpoints: number[] = [];
  /** Seconds until the coordinator answers again. */
  silentFor = 0;
  generation = 0;
  /** Whether the state at the end was finite. */
  isFinite = true;
  /** The Pods whose processes have exited with 0. */
  readonly done = new Set<string>();
  #begun: Generation | undefined;
  #formed: Generation | undefined;
  #isSuspended = false;
  #restarts: Readonly<Record<string, string>> = {};
  #faults: LauncherFault[] = [];
  #faultsToSay: LauncherFault[] = [];
  /** What the coordinator heard, and how many seconds ago. */
  #heard = new Map<string, { readonly said: Process; age: number }>();
  readonly #launchers = new Map<string, Member & { readonly age: number }>();
  readonly #lostSilently = new Set<string>();
  #number = 0;

  constructor(readonly chance: Chance) {}

  starts({ name, uid }: SimulatedPod): void {
    this.processes.set(uid, this.#process({ worker: name, uid }, 0));
  }

  ends({ uid }: SimulatedPod, isSilent: boolean): void {
    this.processes.delete(uid);
    if (isSilent) this.#lostSilently.add(uid);
  }

  /** Its launcher starts a process again. @param kind why, as the launcher reports it */
  exits(one: Process, kind: string): void {
    this.processes.set(one.uid, this.#process(one, Math.max(one.after, one.generation)));
    const fault = { id: `f${++this.#number}`, kind, grade: 'program' as const, message: kind };
    this.#faultsToSay.push({ worker: one.worker, uid: one.uid, ...fault });
  }

  /** The loss of all ranks is not finite from here on. */
  poison(): boolean {
    // So early that the operator hears of it before the end.
    const group = this.#group().filter(({ step }) => step < steps - 15 * pace);
    for (const one of group) one.firstNonFinite ??= one.step;
    return group.length > 0;
  }

  /** The coordinator starts again, and has forgotten everything. */
  restartCoordinator(seconds: number): void {
    this.silentFor = seconds;
    this.generation = 0;
    this.#begun = undefined;
    this.#isSuspended = false;
    this.#restarts = {};
    this.#faults = [];
    this.#heard = new Map();
    this.#launchers.clear();
  }

  /** The members that the coordinator knows. */
  get members(): readonly Member[] {
    return this.#begun?.members ?? [];
  }

  /** The number of processes that train together, 0 while one of the members does not. */
  get training(): number {
    const { length } = this.#group();
    return length === this.#formed?.members.length ? length : 0;
  }

  answer(): CoordinatorAnswer {
    if (this.silentFor > 0) throw new Error('the coordinator does not answer');
    const ranks = [...this.#heard.values()].map(({ said, age }) => ({
      ...{ worker: said.worker, uid: said.uid, local: 0, generation: said.generation, state: said.state },
      ...{ behind: said.generation < this.generation, step: said.step, steps, phase: said.phase },
      ...{ phaseSeconds: settled(said.phaseSeconds), age: settled(age) },
      ...(said.firstNonFinite !== undefined && { firstNonFinite: said.firstNonFinite }),
      ...this.#rankOf(said),
    }));
    const launchers = [...this.#launchers.values()].map(({ worker, uid, age }) => ({ worker, uid, age: settled(age) }));
    const { generation } = this;
    const members = this.#begun?.members ?? [];
    const orders = { isSuspended: this.#isSuspended, restarts: this.#restarts };
    return { generation, members, hasStore: true, ...orders, ranks, launchers, faults: this.#faults };
  }

  /** @throws {Error} if the coordinator refuses */
  perform(request: CoordinatorAct): void {
    if (this.silentFor > 0) throw new Error('the coordinator does not answer');
    if (request.act === 'suspend') this.#isSuspended = request.isSuspended;
    else if (request.act === 'restart') this.#restarts = request.restarts;
    else this.#begin(request);
  }

  /** One second. */
  step(): void {
    if (this.silentFor > 0) this.silentFor--;
    for (const heard of this.#heard.values()) heard.age++;
    for (const [uid, one] of this.#launchers) this.#launchers.set(uid, { ...one, age: one.age + 1 });
    for (const one of [...this.processes.values()]) this.#live(one);
    if (this.silentFor === 0) this.#faults.push(...this.#faultsToSay.splice(0));
    this.#form();
    this.#train();
  }

  #process({ worker, uid }: Member, after: number): Process {
    return {
      ...{ worker, uid, life: 'runs', state: 'starting', generation: 0, after, step: 0, line: 0, phase: 'idle' },
      ...{ firstNonFinite: undefined, phaseSeconds: 0, trained: 0, startsIn: Math.floor(this.chance.between(1, 5)) },
      order: this.#restarts[worker] ?? '',
    };
  }

  #begin(wanted: Generation): void {
    const highest = Math.max(this.generation, ...[...this.#heard.values()].map(({ said }) => said.generation));
    if (wanted.generation < highest) throw new Error(`generation ${wanted.generation} is old`);
    if (wanted.generation === this.#begun?.generation) return;
    this.#begun = wanted;
    this.generation = wanted.generation;
    for (const [uid, { said }] of this.#heard) if (this.#isReplaced(said)) this.#heard.delete(uid);
  }

  #isReplaced({ worker, uid }: Member): boolean {
    return this.#begun?.members.some((member) => member.worker === worker && member.uid !== uid) ?? false;
  }

  #rankOf({ uid, generation }: Process): { readonly rank?: number } {
    const rank = this.#begun?.generation === generation ? this.#begun.members.findIndex((one) => one.uid === uid) : -1;
    return rank < 0 ? {} : { rank };
  }

  #live(one: Process): void {
    if (one.life !== 'pod frozen' && this.silentFor === 0) {
      this.#launchers.set(one.uid, { worker: one.worker, uid: one.uid, age: 0 });
      const order = this.#restarts[one.worker] ?? '';
      if (order !== one.order && order !== '') {
        this.exits(one, 'ordered');
        return;
      }
    }
    if (one.state === 'starting' && --one.startsIn <= 0) one.state = 'ready';
    if (one.state !== 'training')
      Object.assign(one, { phase: 'idle', phaseSeconds: one.phase === 'idle' ? one.phaseSeconds + 1 : 0 });
    // Its module is not loaded yet.
    if (one.state === 'starting') return;
    if (one.life === 'frozen' || one.life === 'pod frozen' || this.silentFor > 0) return;
    // The heartbeat and what its answer says.
    if (one.generation > 0 && this.#isReplaced(one)) this.processes.delete(one.uid);
    else {
      this.generation = Math.max(this.generation, one.generation);
      if (one.life === 'runs') this.#heed(one);
      this.#heard.set(one.uid, { said: { ...one }, age: 0 });
    }
  }

  #heed(one: Process): void {
    const isInside = ['joining', 'training', 'finishing'].includes(one.state);
    if (this.#isSuspended && one.state === 'training') {
      if (this.#formed?.members[0]?.uid === one.uid) this.#save(one);
      one.state = 'suspended';
      return;
    }
    if (this.generation <= one.generation || !this.#begun) return;
    if (isInside) one.state = 'waiting';
    const isMember = this.#begun.members.some(({ uid }) => uid === one.uid);
    if (!isMember || !['ready', 'waiting', 'suspended'].includes(one.state)) return;
    one.generation = this.#begun.generation;
    // Its predecessor has entered this generation.
    one.state = one.generation <= one.after ? 'waiting' : 'joining';
  }

  /** Members wait for each other before any of them trains. */
  #form(): void {
    const wanted = this.#begun;
    if (!wanted || this.silentFor > 0 || this.#formed === wanted) return;
    const members = wanted.members.map(({ uid }) => this.processes.get(uid));
    const there = members.filter(
      (one) => one?.state === 'joining' && one.generation === wanted.generation && one.life === 'runs',
    ) as Process[];
    if (there.length < members.length) return;
    this.#formed = wanted;
    const source = this.#sourceOf(there, wanted.restoreBefore);
    const isRollback = wanted.restoreBefore !== undefined;
    for (const one of there) {
      one.state = 'training';
      one.trained = 0;
      one.step = source.step;
      one.line = isRollback ? wanted.generation : Math.max(...there.map(({ line }) => line));
      one.firstNonFinite = source.firstNonFinite;
    }
  }

  /** The state that all get: the newest of the newest line, in memory or on the volume. */
  #sourceOf(there: readonly Process[], before: number | undefined): Pick<Process, 'step' | 'firstNonFinite'> {
    if (before !== undefined) {
      this.checkpoints = this.checkpoints.filter((step) => step < before);
      return { step: this.checkpoints.at(-1) ?? 0, firstNonFinite: undefined };
    }
    const line = Math.max(...there.map((one) => one.line));
    const [newest] = there.filter((one) => one.line === line).toSorted((a, b) => b.step - a.step);
    const saved = this.checkpoints.at(-1) ?? 0;
    return newest && newest.step >= saved ? newest : { step: saved, firstNonFinite: undefined };
  }

  #group(): readonly Process[] {
    return [...this.processes.values()].filter(
      ({ state, generation }) => state === 'training' && generation === this.#formed?.generation,
    );
  }

  #train(): void {
    const group = this.#group();
    const members = this.#formed?.members ?? [];
    const missing = members.filter(({ uid }) => !group.some((one) => one.uid === uid));
    const hasBroken = missing.some(({ uid }) => !this.#lostSilently.has(uid) || this.processes.has(uid));
    const hangs = missing.length > 0 || group.some(({ life }) => life !== 'runs');
    for (const one of group) {
      if (one.life === 'frozen' || one.life === 'pod frozen') continue;
      if (hasBroken && one.life === 'runs' && this.chance.happens(0.8)) one.state = 'waiting';
      const phase = one.life === 'sleeps' ? 'data' : hangs ? 'sync' : 'compute';
      one.phaseSeconds = hangs && one.phase === phase ? one.phaseSeconds + 1 : 0;
      one.phase = phase;
      one.trained++;
      if (!hangs) one.step += pace;
    }
    const [first] = group;
    if (hangs || !first) return;
    const writer = group.find(({ uid }) => uid === members[0]?.uid) ?? first;
    if (first.step >= steps) this.#finish(group, writer);
    else if (first.step % every < pace) this.#save(writer);
  }

  #finish(group: readonly Process[], writer: Process): void {
    this.#save(writer);
    this.isFinite = writer.firstNonFinite === undefined;
    for (const one of group) {
      one.state = 'done';
      this.done.add(one.uid);
      if (this.silentFor === 0) this.#heard.set(one.uid, { said: { ...one }, age: 0 });
    }
  }

  #save({ step, firstNonFinite }: Process): void {
    if (firstNonFinite !== undefined || this.checkpoints.at(-1) === step) return;
    this.checkpoints = [...this.checkpoints, step].slice(-5);
  }
}

/** Ages of healthy processes are 0 in an answer. */
function settled(seconds: number): number {
  return seconds < 3 ? 0 : seconds;
}
