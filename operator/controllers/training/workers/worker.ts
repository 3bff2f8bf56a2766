import type { WorkerTrouble } from './worker-trouble.js';

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
  readonly lacks?: WorkerTrouble['lacks'];
}
