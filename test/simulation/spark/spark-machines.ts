import type { Chance } from '../../../operator/testing/simulation/environment/chance.js';

/** How a driver ends, unless somebody ends it before. */
export type Fate = 'succeeds' | 'raises' | 'fails for good' | 'exceeds its memory' | 'hangs';

/** A Pod, and the process in it. */
export interface SimulatedPod {
  readonly name: string;
  readonly uid: string;
  /** Such as `1-2`. */
  readonly attempt: string;
  readonly role: 'driver' | 'executor';
  /** The UID of the SparkJob, or of the driver of an executor. */
  readonly owner: string;
  /** The UID of the SparkJob whose work it does. */
  readonly job: string;
  /** In seconds, as all times. */
  readonly created: number;
  node?: string;
  /** What the API server has. */
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  exitCode?: number;
  reason?: string;
  started?: number;
  finished?: number;
  isListening: boolean;
  isEnding: boolean;
  isDisrupted: boolean;
  /** Whether the finalizer of the operator keeps it. */
  isProtected: boolean;
  /** Whether only the finalizer keeps it. */
  isOver: boolean;
  /** Whether its process runs, whatever the API server has. */
  isAlive: boolean;
  fate: Fate;
  /** Seconds that the process runs. */
  length: number;
}

/** What the machines report to the judge. */
export interface Witness {
  readonly starts: (driver: SimulatedPod) => void;
  readonly reports: (driver: SimulatedPod) => void;
}

const executors = 2;
/** Seconds after which a machine without a kubelet counts as not ready. */
const notReadyAfter = 8;
/** Seconds after which Pods of such a machine are evicted. */
const evictedAfter = 20;

/** Machines that run Pods in memory. A lost machine may go on with its processes, and nobody can see it. */
export class SparkMachines {
  pods: SimulatedPod[] = [];
  /** When a machine was lost. */
  readonly lost = new Map<string, number>();
  readonly names = ['m0', 'm1', 'm2'];
  seconds = 0;
  #count = 0;

  constructor(
    readonly chance: Chance,
    readonly witness: Witness,
  ) {}

  /** @returns undefined if the name is taken */
  createDriver(
    name: string,
    attempt: string,
    { job, isProtected }: Pick<SimulatedPod, 'job' | 'isProtected'>,
  ): SimulatedPod | undefined {
    if (this.pods.some((pod) => pod.name === name)) return undefined;
    const fates: readonly Fate[] = ['succeeds', 'raises', 'raises', 'exceeds its memory', 'hangs', 'fails for good'];
    const fate = this.chance.happens(0.4) ? 'succeeds' : this.chance.pick(fates);
    const pod = { ...this.#pod(name, attempt), role: 'driver' as const, owner: job, job, fate, isProtected };
    this.pods.push(pod);
    return pod;
  }

  #pod(name: string, attempt: string) {
    // A SparkContext is there for some seconds, or no report would show that it was.
    const length = Math.floor(this.chance.between(6, 40));
    const state = { isEnding: false, isDisrupted: false, isProtected: false, isOver: false };
    const process = { isAlive: false, isListening: false, length };
    return {
      name,
      uid: `u${++this.#count}`,
      attempt,
      created: this.seconds,
      phase: 'Pending' as const,
      ...state,
      ...process,
    };
  }

  /** Somebody deletes a Pod. Its kubelet has to confirm that the process has ended. */
  delete(pod: SimulatedPod): void {
    pod.isEnding = true;
    if (pod.node === undefined) this.#forget(pod);
  }

  evict(pod: SimulatedPod): void {
    pod.isDisrupted = true;
    this.delete(pod);
  }

  lose(name: string): void {
    this.lost.set(name, this.seconds);
  }

  isReady(name: string): boolean {
    const since = this.lost.get(name);
    return since === undefined || this.seconds - since < notReadyAfter;
  }

  /** A lost machine returns with its processes, or is off for good and its Node is deleted. */
  settle(name: string, isOff: boolean): void {
    this.lost.delete(name);
    if (!isOff) return;
    for (const pod of this.#on(name)) {
      pod.isAlive = false;
      if (pod.finished === undefined) Object.assign(pod, { phase: 'Failed', isDisrupted: true });
      pod.isEnding = true;
      this.#forget(pod);
    }
  }

