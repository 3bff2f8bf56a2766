import { isAbridged, isPosted } from '../cache/received-object.js';
import { inParallel } from '../concurrency/parallel.js';
import { readAgain, readLive, write } from '../context/object-writes.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { type Blocker, ending, holdsUp, leaving } from '../controller/blocker.js';
import { merged } from '../fields/merge.js';
import { withoutRefused } from '../fields/refused-fields.js';
import { isApiError, messageOf, newer } from '../kubernetes/errors.js';
import { hasSafeIntegers } from '../kubernetes/json.js';
import { holdOn, type LiveObject, type Manifest } from '../kubernetes/object.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import { hasSameFieldSet, withOwnershipLabels } from '../ownership/ownership-labels.js';
import type { Send } from '../ports/cluster.js';
import { type Desired, describe } from '../rendering/render.js';
import { isOurs, othersObject } from './adoption.js';
import { type Change, fieldConflict, made, vanishing } from './field-conflict.js';
import { handOverFields, leavesReplicas } from './field-handover.js';
import { changeImmutable } from './immutable-fields.js';
import { leaveAsMade } from './made-once-objects.js';
import { joined } from './shared-objects.js';

/**
 * Makes the desired objects so, wave after wave, a few of one wave at the same time. A wave that is not done stops the
 * later ones, not its own other members.
 *
 * @returns what could not be made so, up to the first wave that must be waited for; empty when everything is as desired
 * @throws {AggregateError} of what failed in the first wave in which something did
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
  const wish = withOwnershipLabels(desired, { controller: controller.name, kind: controller.kind, owner: resource });
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
      return ending(`${describe(desired)} cannot be made, its namespace is being deleted`);
    if (!isApiError(error, 'AlreadyExists')) throw error;
  }
  // The name is taken by what our watch does not show: another's, or ours without its label.
  const taken = await readLive(desired, context);
  if (!taken) throw newer(`${describe(desired)} was deleted while it was being created`);
  return update(desired, wish, taken, context);
}

/**
 * By POST, not by apply: it fails when the name is taken instead of taking the object over, and costs the server less. As
 * strict as an apply: a field that the kind does not have is refused, not dropped.
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
    // Nobody's until now, so no more than its metadata is kept: what it states decides on how it is changed.
    const whole = await readLive(desired, context);
    if (!whole) throw newer(`${describe(desired)} was deleted before it was taken over`);
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

/** @returns the object as it is then */
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
 * Writes the object that was looked at, in the version that was looked at. What took its name since is not ours to write, and
 * of a later version it is not known which of its fields came with a create or an update of ours, by another process: those
 * that are not wanted any more would stay, and nobody would see it again.
 * @throws {ApiError} Conflict when it has changed since
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

/** The whole object, to be written where values alone differ, if it is all here. Who shares it may not be named by all others. */
function valuesIn({ kind }: Desired, wish: Manifest, live: LiveObject): LiveObject | undefined {
  const isValues = hasSameFieldSet(live, wish) && !kind.shared && !isAbridged(live);
  return isValues && hasSafeIntegers(live) ? merged(live, wish) : undefined;
}

/**
 * Once more without what the API server refuses beside what is wanted.
 * @returns false where nothing can be left out, or that is refused too
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
