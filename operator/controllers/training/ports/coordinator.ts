import type { Port } from '../../../runtime/index.js';

/** Where the coordinator of a job listens. */
export interface CoordinatorAddress {
  readonly host: string;
  readonly port: number;
}

/** A Pod in a generation, in the order of the ranks. */
export interface Member {
  /** Name of the Pod. */
  readonly worker: string;
  readonly uid: string;
}

/** What a process last said. */
export interface RankReport extends Member {
  /** Index of the process in its worker. */
  readonly local: number;
  /** Absent outside a generation. */
  readonly rank?: number;
  readonly generation: number;
  /** A newer generation has begun. */
  readonly behind: boolean;
  readonly state: string;
  readonly step: number;
  /** Steps in all, if the program states them. */
  readonly steps?: number;
  readonly phase?: string;
  /** Whole seconds in the phase. */
  readonly phaseSeconds: number;
  /** Whole seconds since its last heartbeat. */
  readonly age: number;
  /** Mean seconds of computation of its last steps. */
  readonly computeSeconds?: number;
  /** Absent if it is not finite. */
  readonly loss?: number;
  /** Step of the first loss that was not finite, until a rollback. */
  readonly firstNonFinite?: number;
  readonly checkpoint?: { readonly step: number; readonly healthy: boolean };
}

/** A fault that a launcher reported. */
export interface LauncherFault extends Member {
  readonly id: string;
  readonly kind: string;
  readonly grade: 'program' | 'pod';
  readonly message: string;
  /** Of a process that has ended. Negative for a signal. */
  readonly exitCode?: number;
  /** The end of its error output. */
  readonly output?: string;
}

/** Everything that a coordinator knows. */
export interface CoordinatorAnswer {
  /** Another one after each change that needs an act, and not after a step. Absent at a coordinator of an old image. */
  readonly version?: string;
  /** 0 before the first one. */
  readonly generation: number;
  /** Empty until a generation was begun at this coordinator. */
  readonly members: readonly Member[];
  /** Whether its store answers. */
  readonly hasStore: boolean;
  /** Whether processes were ordered to write a checkpoint and to leave. */
  readonly isSuspended: boolean;
  /** Identifiers of ordered restarts, by worker. */
  readonly restarts: Readonly<Record<string, string>>;
  readonly ranks: readonly RankReport[];
  /** Whole seconds since the last word of each launcher. */
  readonly launchers: readonly (Member & { readonly age: number })[];
  readonly faults: readonly LauncherFault[];
}

/** One change at a coordinator. */
export type CoordinatorAct =
  | {
      readonly act: 'begin';
      readonly generation: number;
      readonly members: readonly Member[];
      readonly processes: number;
      /** All members are well and change between two steps. */
      readonly planned: boolean;
      /** All load the newest checkpoint before this step. */
      readonly restoreBefore?: number;
    }
  | { readonly act: 'suspend'; readonly isSuspended: boolean }
  | { readonly act: 'restart'; readonly restarts: Readonly<Record<string, string>> };

export type CoordinatorRequest = CoordinatorAddress & CoordinatorAct;

/** The coordinator of a TrainingJob. The Secret has its token. */
export const coordinator: Port<CoordinatorAddress, CoordinatorAnswer, CoordinatorRequest> = {
  name: 'reconstruct/training-coordinator',
  formerName: 'training-coordinator',
  secrets: 'any',
  versionOf: ({ version }) => version,
  visibleWithin: 0,
};