  #on(name: string): readonly SimulatedPod[] {
    return this.pods.filter(({ node }) => node === name);
  }

  /** The operator, or a person, removes the finalizer. */
  unprotect(pod: SimulatedPod): void {
    pod.isProtected = false;
    if (pod.isOver) this.#forget(pod);
  }

  #forget(pod: SimulatedPod): void {
    pod.isOver = true;
    if (pod.isProtected) return;
    this.pods = this.pods.filter((one) => one !== pod);
    // The garbage collector deletes the executors of a driver that is gone.
    for (const one of this.pods) if (one.owner === pod.uid) this.delete(one);
  }

  /** One second of the scheduler, of all kubelets and of the processes. */
  step(): void {
    this.seconds++;
    for (const pod of [...this.pods]) {
      this.#run(pod);
      if (pod.isOver) continue;
      if (pod.node === undefined) this.#place(pod);
      else if (this.lost.has(pod.node)) this.#evictFromLost(pod, this.lost.get(pod.node) ?? 0);
      else this.#report(pod);
    }
  }

  #place(pod: SimulatedPod): void {
    const ready = this.names.filter((name) => this.isReady(name));
    if (ready.length > 0 && this.chance.happens(0.7)) pod.node = this.chance.pick(ready);
  }

  #evictFromLost(pod: SimulatedPod, since: number): void {
    if (this.seconds - since >= evictedAfter && !pod.isEnding && pod.finished === undefined) this.evict(pod);
  }

  /** The process itself, which ends on a lost machine too. */
  #run(pod: SimulatedPod): void {
    if (!pod.isAlive || pod.fate === 'hangs' || this.seconds - (pod.started ?? 0) < pod.length) return;
    if (pod.role === 'driver') pod.isAlive = false;
  }

  /** What a kubelet does and reports. */
  #report(pod: SimulatedPod): void {
    if (pod.isEnding) this.#terminate(pod);
    else if (pod.phase === 'Pending') this.#start(pod);
    else if (pod.phase === 'Running' && pod.role === 'driver') this.#work(pod);
  }

  #work(pod: SimulatedPod): void {
    const age = this.seconds - (pod.started ?? 0);
    pod.isListening = pod.isAlive && age >= 2 && age < pod.length - 1;
    if (pod.isListening && age === 3) this.#createExecutors(pod);
    if (!pod.isAlive) this.#end(pod, exitCodeOf(pod.fate));
    const isIdle = !pod.isListening && age >= pod.length - 1;
    if (!pod.isAlive || isIdle) this.#endExecutors(pod);
  }

  #start(pod: SimulatedPod): void {
    if (!this.chance.happens(0.4)) return;
    Object.assign(pod, { phase: 'Running', started: this.seconds, isAlive: true });
    if (pod.role === 'driver') this.witness.starts(pod);
  }

  #terminate(pod: SimulatedPod): void {
    if (!pod.isAlive) {
      if (pod.finished === undefined) pod.phase = 'Failed';
      this.#forget(pod);
    } else if (this.chance.happens(0.4)) {
      this.#end(pod, 143);
      if (pod.role === 'driver') this.#endExecutors(pod);
    }
  }

  #end(pod: SimulatedPod, exitCode: number): void {
    const reason = exitCode === 0 ? 'Completed' : exitCode === 137 ? 'OOMKilled' : 'Error';
    const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    Object.assign(pod, { exitCode, reason, phase, isAlive: false, isListening: false, finished: this.seconds });
    if (pod.role === 'driver') this.witness.reports(pod);
  }

  #createExecutors(driver: SimulatedPod): void {
    for (let number = 1; number <= executors; number++) {
      const pod = this.#pod(`clean-${driver.attempt}-exec-${number}`, driver.attempt);
      const { uid: owner, job } = driver;
      this.pods.push({ ...pod, role: 'executor', owner, job, fate: 'hangs' });
    }
  }

  /** Executors end with their driver. A kubelet that does not answer reports it later. */
  #endExecutors(driver: SimulatedPod): void {
    for (const pod of this.pods) {
      if (pod.owner === driver.uid && pod.isAlive && !this.lost.has(pod.node ?? '')) this.#end(pod, 0);
    }
  }
}

function exitCodeOf(fate: Fate): number {
  return { succeeds: 0, raises: 1, 'fails for good': 2, 'exceeds its memory': 137, hangs: 1 }[fate];
}
