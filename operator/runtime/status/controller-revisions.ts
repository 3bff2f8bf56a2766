import { hash } from 'node:crypto';
import { receivedObject } from '../cache/received-object.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { conditionOf } from '../controller/conditions.js';
import { acceptanceOf, type CustomResource, runtimeStatusOf } from '../controller/custom-resource.js';
import { selectorOf } from '../controller/reads.js';
import { ApiError, isApiError, isRefusal, messageOf } from '../kubernetes/errors.js';
import { isRecord } from '../kubernetes/json.js';
import { apiVersionOf, ControllerRevision, type LiveControllerRevision } from '../kubernetes/kinds.js';
import type { LiveObject } from '../kubernetes/object.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import type { AcceptedSpec, LastAcceptedSpecs } from '../memory/last-accepted-specs.js';
import { isOwnedBy, ownerReference } from '../ownership/ownership-labels.js';
import { allPages } from '../ports/all-pages.js';

/** Labels of a revision: the controller that accepted the spec, and the UID of the resource. */
const acceptedBy = 'reconstruct.dev/accepted-by';
const acceptedOf = 'reconstruct.dev/accepted-of';

/**
 * The last accepted spec, from memory or from its ControllerRevision. Undefined if none is known.
 *
 * Guarantee: never an older spec than the last accepted one. A revision is read only if the last reconcile rejected the
 * spec, or if every accepted spec is stored. The status would show a spec that was accepted since. A spec that this
 * process accepted no longer counts if the status shows a later one, because the process may have read an old edit.
 */
export async function lastAcceptedOf(
  context: ReconcileContext,
  known: LastAcceptedSpecs,
): Promise<AcceptedSpec | undefined> {
  const { controller, resource } = context;
  const { uid } = resource.metadata;
  const { keepsRevisions } = controller;
  const isMeant = keepsRevisions === 'always' || (keepsRevisions === 'whenRejected' && isRevisionLikely(resource));
  if (known.isKnown(uid) && !isBehind(resource, known)) return known.of(uid);
  const mine = acceptanceOf(resource)?.status === 'True' ? undefined : known.of(uid);
  const revisions = isMeant ? await tolerated(context, () => list(context)) : [];
  if (!revisions) return mine; // refused: the next reconcile tries again
  const { generation = 0 } = resource.metadata;
  const possible = revisions.filter(isRevision).filter(({ revision }) => revision <= generation);
  const [last] = possible.toSorted((a, b) => b.revision - a.revision);
  if (mine && mine.generation >= (last?.revision ?? 0)) return mine;
  known.keep(uid, last && { generation: last.revision, spec: last.data.spec });
  return known.of(uid);
}

/**
 * True if the status shows that a spec was rejected, and that no later one was applied. A spec that was accepted while
 * the resource was paused is not: until it is applied, the stored one is what runs.
 */
function isRevisionLikely(resource: CustomResource): boolean {
  const accepted = acceptanceOf(resource);
  if (accepted?.status === 'False') return true;
  const status = runtimeStatusOf(resource);
  if (conditionOf({ status }, 'Paused')?.status !== 'True') return false;
  return (accepted?.observedGeneration ?? 0) > (status.observedGeneration ?? 0);
}

/**
 * True if a later spec than the known one was accepted, or may have been accepted before another was rejected, by a
 * process unknown to this one.
 */
function isBehind(resource: CustomResource, known: LastAcceptedSpecs): boolean {
  const { uid } = resource.metadata;
  const { observedGeneration = 0 } = runtimeStatusOf(resource);
  const isLater = observedGeneration > (known.of(uid)?.generation ?? observedGeneration);
  return isLater && (acceptanceOf(resource)?.status === 'True' || !known.isKept(uid));
}

/**
 * Stores the last accepted spec beyond this process, because another spec is rejected. If the API server refuses that
 * (because of a quota or a permission), the spec stays in memory only.
 */
export async function keepLast(context: ReconcileContext, known: LastAcceptedSpecs): Promise<void> {
  const { controller, resource } = context;
  const { uid } = resource.metadata;
  const last = known.of(uid);
  if (!last || known.isKept(uid) || controller.keepsRevisions === 'never') return;
  await tolerated(context, async () => {
    await keep(last, context);
    known.keep(uid, last);
  });
}

/**
 * Updates the revisions for an accepted spec before it is applied. The replaced spec must not count as the last one,
 * and with `always` the new one is stored. Sends nothing if the status shows that this is done.
 */
