import { isAbridged, isPosted } from '../cache/received-object.js';
import { inParallel } from '../concurrency/parallel.js';
import { readAgain, readLive, write } from '../context/object-writes.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { type Blocker, ending, holdsUp, leaving, rejected } from '../controller/blocker.js';
import { merged } from '../fields/merge.js';
import { withoutRefused } from '../fields/refused-fields.js';
import { isApiError, isRefusal, messageOf, newer } from '../kubernetes/errors.js';
import { hasSafeIntegers } from '../kubernetes/json.js';
import { holdOn, type LiveObject, type Manifest } from '../kubernetes/object.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import { adviceIn } from '../kubernetes/refusal-advice.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import { hasSameFieldSet, withOwnershipLabels } from '../ownership/ownership-labels.js';
import { podOwnersOf } from '../ownership/pod-owner.js';
import type { Send } from '../ports/cluster.js';
import { type Desired, describe } from '../rendering/render.js';
import { isOurs, othersObject } from './adoption.js';
import { type Change, fieldConflict, made, vanishing } from './field-conflict.js';
import { handOverFields, leavesReplicas } from './field-handover.js';
import { changeImmutable } from './immutable-fields.js';
import { leaveAsMade } from './made-once-objects.js';
import { searchIn } from './pod-owner-changes.js';
import { joined } from './shared-objects.js';

/**
 * Applies the desired objects wave after wave, a few of one wave at the same time. An incomplete wave stops the later
 * waves, but not its own other objects.
 *
 * @returns the blockers, up to the first wave that others must wait for. Empty if everything is as desired
 * @throws {AggregateError} the errors of the first wave in which something failed
 */
export async function apply(desired: readonly Desired[], context: ReconcileContext): Promise<Blocker[]> {
  const blockers: Blocker[] = [];
  for (const wave of wavesOf(desired)) {
    const outcomes = await inParallel(wave, (one) => bring(one, context));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as unknown);
    if (failed.length === 1) throw failed[0];
    if (failed.length > 1) throw new AggregateError(failed, failed.map(messageOf).join('; '));
    blockers.push(...outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? (outcome.value ?? []) : [])));
    if (blockers.some(holdsUp)) break;
  }
  return blockers;
}

function wavesOf(desired: readonly Desired[]): Desired[][] {
  const waves = new Map<number, Desired[]>();
  for (const one of desired) waves.set(one.wave, [...(waves.get(one.wave) ?? []), one]);
  return [...waves].sort(([a], [b]) => a - b).map(([, wave]) => wave);
}

async function bring(desired: Desired, context: ReconcileContext): Promise<Blocker | undefined> {
  const { controller, resource, stores } = context;
  const podOwners = podOwnersOf(desired, searchIn(context));
  const by = { controller: controller.name, kind: controller.kind, owner: resource, podOwners };
  const wish = withOwnershipLabels(desired, by);
  const live = stores.of(desired.kind).get(desired.key);
  if (live) return update(desired, wish, live, context);
  const gone = vanishing(desired, wish, context);
  if (gone) return gone;
  try {
    await create(desired, wish, context);
    made(desired, wish, context);
    return undefined;
  } catch (error) {
    if (isApiError(error, 'NamespaceTerminating'))
      return ending(`${describe(desired)} cannot be created because its namespace is being deleted`);
    const rejection = rejectionOf(error, desired, false);
    if (rejection) return rejection;
    if (!isApiError(error, 'AlreadyExists')) throw error;
  }
  // An object that our watch does not show has the name: another owner's, or ours without its label.
  const taken = await readLive(desired, context);
  if (!taken) throw newer(`${describe(desired)} was deleted while it was being created`);
  return update(desired, wish, taken, context);
}

/**
 * By POST, not by apply. It fails if the name is taken, instead of taking the object over, and costs the server less.
 * It is as strict as an apply: unknown fields are rejected, not dropped.
 */
function create(desired: Desired, wish: Manifest, context: ReconcileContext) {
  const { cluster, controller, telemetry, signal } = context;
  telemetry.wrote({ controller: controller.name, kind: desired.kind.kind, verb: 'create' });
  const send: Send = (known) =>
    cluster.create(desired.kind, wish, { manager: managerOf(controller.name), strict: true, signal, known });
  return write(desired, context, send);
}

async function update(
  desired: Desired,
  wish: Manifest,
  live: LiveObject,
  context: ReconcileContext,
): Promise<Blocker | undefined> {
  if (!isOurs(desired, live, context)) return othersObject(desired, live, context);
  if (live.metadata.deletionTimestamp) return leaving(`${describe(desired)} is being deleted${holdOn(live)}`);
  if (isPartial(live)) {
    // It had no owner until now, so only its metadata is kept. Its content decides how it is changed.
    const whole = await readLive(desired, context);
    if (!whole) throw newer(`${describe(desired)} was deleted before it could be adopted`);
    return update(desired, wish, whole, context);
  }
  const both = desired.kind.shared ? await joined(desired, { wish, live }, context) : { wish, live };
  if (desired.once) return void (await leaveAsMade(desired, both, context));
  return settle(desired, both, context);
}

