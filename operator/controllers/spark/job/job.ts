import type { SparkJobSpec } from '../../../../imports/index.js';
import type { NodeState } from '../../../pods/node-state.js';
import type { Driver } from '../pods/driver.js';
import type { Executor } from '../pods/executors.js';
import type { Memory } from './memory.js';

/** What is seen of a SparkJob, without the time. */
export interface Seen {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly generation: number;
  readonly spec: SparkJobSpec;
  readonly memory: Memory;
  /** The newest attempt first. */
  readonly drivers: readonly Driver[];
  readonly executors: readonly Executor[];
  readonly nodes: readonly NodeState[];
}

/** The observed and desired state of a SparkJob. */
export interface Job extends Seen {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Why the API server does not accept an object, if so. */
  readonly blocker?: string | undefined;
  /** Whether the spec can work. With one that cannot, a driver goes on. @default true */
  readonly isAccepted?: boolean | undefined;
}

/** The driver of the current attempt. Undefined while there is none, and once it is gone. */
export function currentDriver({ memory, drivers }: Pick<Seen, 'memory' | 'drivers'>): Driver | undefined {
  const found = drivers.find(({ ref }) => ref?.run === memory.run && ref.attempt === memory.attempt);
  return found?.isOwn ? found : undefined;
}

/** Whether the node of a Pod does not answer. */
export function isOnLostNode(pod: Pick<Driver, 'node'> | undefined, { nodes }: Pick<Seen, 'nodes'>): boolean {
  return pod !== undefined && nodes.some(({ name, isReady }) => name === pod.node && !isReady);
}

/** The executors of the current attempt. */
export function currentExecutors({ memory, executors }: Pick<Seen, 'memory' | 'executors'>): readonly Executor[] {
  return executors.filter(({ isOwn, ref }) => isOwn && ref.run === memory.run && ref.attempt === memory.attempt);
}

/** Whether an executor belongs to an attempt whose driver has ended, or that is not the current one. */
export function isLeft({ ref }: Executor, { memory, drivers }: Seen): boolean {
  const isCurrent = ref.run === memory.run && ref.attempt === memory.attempt;
  const driver = drivers.find((one) => one.ref?.run === ref.run && one.ref.attempt === ref.attempt);
  // Without its Pod, the garbage collector deletes it too.
  return driver ? driver.end !== undefined : !isCurrent || memory.end !== undefined;
}
