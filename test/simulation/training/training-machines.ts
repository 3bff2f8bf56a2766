import type { CapacityAnswer, OpeningGang } from '../../../operator/controllers/training/ports/capacity.js';
import type { Worker } from '../../../operator/controllers/training/workers/worker.js';
import type { Chance } from '../../../operator/testing/simulation/environment/chance.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The Pod of a worker. */
export interface SimulatedPod extends Mutable<Worker> {
  readonly job: string;
}

/** What happens to the processes of Pods, and when. */
export interface Listener {
  readonly starts: (pod: SimulatedPod) => void;
  /** @param isSilent the peers notice nothing, because no connection is closed */
  readonly ends: (pod: SimulatedPod, isSilent: boolean) => void;
  /** Seconds since 1970. */
  readonly now: () => number;
}

export const namespace = 'ml';
/** Pods of a machine. */
const places = 2;
const machines = 4;
const machinesOfRack = 2;
/** Pods of a rack. */
export const placesOfRack = machinesOfRack * places;
/** The label that machines of one rack have in common. */
export const rackLabel = 'rack';

/** The rack of a machine. */
export function rackOf(machine: string): string {
  return `rack-${Math.floor(Number(machine.slice(1)) / machinesOfRack)}`;
}

/** Steps after which a machine without a kubelet counts as not ready. */
const notReadyAfter = 8;

/** Machines that run Pods in memory, and the scheduler that places them. */
export class TrainingMachines {
  pods: SimulatedPod[] = [];
  /** When a machine was lost, in steps. */
  readonly lost = new Map<string, number>();
  readonly names = Array.from({ length: machines }, (_, number) => `m${number}`);
  /** Steps until something happens to a Pod, by its UID. */
  readonly #waits = new Map<string, number>();
  #steps = 0;

  constructor(
    readonly chance: Chance,
    readonly listener: Listener,
    /** The number of Pods that the ResourceQuota of the namespace allows. */
    readonly quota = Number.POSITIVE_INFINITY,
  ) {}

  /** One second of the scheduler and of all kubelets. */
  step(): void {
    this.#steps++;
    for (const pod of [...this.pods]) {
      const isLost = pod.node !== undefined && this.lost.has(pod.node);
      pod.isNodeLost = isLost && this.#steps - (this.lost.get(pod.node ?? '') ?? 0) >= notReadyAfter;
      if (isLost) continue;
      if (pod.isEnding) this.#terminate(pod);
      else if (pod.phase === 'Pending' && pod.node === undefined) this.#place(pod);
      else if (pod.phase === 'Pending' && this.#waited(pod, 3)) {
        pod.phase = 'Running';
        this.listener.starts(pod);
      }
    }
  }

  /** Nodes that are ready, and jobs whose Pods wait for the scheduler. */
  get room(): CapacityAnswer {
    const ready = this.names.filter((name) => !this.lost.has(name));
    const nodes = ready.map((name) => ({
      ...{ name, labels: { [rackLabel]: rackOf(name) }, taints: [] },
      free: { cpu: places - this.#runningOn(name), pods: 10 },
      leaving: { cpu: this.#on(name).filter(({ isEnding }) => isEnding).length },
    }));
    const waiting = this.pods.filter(
      ({ isGated, node, isEnding, phase }) => !isGated && node === undefined && !isEnding && phase === 'Pending',
    );
    const opening = new Map<string, OpeningGang>();
    for (const { job, created } of waiting) {
      const { queued = created, unplaced = 0 } = opening.get(job) ?? {};
      const first = created < queued ? created : queued;
      opening.set(job, { namespace, job, queued: first, unplaced: unplaced + 1, needs: { requests: { cpu: 1 } } });
    }
    return { nodes, opening: [...opening.values()] };
  }

  of(job: string): readonly SimulatedPod[] {
    return this.pods.filter((pod) => pod.job === job);
  }

  /** The number of Pods that the quota counts: those that have not ended. */
  get counted(): number {
    return this.pods.filter(({ phase }) => phase === 'Running' || phase === 'Pending').length;
  }

  /** @returns false if the quota refuses the Pod */
  create(pod: SimulatedPod): boolean {
    if (this.pods.some(({ name }) => name === pod.name)) return true;
    if (this.counted >= this.quota) return false;
    this.pods.push(pod);
    return true;
  }

  /** Deletes a Pod. Its processes end with it. */
  remove(pod: SimulatedPod): void {
    if (pod.isEnding) return;
    pod.isEnding = true;
    if (pod.phase === 'Running' && !this.lost.has(pod.node ?? '')) this.listener.ends(pod, false);
  }

  end(pod: SimulatedPod, phase: 'Failed' | 'Succeeded'): void {
    if (pod.phase !== 'Running' || this.lost.has(pod.node ?? '')) return;
    pod.phase = phase;
    pod.ended = new Date(this.listener.now() * 1_000).toISOString();
    this.listener.ends(pod, false);
  }

  /** A machine is lost with its processes. */
  lose(name: string): readonly SimulatedPod[] {
    this.lost.set(name, this.#steps);
    const struck = this.pods.filter(({ node, phase }) => node === name && phase === 'Running');
    for (const pod of struck) this.listener.ends(pod, true);
    return struck;
  }

  /** A lost machine returns. The processes of its Pods have failed. */
  settle(name: string): void {
    if (!this.lost.delete(name)) return;
    for (const pod of this.pods) {
      if (pod.node !== name || pod.phase !== 'Running') continue;
      pod.phase = 'Failed';
      pod.isNodeLost = false;
    }
  }

  #runningOn(name: string): number {
    return this.#on(name).length;
  }

  #on(name: string): readonly SimulatedPod[] {
    return this.pods.filter(({ node, phase }) => node === name && (phase === 'Running' || phase === 'Pending'));
  }

  #place(pod: SimulatedPod): void {
    if (pod.isGated || !this.#waited(pod, 3)) return;
    const free = this.names.filter(
      (name) =>
        !this.lost.has(name) &&
        this.#runningOn(name) < places &&
        (pod.domain === undefined || pod.domain === rackOf(name)),
    );
    if (free.length > 0) pod.node = this.chance.pick(free);
  }

  #terminate(pod: SimulatedPod): void {
    if (this.#waited(pod, 4)) this.pods = this.pods.filter((one) => one !== pod);
  }

  /** Whether so many steps have passed, more or less. */
  #waited({ uid }: SimulatedPod, steps: number): boolean {
    const left = this.#waits.get(uid) ?? Math.floor(this.chance.between(1, steps + 1));
    if (left > 0) this.#waits.set(uid, left - 1);
    else this.#waits.delete(uid);
    return left === 0;
  }
}
