import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../../operator/runtime/clock.js';
import type { Cluster } from '../../operator/runtime/cluster.js';
import type { Controller, RuntimeStatus } from '../../operator/runtime/controller.js';
import { Recorder } from '../../operator/runtime/events.js';
import { LastAccepted } from '../../operator/runtime/last-accepted.js';
import { keyOf, type Manifest, type ObjectName } from '../../operator/runtime/object.js';
import { pass } from '../../operator/runtime/pass.js';
import { Restraint } from '../../operator/runtime/restraint.js';
import { Settled } from '../../operator/runtime/settled.js';
import { runtimeConditions } from '../../operator/runtime/share.js';
import { silent } from '../../operator/runtime/telemetry.js';
import { kindPosition } from '../../operator/runtime/waves.js';
import { cachesFor } from './caches.js';
import { type Change, DryRun } from './dry-run.js';
import type { Planned } from './planned.js';
import { type ShownChange, shown } from './shown.js';

/** Which object it is, and nothing of what it says. */
type Named = Pick<Manifest, 'apiVersion' | 'kind'> & { readonly metadata: ObjectName };

/** One object that would change. */
export interface Difference extends ShownChange {
  readonly action: Change['action'];
  readonly object: Named;
}

/** What one pass over a resource would do. */
export interface Differences {
  readonly resource: Named;
  readonly changes: readonly Difference[];
  /** What the pass would say that is in its way: a rejected spec, an object of somebody else, an immutable field. */
  readonly notes: readonly string[];
}

/**
 * Makes one pass of the runtime over a resource, in which every write is a dry run.
 * @throws {Error} when the API server refuses a write, or cannot be asked
 */
export async function differencesOf(
  controller: Controller,
  { resource, exists }: Planned,
  cluster: Cluster,
): Promise<Differences> {
  const run = new DryRun(cluster, exists ? undefined : resource);
  const stores = await cachesFor(controller, resource, run.cluster);
  const clock = systemClock;
  const recorder = new Recorder({ cluster: run.cluster, clock, telemetry: silent, instance: randomUUID() });
  const memory = { settled: new Settled(), restraint: new Restraint(clock), lastAccepted: new LastAccepted() };
  const place = { controller, cluster: run.cluster, stores, ...memory, recorder, telemetry: silent, clock };
  await pass(keyOf(resource.metadata), place, new AbortController().signal);
  const changes = run.changes.toSorted(inOrder).flatMap(differenceOf);
  return { resource: named(resource), changes, notes: notesIn(controller, run.status) };
}

/** As they would be made, and then what goes: the answers themselves come in any order. */
function inOrder(a: Change, b: Change): number {
  return placeOf(a) < placeOf(b) ? -1 : 1;
}

function placeOf({ action, kind, before, after }: Change): string {
  const key = keyOf((after ?? before)?.metadata ?? { name: '' });
  return `${action === 'delete' ? 1 : 0} ${kindPosition(kind)} ${kind.kind} ${key}`;
}

function differenceOf(change: Change): readonly Difference[] {
  const object = change.after ?? change.before;
  const sides = shown(change);
  const isSame = change.action === 'update' && isDeepStrictEqual(sides.before, sides.after);
  return object === undefined || isSame ? [] : [{ action: change.action, object: named(object), ...sides }];
}

function named({ apiVersion, kind, metadata: { name, namespace } }: Manifest): Named {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}

/** What the runtime itself has to say against it; what the controller finds depends on what would come later. */
function notesIn(controller: Controller, status: RuntimeStatus | undefined): readonly string[] {
  const own = new Set(Object.values(controller.conditions).flatMap((reasons) => Object.keys(reasons)));
  const bad = (status?.conditions ?? []).filter(({ type, status, reason }) => {
    if (!runtimeConditions.includes(type) || type === 'Ready' || own.has(reason)) return false;
    return status === (type === 'Accepted' ? 'False' : 'True');
  });
  return [...new Set(bad.map(({ reason, message }) => `${reason}: ${message}`))];
}
