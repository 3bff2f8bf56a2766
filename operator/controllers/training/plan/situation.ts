import type { TrainingJobSpec, TrainingJobStatusFaults } from '../../../../imports/index.js';
import type { CapacityAnswer, Gang } from '../ports/capacity.js';
import type { CoordinatorAnswer, Member, RankReport } from '../ports/coordinator.js';
import type { LogAnswer } from '../ports/logs.js';

/** The Pod of a worker as it is seen. */
export interface Worker {
  /** Name of the Pod. */
  readonly name: string;
  readonly uid: string;
  readonly index: number;
  readonly attempt: number;
  readonly isEnding: boolean;
  /** RFC 3339. */
  readonly created: string;
  /** When its program ended, in RFC 3339. Absent before. */
  readonly ended?: string | undefined;
  /** When its program started, in RFC 3339. Absent while it does not run. */
  readonly started?: string | undefined;
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  /** Whether other containers still run after its program has ended. @default false */
  readonly isHeld?: boolean | undefined;
  readonly isGated: boolean;
  readonly node?: string | undefined;
  readonly isNodeLost: boolean;
  /** Whether it is evicted, for example by a drain, or preempted by a Pod of a higher priority. @default false */
  readonly isEvicted?: boolean | undefined;
  readonly revision?: string | undefined;
  readonly incarnation: number;
  /** Value of the label `topology.key` that its node must have. Absent if none is chosen. */
  readonly domain?: string | undefined;
  /** Machines that must not run it. @default [] */
  readonly avoid?: readonly string[] | undefined;
  /** By its PriorityClass. @default 0 */
  readonly priority?: number | undefined;
  /** Reason why it does not run, if known. */
  readonly trouble?: string | undefined;
  /** What somebody has to change before it can run. Absent if it can run, or can wait. */
  readonly lacks?: 'Claim' | 'Image' | 'Container' | undefined;
}

/** A fault as the status has it. */
export type Fault = TrainingJobStatusFaults;

/** What the operator remembers of a job in its status. Times are in milliseconds since 1970. */
export interface Memory {
  readonly generation: number;
  readonly generationTime?: number | undefined;
  /** Pods of the generation, in the order of the ranks, with the machines on which they were seen. */
  readonly members: readonly (Member & { readonly node?: string | undefined })[];
  /** Step since which a member is slow, by the UID of its Pod. */
  readonly slowSince: Readonly<Record<string, number>>;
  readonly incarnation: number;
  readonly partial: number;
  readonly full: number;
  readonly total: number;
  readonly windowStart?: number | undefined;
  /** Faults of the loss in the window. @default 0 */
  readonly spikes?: number | undefined;
  /** When the next restart may begin. Absent if it need not wait. */
  readonly backoffUntil?: number | undefined;
  /** The newest first. */
  readonly faults: readonly Fault[];
  /** Faults by kind. @default {} */
  readonly counts?: Readonly<Record<string, number>> | undefined;
  readonly openedTime?: number | undefined;
  readonly stoppingTime?: number | undefined;
  readonly startTime?: number | undefined;
  /** Namespace and name of the job of a higher priority for which this one trains with `minWorkers`. */
  readonly displacedBy?: string | undefined;
  /** The last generation before it was displaced, as far as it was known. */
  readonly displacedGeneration?: number | undefined;
  readonly end?: End | undefined;
}

/** How a job ended. */
export interface End {
  readonly time: number;
  readonly reason: 'Succeeded' | 'RestartsExhausted' | 'LossNotFinite' | 'DeadlineExceeded';
  readonly message?: string | undefined;
}

/** A PersistentVolumeClaim, ConfigMap or Secret that Pods need and that is not there, or lacks a key. */
export interface MissingObject {
  readonly kind: 'PersistentVolumeClaim' | 'ConfigMap' | 'Secret';
  /** What is missing, as a part of a sentence. */
  readonly obstacle: string;
  /** Whether only the Pod with the index 0 needs it. */
  readonly isOfFirst: boolean;
}

/** The observed and desired state of a TrainingJob. */
export interface Situation {
  readonly namespace: string;
  readonly name: string;

  readonly spec: TrainingJobSpec;
  /** Of the content of the Pods. */
  readonly revision: string;
  readonly workers: readonly Worker[];
  readonly memory: Memory;
  /** Absent with `recovery: Restart`, and while it does not answer. */
  readonly report?: CoordinatorAnswer | undefined;
  /** Absent while it is not asked for or not known. */
  readonly room?: CapacityAnswer | undefined;
  /** What rules over the logs have found. Absent without rules, and while it is not known. */
  readonly logs?: LogAnswer | undefined;
  /** Whether the status says that all ranks train. @default false */
  readonly wasTraining?: boolean | undefined;
  /** Whether all workers mount the volume of the checkpoints. @default false - only the one with the index 0 */
  readonly sharesVolume?: boolean | undefined;
  /** Absent if all are there. */
  readonly missingObject?: MissingObject | undefined;
  /** The room cannot be read, for example without the permission, since this time. */
  readonly roomUnknownSince?: number | undefined;
  readonly now: number;
}