async function settle(
  desired: Desired,
  { wish, live }: { readonly wish: Manifest; readonly live: LiveObject },
  context: ReconcileContext,
): Promise<Blocker | undefined> {
  const { resource, appliedState, writeGuard } = context;
  const rests = () => writeGuard.breaker.rests(live.metadata.uid, resource.metadata.generation ?? 0);
  if (appliedState.has(live, wish)) return rests();
  const futile = writeGuard.blocked(live, wish) ?? (await fieldConflict({ desired, wish, live }, context));
  if (futile) return futile;
  let looked = live;
  try {
    looked = await handOver(desired, wish, live, context);
    await change(desired, wish, looked, context);
    return rests();
  } catch (error) {
    const refusal = isApiError(error, 'Invalid') ? error : undefined;
    const rejection = refusal && desired.replace === 'recreate' ? undefined : rejectionOf(error, desired, true);
    if (rejection) return writeGuard.remember(live, wish, rejection);
    const what = { desired, wish, live: looked };
    let isMade: boolean | undefined;
    try {
      isMade = refusal && (await isChangedWithout(refusal.fields, what, context));
    } finally {
      if (!isMade) writeGuard.breaker.failed(live.metadata.uid);
    }
    if (isMade) return rests();
    if (!refusal) throw error;
    const outcome = await changeImmutable(refusal, what, context);
    if (outcome !== 'gone') return outcome;
    await create(desired, wish, context);
    return undefined;
  }
}

/** The blocker of an object whose write may be rejected. Undefined for other objects and errors. */
function rejectionOf(error: unknown, desired: Desired, isThere: boolean): Blocker | undefined {
  const { rejection } = desired;
  if (!rejection || !isRefusal(error)) return undefined;
  const known = adviceIn(messageOf(error));
  const remedies = known === undefined ? rejection.remedy : `${known}; or ${rejection.remedy}`;
  return rejected(`${messageOf(error)}: ${remedies}`, isThere || !rejection.holdsUp);
}

/** @returns the object after the write */
async function handOver(
  desired: Desired,
  wish: Manifest,
  live: LiveObject,
  context: ReconcileContext,
): Promise<LiveObject> {
  const handsOver = isPosted(live, managerOf(context.controller.name)) || leavesReplicas(live, wish);
  return handsOver && !hasSameFieldSet(live, wish) ? handOverFields(desired, live, context) : live;
}

/**
 * Writes the object in the version that was read. An object that took its name since belongs to another owner. In a
 * later version another process may have created or updated fields in our name. If those fields are no longer desired,
 * they would stay, and no reconcile would notice.
 * @throws {ApiError} Conflict if it has changed since
 */
async function change(
  desired: Desired,
  wish: Manifest,
  live: LiveObject,
  context: ReconcileContext,
  whole = valuesIn(desired, wish, live),
): Promise<void> {
  const { cluster, controller, appliedState, telemetry, signal } = context;
  const manager = managerOf(controller.name);
  telemetry.wrote({ controller: controller.name, kind: desired.kind.kind, verb: 'apply' });
  const { uid, resourceVersion } = live.metadata;
  const wished = { ...wish, metadata: { ...wish.metadata, uid, resourceVersion } };
  const send: Send = (known) => cluster.apply(desired.kind, wished, { manager, signal, whole, known });
  const answer = await write(desired, context, send);
  if (answer) appliedState.note(answer, wish);
}

/**
 * The whole object, sent as an update if only values differ and the object is kept whole. A shared object does not
 * qualify, because not all of its owners are known.
 */
function valuesIn({ kind }: Desired, wish: Manifest, live: LiveObject): LiveObject | undefined {
  const isValues = hasSameFieldSet(live, wish) && !kind.shared && !isAbridged(live);
  return isValues && hasSafeIntegers(live) ? merged(live, wish) : undefined;
}

/**
 * Writes once more without the fields that the API server rejects next to the desired ones.
 * @returns false if nothing can be left out, or the result is rejected too
 */
async function isChangedWithout(
  fields: readonly string[],
  { desired, wish, live }: Change,
  context: ReconcileContext,
): Promise<boolean> {
  const whole = valuesIn(desired, wish, isAbridged(live) ? await readAgain(desired, live, context) : live);
  const rest = whole && withoutRefused(whole, wish, fields);
  if (!rest) return false;
  try {
    await change(desired, wish, live, context, rest);
    return true;
  } catch (error) {
    if (isApiError(error, 'Invalid')) return false;
    throw error;
  }
}
