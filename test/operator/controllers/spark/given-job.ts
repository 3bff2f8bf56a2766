import { sparkJobSpec, withDefaults } from '../../../../crds/index.js';
import type { SparkJobSpecInput, SparkJobStatus } from '../../../../imports/index.js';
import { assess } from '../../../../operator/controllers/spark/assess.js';
import { planOf } from '../../../../operator/controllers/spark/plan/index.js';
import { situationOf } from '../../../../operator/controllers/spark/situation.js';
import type { SparkOutcome } from '../../../../operator/controllers/spark/view.js';
import { type LivePod, type ObjectKind, Pod } from '../../../../operator/runtime/index.js';
import { sparkRevision } from '../../../../src/index.js';
import { at, now, uid } from './given-pods.js';

/** A spec with its defaults, without jitter unless the input has some. */
export function specOf(input: object = {}) {
  const { retry = {}, ...rest } = input as { readonly retry?: { readonly backoff?: object } };
  const exact = { ...retry, backoff: { jitter: 0, ...retry.backoff } };
  return withDefaults(sparkJobSpec, { main: 'local:///app/clean.py', ...rest, retry: exact } as SparkJobSpecInput);
}

/** What a reconcile sees of the SparkJob `clean`. */
export interface Seen {
  readonly spec?: object;
  readonly generation?: number;
  /** @default - that of a job without one */
  readonly status?: Partial<SparkJobStatus>;
  readonly pods?: readonly LivePod[];
  /** Names of nodes that do not answer. */
  readonly lost?: readonly string[];
  /** Seconds after `now`. @default 0 */
  readonly seconds?: number;
  /** Why the API server does not accept an object. */
  readonly blocker?: string;
  /** Whether the spec can work. @default true */
  readonly accepted?: boolean;
}

/** The input of `desire` and `assess`. */
export function outcomeOf(seen: Seen): SparkOutcome {
  const { spec = {}, generation = 1, status, pods = [], lost = [], seconds = 0, blocker, accepted = true } = seen;
  const own = pods.filter((pod) => pod.metadata.ownerReferences?.some((one) => one.uid === uid));
  const nodes = ['node-1', 'node-2', 'node-3'].map((name) => {
    return { name, labels: {}, isReady: !lost.includes(name), isCordoned: false };
  });
  const metadata = { name: 'clean', namespace: 'data', uid, generation };
  return {
    resource: { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'SparkJob', metadata, spec: specOf(spec), status },
    owned: { of: (kind: ObjectKind) => (kind === Pod ? own : []) },
    reads: { pods, nodes },
    ...{ polled: { drawn: undefined, leftovers: undefined }, now: new Date(now + 1_000 * seconds), accepted, blocker },
  } as unknown as SparkOutcome;
}

/** The conditions, the status and the events after a reconcile. */
export function assessed(seen: Seen) {
  return assess(outcomeOf(seen));
}

/** The status after a reconcile. */
export function statusAfter(seen: Seen): SparkJobStatus {
  return assessed(seen).status as SparkJobStatus;
}

/** What the next reconcile does with the objects of a job. */
export function planned(seen: Seen) {
  const { left, creates, leftovers, isShared } = planOf(situationOf(outcomeOf(seen)));
  return { left: left.map(({ name }) => name), creates, leftovers: leftovers.map(({ name }) => name), isShared };
}

/** The status of a job whose first attempt runs in its first run. */
export function running(changes: Partial<SparkJobStatus> = {}, spec: object = {}): Partial<SparkJobStatus> {
  return {
    ...{ state: 'Running', run: 1, attempt: 1, revision: sparkRevision(specOf(spec)), runGeneration: 1 },
    driver: { pod: 'clean-1-1-driver', uid: `uid of clean-1-1-driver of ${uid}`, node: 'node-1', startTime: at(-50) },
    ...{ startTime: at(-50), contextTime: at(-45) },
    ...changes,
  };
}

/** The status of a job that waits for its second attempt, after a failure 10 seconds ago. */
export function backingOff(changes: Partial<SparkJobStatus> = {}, spec: object = {}): Partial<SparkJobStatus> {
  const { driver: _, contextTime: __, ...rest } = running({}, spec);
  return {
    ...{ ...rest, state: 'WaitingForRetry', attempt: 2, nextAttemptTime: at(20) },
    retries: { counted: 1, failures: 1, used: { run: 1 }, memory: {} },
    ...changes,
  };
}
