import { type SparkJobResource, sparkJobKind } from '../../imports/index.js';
import { keyOf, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { sparkDriverName } from '../../src/index.js';
import { resourceNamed } from '../cluster/named-resource.js';
import { notFoundError } from '../status/listed-resources.js';

/** The SparkJob of this name. @throws {Error} if it does not exist */
export async function sparkJobNamed(cluster: Cluster, name: ObjectName): Promise<SparkJobResource> {
  const found = await resourceNamed(sparkJobKind, name, cluster);
  if (!found) throw notFoundError(sparkJobKind.kind, name);
  return found as unknown as SparkJobResource;
}

/** The Pod of the driver that runs. @throws {Error} if none does */
export function runningDriver({ metadata, status }: SparkJobResource): string {
  const { driver, state } = status ?? {};
  if (driver?.startTime !== undefined && (state === 'Running' || state === 'Stopping')) return driver.pod;
  const title = titleOf(metadata);
  const isOver = state === 'Succeeded' || state === 'Failed';
  throw new Error(
    isOver
      ? `${title} has no driver any more: it has ended (${state}); a history server shows jobs that have ended`
      : `${title} has no driver that runs: ${state ?? 'the operator has not started it'}; try again when it is Running`,
  );
}

/** An attempt that a user names. */
export interface WantedAttempt {
  /** @default - the run of the newest driver */
  readonly run?: number | undefined;
  /** @default - the newest attempt of the run whose driver exists or has existed */
  readonly attempt?: number | undefined;
}

/** The Pod of the driver of an attempt. @throws {Error} if there is none that the status knows, and no attempt is named */
export function driverOf({ metadata, status }: SparkJobResource, { run, attempt }: WantedAttempt): string {
  const { driver, ended = [] } = status ?? {};
  const current = driver && { run: status?.run ?? 1, attempt: status?.attempt ?? 1, pod: driver.pod };
  const known = [...(current ? [current] : []), ...ended];
  const found = known.find((one) => (run ?? one.run) === one.run && (attempt ?? one.attempt) === one.attempt);
  if (found) return found.pod;
  // The status has the last ten attempts, and Pods may be older.
  const wantedRun = run ?? known[0]?.run;
  if (wantedRun !== undefined && attempt !== undefined)
    return sparkDriverName(metadata.name, { run: wantedRun, attempt });
  const which = run === undefined ? 'no driver yet' : `no driver of run ${run}`;
  throw new Error(`${titleOf(metadata)} has had ${which}; list its attempts with reconstruct spark attempts`);
}

/** The kind and the name of a SparkJob, for people. */
export function titleOf({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): string {
  return `${sparkJobKind.kind} ${keyOf({ namespace, name })}`;
}