/** True if its processes keep their Pods when others fail. */
export function isInPlace({ spec }: Pick<Situation, 'spec'>): boolean {
  return spec.recovery === 'InPlace';
}

/** True for the gang of the job itself. */
export function isOwn(gang: Gang, { namespace, name }: Pick<Situation, 'namespace' | 'name'>): boolean {
  return gang.namespace === namespace && gang.job === name;
}

/** The number of Pods, spares included. */
export function placesIn({ spec }: Pick<Situation, 'spec'>): number {
  return spec.workers + spec.spares;
}

/** The Pods of the current content and of the current start of the job, which are not being deleted. */
export function currentIn({
  workers,
  memory,
  revision,
  ...job
}: Pick<Situation, 'workers' | 'memory' | 'revision' | 'spec'>): readonly Worker[] {
  return workers.filter(
    (one) =>
      !one.isEnding &&
      one.revision === revision &&
      one.incarnation === memory.incarnation &&
      one.index < placesIn(job) &&
      !isCondemned(one, memory),
  );
}

/** True if a Pod of this place cannot start, because it needs an object that is not there. */
export function lacksObject(
  { index }: Pick<Worker, 'index'>,
  { missingObject }: Pick<Situation, 'missingObject'>,
): boolean {
  return missingObject !== undefined && (index === 0 || !missingObject.isOfFirst);
}

/** True for a fault until all ranks train after it. */
export function isOpen({ recoverySeconds }: Fault): boolean {
  return recoverySeconds === undefined;
}

/** True while the next restart waits after faults of the loss. */
export function isBackingOff({ memory, now }: Pick<Situation, 'memory' | 'now'>): boolean {
  return memory.backoffUntil !== undefined && now < memory.backoffUntil;
}

/** True for a Pod whose fault was written down, so that it can be replaced without being forgotten. */
export function isCondemned({ uid }: Pick<Worker, 'uid'>, { faults }: Memory): boolean {
  return faults.some((fault) => fault.uid === uid && fault.grade === 'Pod');
}

/** The Pods of the current generation, in the order of the ranks. */
export function membersIn({ report, memory }: Pick<Situation, 'report' | 'memory'>): readonly Member[] {
  // A coordinator that was restarted does not know them, and one of a job that was stopped has old ones.
  return report && report.members.length > 0 && report.generation > memory.generation ? report.members : memory.members;
}

/** The number of the current generation, 0 before the first one. */
export function generationIn({ report, memory }: Pick<Situation, 'report' | 'memory'>): number {
  return Math.max(report?.generation ?? 0, memory.generation);
}

/** What the processes of a Pod said. */
export function ranksOf({ uid }: Pick<Member, 'uid'>, { report }: Pick<Situation, 'report'>): readonly RankReport[] {
  return report?.ranks.filter((rank) => rank.uid === uid) ?? [];
}

/** What the members of the current generation said. */
export function memberRanks(situation: Pick<Situation, 'report' | 'memory'>): readonly RankReport[] {
  return membersIn(situation).flatMap((member) => ranksOf(member, situation));
}

/** True for a process that has the state of its generation. One that joins still has that of an earlier one. */
export function isPastJoin({ state }: RankReport): boolean {
  return state === 'training' || state === 'finishing' || state === 'done';
}

/** The steps that a process has done. Undefined for one that has no state yet: it says 0 until it has that of a peer or a file. */
export function stepOf(rank: RankReport): number | undefined {
  return isPastJoin(rank) || rank.step > 0 ? rank.step : undefined;
}

/** True for a process that has done all steps. */
export function isPastSteps({ state }: RankReport): boolean {
  return state === 'finishing' || state === 'done';
}

/** True if a rank of the current generation has done all steps. It enters no other generation, and its peers are as far. */
export function isFinishing(situation: Situation): boolean {
  const succeeded = situation.workers.filter(({ phase }) => phase === 'Succeeded');
  const hasSucceeded = membersIn(situation).some(({ uid }) => succeeded.some((one) => one.uid === uid));
  return hasSucceeded || memberRanks(situation).some(({ state }) => state === 'done');
}

/** True if the workers must write a checkpoint and go: the job is suspended, or its Pods have another content. */
export function isStopping({ spec, workers, revision }: Pick<Situation, 'spec' | 'workers' | 'revision'>): boolean {
  return spec.suspend || workers.some((one) => !one.isEnding && one.revision !== revision);
}
