import type { LiveObject, ObjectKind } from '../../../operator/index.js';
import type { LivePod } from '../../e2e/cluster/kinds.js';
import { projectImage } from '../../images/project-images.js';
import type { Contestant } from '../comparison.js';
import type { ArmedKill } from './armed-kill.js';
import type { Account } from './costs.js';
import type { SparkPlace } from './spark-pods.js';

/** The image of drivers and executors, whoever makes them. */
export const sparkImage = () => projectImage('spark', '3.5.9');
/** Estimates pi. Its argument is the number of tasks. */
export const program = 'local:///opt/spark/examples/pi.py';
/** MiB of a driver and of an executor: the heap of the JVM, and what is beside it. */
export const memory = { heap: 512, overhead: 384 };
/** Cores that a Pod requests, so that the scheduler places ten jobs at a time on a small cluster. */
export const cores = '100m';
/** How often a failed job is tried again, and seconds before the first time. */
export const retries = { count: 3, seconds: 10 };

/** An operator that runs Spark jobs. */
export interface SparkRunner extends Contestant {
  /** Where its jobs run. */
  readonly namespace: string;
  /** The kind of its jobs. */
  readonly kind: ObjectKind;
  /** As it signs in at the API server. */
  readonly account: Account;
  start(): Promise<void>;
  /** The resource of a job with one executor. */
  job(name: string, tasks: number): LiveObject;
  placeOf(labels: Readonly<Record<string, string>>): SparkPlace | undefined;
  /** How a job ended. Undefined while it has not. */
  outcomeOf(job: LiveObject): 'Succeeded' | 'Failed' | undefined;
  /** What its status says, for people. */
  told(job: LiveObject): string;
  /** Whether its status shows that the operator has seen the Pod of the driver. */
  knowsDriver(job: LiveObject): boolean;
  pods(): Promise<readonly LivePod[]>;
  /** Prepares the death of its process. */
  arm(): Promise<ArmedKill>;
  /** Takes its jobs away, and itself. */
  stop(): Promise<void>;
}
