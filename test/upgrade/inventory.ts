import { type ObjectKind, PersistentVolumeClaim, Secret, Service } from '../../operator/index.js';
import { listed } from '../e2e/cluster/api.js';
import { Pod } from '../e2e/cluster/kinds.js';
import type { Loose } from '../given.js';

/** A Pod that runs. */
export interface RunningPod {
  readonly name: string;
  readonly uid: string;
  /** Of all its containers. */
  readonly restarts: number;
}

/** What a namespace has that an upgrade must not change. */
export interface Inventory {
  readonly pods: readonly RunningPod[];
  /** UIDs by kind and name. */
  readonly objects: Readonly<Record<string, string>>;
}

/** Pods that have finished their work, such as those of backups, do not count. */
export async function inventoryOf(namespace: string): Promise<Inventory> {
  const pods = (await listed(Pod, { namespace })) as readonly Loose[];
  const running = pods.filter(({ metadata, status }) => status?.phase === 'Running' && !metadata.deletionTimestamp);
  const entries = await Promise.all([PersistentVolumeClaim, Secret, Service].map((kind) => uidsOf(kind, namespace)));
  return { pods: running.map(runningPod), objects: Object.fromEntries(entries.flat()) };
}

function runningPod({ metadata: { name, uid }, status }: Loose): RunningPod {
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const counts = [...containerStatuses, ...initContainerStatuses].map(({ restartCount }) => restartCount as number);
  return { name, uid, restarts: counts.reduce((sum, count) => sum + count, 0) };
}

async function uidsOf(kind: ObjectKind, namespace: string): Promise<readonly (readonly [string, string])[]> {
  const objects = await listed(kind, { namespace });
  return objects.map(({ metadata: { name, uid } }) => [`${kind.kind} ${name}`, uid] as const);
}

/** What an upgrade did to a namespace. */
export interface Outcome {
  readonly kind: string;
  /** The number of Pods before. */
  readonly before: number;
  readonly kept: number;
  /** Names of Pods whose containers were restarted. */
  readonly restarted: readonly string[];
  /** Names of Pods that are gone, or that another Pod has replaced. */
  readonly replaced: readonly string[];
  /** Kinds and names of objects that are gone or were recreated. */
  readonly changed: readonly string[];
}

/** Compares a namespace before and after. */
export function outcomeOf(kind: string, before: Inventory, after: Inventory): Outcome {
  const found = ({ uid }: RunningPod) => after.pods.find((pod) => pod.uid === uid);
  const stayed = before.pods.filter((pod) => found(pod) !== undefined);
  const restarted = stayed.filter((pod) => (found(pod)?.restarts ?? 0) > pod.restarts);
  return {
    ...{ kind, before: before.pods.length, kept: stayed.length - restarted.length },
    restarted: restarted.map(({ name }) => name),
    replaced: before.pods.filter((pod) => found(pod) === undefined).map(({ name }) => name),
    changed: Object.keys(before.objects).filter((name) => after.objects[name] !== before.objects[name]),
  };
}

/** Whether nothing was lost. */
export function isKept({ restarted, replaced, changed }: Outcome): boolean {
  return [restarted, replaced, changed].every(({ length }) => length === 0);
}