export async function accept(context: ReconcileContext, known: LastAcceptedSpecs): Promise<void> {
  const { controller, resource } = context;
  if (controller.keepsRevisions === 'whenRejected' && isRevisionLikely(resource)) {
    await tolerated(context, () => discard(context, resource.metadata.generation));
  }
  const { observedGeneration } = runtimeStatusOf(resource);
  const isKept = acceptanceOf(resource)?.status === 'True' && observedGeneration === resource.metadata.generation;
  const last = known.of(resource.metadata.uid);
  if (controller.keepsRevisions !== 'always' || isKept || !last) return;
  if (known.isKept(resource.metadata.uid)) return;
  await keep(last, context);
  known.keep(resource.metadata.uid, last);
}

/** One revision for each resource. The others are deleted once it exists. */
async function keep({ generation, spec }: AcceptedSpec, context: ReconcileContext): Promise<void> {
  const { cluster, controller, resource, telemetry, signal } = context;
  const { namespace, uid } = resource.metadata;
  const metadata = {
    name: revisionName(context, generation),
    ...(namespace !== undefined && { namespace }),
    labels: { [acceptedBy]: controller.name, [acceptedOf]: uid },
    ownerReferences: [ownerReference(controller.kind, resource)],
  };
  const { kind } = ControllerRevision;
  const revision = {
    apiVersion: apiVersionOf(ControllerRevision),
    kind,
    metadata,
    data: { spec },
    revision: generation,
  };
  telemetry.wrote({ controller: controller.name, kind, verb: 'create' });
  try {
    await cluster.create(ControllerRevision, revision, { manager: managerOf(controller.name), signal });
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) throw error;
    const isOurs = (await list(context)).some((one) => one.metadata.name === metadata.name && isRevision(one));
    if (!isOurs) throw taken(metadata.name);
  }
  if (runtimeStatusOf(resource).conditions) await discard(context, generation, metadata.name);
}

/** An object of another owner with the name of a revision blocks it, as a missing permission does. */
function taken(name: string): ApiError {
  const { kind } = ControllerRevision;
  return new ApiError(`${kind} ${name} belongs to another owner: delete it`, { code: 403, reason: 'Forbidden' });
}

function revisionName({ controller, resource: { metadata } }: ReconcileContext, generation: number): string {
  const id = hash('sha256', `${controller.name} ${metadata.uid} ${generation}`, 'hex').slice(0, 10);
  return `${metadata.name.slice(0, 200).replace(/[-.]+$/, '')}-${id}`;
}

/**
 * @param generation of the accepted spec. Revisions that another process stored after it stay
 * @param kept the name of the revision that stays
 */
async function discard(context: ReconcileContext, generation = 0, kept?: string): Promise<void> {
  const { cluster, controller, telemetry, signal } = context;
  for (const revision of await list(context)) {
    const { metadata } = revision;
    const isLater = isRevision(revision) && revision.revision > generation;
    if (metadata.name === kept || (isLater && metadata.name === revisionName(context, revision.revision))) continue;
    telemetry.wrote({ controller: controller.name, kind: ControllerRevision.kind, verb: 'delete' });
    await cluster.remove(ControllerRevision, metadata, { uid: metadata.uid }, { signal });
  }
}

/** All objects with our labels, from any writer. */
async function list({ cluster, controller, resource, signal }: ReconcileContext): Promise<LiveObject[]> {
  const { namespace, uid } = resource.metadata;
  const labelSelector = selectorOf({ [acceptedBy]: controller.name, [acceptedOf]: uid });
  const query = { namespace, labelSelector, signal };
  const found: LiveObject[] = [];
  for await (const { items } of allPages({ cluster, kind: ControllerRevision }, query))
    for (const one of items) if (isOwnedBy(one, resource)) found.push(receivedObject(one));
  return found;
}

/** An object that another user wrote with our labels can have any content. */
function isRevision(object: LiveObject): object is LiveControllerRevision {
  const { data, revision } = object as Partial<LiveControllerRevision>;
  return isRecord(data) && Object.hasOwn(data, 'spec') && typeof revision === 'number' && revision > 0;
}

async function tolerated<T>(
  { controller, telemetry }: ReconcileContext,
  act: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const fields = { controller: controller.name, error: messageOf(error) };
    telemetry.log.warn(fields, 'Failed to store the last accepted spec, keeping it in memory');
    return undefined;
  }
}
