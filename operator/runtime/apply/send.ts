import { readAgain, readLive, write } from '../context/object-writes.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { isDeleting, keyOf, type LiveObject, nameOf } from '../kubernetes/object.js';
import { controllerLabel, managerOf } from '../kubernetes/well-known-names.js';
import { uncounted } from '../memory/write-breaker.js';
import { overVersion, type Send } from '../ports/cluster.js';
import { describe, fieldsOf } from '../rendering/render.js';
import { isWorkload } from '../rendering/waves.js';
import type { Answer, Apply, Change, Create, Delete, Memo, Patch, Read, Recreate, Request } from './decision.js';

/**
 * Sends one request for an object, and stores the answer in the caches.
 * @returns the answer. An error is one too, because it decides what follows
 */
export async function send(request: Request, context: ReconcileContext): Promise<Answer> {
  try {
    return { to: request, live: await sent(request, context) };
  } catch (error) {
    return { to: request, error };
  }
}

/** Keeps what the process remembers of an object. */
export function keep(
  { unblocked, blocked, applied, writes }: Memo,
  { appliedState, writeGuard }: Pick<ReconcileContext, 'appliedState' | 'writeGuard'>,
): void {
  if (unblocked) writeGuard.unblock(unblocked.metadata.uid);
  if (blocked) writeGuard.block(blocked.live, blocked.wish, blocked.blocker);
  if (applied) appliedState.note(applied.live, applied.wish);
  if (writes) writeGuard.breaker.keep(writes.id, writes.series, writes.isCounted);
}

/** Keeps that a request failed, after whose error nothing follows: its change was not carried out. */
export function keepFailure({ to }: Answer, { writeGuard }: Pick<ReconcileContext, 'writeGuard'>): void {
  const change = to && changeOf(to);
  if (!change) return;
  const { uid } = change.live.metadata;
  writeGuard.breaker.keep(uid, uncounted(writeGuard.breaker.of(uid)));
}

/** The counted change to which a request belongs. */
function changeOf(request: Request): Change | undefined {
  if (request.do === 'apply' || request.do === 'patch') return request.change;
  if (request.do !== 'read') return undefined;
  if (request.why === 'handover') return request.change;
  return request.why === 'refusal' ? request.refused : undefined;
}

/** The same if an error ends the reconcile. @throws {ApiError} Conflict if the object has changed since it was read */
export function sent(request: Request, context: ReconcileContext): Promise<LiveObject | undefined> {
  switch (request.do) {
    case 'create':
      return create(request, context);
    case 'apply':
      return apply(request, context);
    case 'patch':
      return patch(request, context);
    case 'delete':
      return remove(request, context);
    case 'recreate':
      return removeFirst(request, context);
    case 'read':
      return read(request, context);
  }
}

function create({ desired, wish, why }: Create, context: ReconcileContext): Promise<LiveObject | undefined> {
  const { cluster, controller, telemetry, signal } = context;
  const manager = managerOf(controller.name);
  if (why === 'trial') return cluster.create(desired.kind, wish, { manager, dryRun: true, signal });
  telemetry.wrote({ controller: controller.name, kind: desired.kind.kind, verb: 'create' });
  const send: Send = (known) => cluster.create(desired.kind, wish, { manager, strict: true, signal, known });
  return write(desired, context, send);
}

function apply({ change, looked, whole }: Apply, context: ReconcileContext): Promise<LiveObject | undefined> {
  const { cluster, controller, telemetry, signal } = context;
  const { desired, wish } = change;
  const manager = managerOf(controller.name);
  telemetry.wrote({ controller: controller.name, kind: desired.kind.kind, verb: 'apply' });
  const { uid, resourceVersion } = looked.metadata;
  const wished = { ...wish, metadata: { ...wish.metadata, uid, resourceVersion } };
  const send: Send = (known) => cluster.apply(desired.kind, wished, { manager, signal, whole, known });
  return write(desired, context, send);
}

/** An object without our label stays out of the cache, because no event would update or remove it. */
function patch({ kind, live, operations, why }: Patch, context: ReconcileContext): Promise<LiveObject | undefined> {
  const { cluster, controller, telemetry, signal } = context;
  const send = async () => {
    if (why !== 'handover') telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'apply' });
    const options = { manager: managerOf(controller.name), signal };
    const after = await cluster.patch(kind, live.metadata, [overVersion(live), ...operations], options);
    return why === 'release' && isDeleting(after) && !after.metadata.finalizers?.length ? undefined : after;
  };
  const isTold = live.metadata.labels?.[controllerLabel] !== undefined || ['mark', 'untie', 'release'].includes(why);
  return why !== 'move' && isTold ? write({ kind, key: keyOf(live.metadata) }, context, send) : send();
}

function remove({ kind, live, isHeld }: Delete, context: ReconcileContext): Promise<LiveObject | undefined> {
  const { cluster, controller, stores, telemetry, signal } = context;
  const { metadata } = live;
  const key = keyOf(metadata);
  const send = () => {
    telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'delete' });
    const seen = { uid: metadata.uid, resourceVersion: metadata.resourceVersion };
    return cluster.remove(kind, metadata, seen, { signal });
  };
  if (stores.of(kind).get(key)) context.foreignDeletions?.request(metadata.uid);
  // An object that no watch shows stays out of the cache, because no event would remove it again.
  return isHeld || stores.of(kind).get(key) ? write({ kind, key }, context, send) : send();
}

/** The pods of a workload are deleted first, so that old and new pods never run at the same time. */
async function removeFirst(
  { desired, live, why }: Recreate,
  context: ReconcileContext,
): Promise<LiveObject | undefined> {
  const { cluster, controller, resource, recorder, stores, telemetry, signal } = context;
  const { kind } = desired;
  const { uid, resourceVersion } = live.metadata;
  telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'delete' });
  if (stores.of(kind).get(desired.key)) context.foreignDeletions?.request(uid);
  const propagation = isWorkload(kind) ? 'Foreground' : 'Background';
  const send = () => cluster.remove(kind, live.metadata, { uid, resourceVersion }, { signal, propagation });
  const left = await write(desired, context, send);
  telemetry.log.info({ ...fieldsOf(desired, context), why }, 'Deleted object to recreate it');
  const note = `Deleted ${describe(desired)} to recreate it: ${why} is immutable`;
  recorder.record(controller, resource, { type: 'Normal', reason: 'Recreated', note });
  return left;
}

function read(request: Read, context: ReconcileContext): Promise<LiveObject | undefined> {
  const { desired } = request;
  if ('same' in request) return readAgain(desired, request.same, context);
  if (request.why !== 'conflict') return readLive(desired, context);
  return context.cluster.read(desired.kind, nameOf(desired.key), { signal: context.signal });
}
