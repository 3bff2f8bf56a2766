import { hash } from 'node:crypto';
import { receivedObject } from '../cache/received-object.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
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
 * The spec that was accepted last, from memory or from its ControllerRevision; undefined when none is known.
 *
 * Guarantee: never an older one than the last. A revision is read only where the last pass rejected the spec, or where
 * every accepted one is kept: a spec that was accepted since would have said so. What this process accepted counts no more
 * where the status tells of a later one: it may have looked at an edit of long ago.
 */
export async function lastAcceptedOf(
  context: ReconcileContext,
  known: LastAcceptedSpecs,
): Promise<AcceptedSpec | undefined> {
  const { controller, resource } = context;
  const { uid } = resource.metadata;
  const { keepsRevisions } = controller;
  const isMeant =
    keepsRevisions === 'always' || (keepsRevisions === 'whenRejected' && acceptanceOf(resource)?.status === 'False');
  if (known.isKnown(uid) && !isBehind(resource, known)) return known.of(uid);
  const mine = acceptanceOf(resource)?.status === 'True' ? undefined : known.of(uid);
  const revisions = isMeant ? await tolerated(context, () => list(context)) : [];
  if (!revisions) return mine; // refused: the next pass asks again
  const { generation = 0 } = resource.metadata;
  const possible = revisions.filter(isRevision).filter(({ revision }) => revision <= generation);
  const [last] = possible.toSorted((a, b) => b.revision - a.revision);
  if (mine && mine.generation >= (last?.revision ?? 0)) return mine;
  known.keep(uid, last && { generation: last.revision, spec: last.data.spec });
  return known.of(uid);
}

/**
 * True where a later spec was accepted than the one that is known, or may have been before another was rejected: by a process
 * of which this one had not heard.
 */
function isBehind(resource: CustomResource, known: LastAcceptedSpecs): boolean {
  const { uid } = resource.metadata;
  const { observedGeneration = 0 } = runtimeStatusOf(resource);
  const isLater = observedGeneration > (known.of(uid)?.generation ?? observedGeneration);
  return isLater && (acceptanceOf(resource)?.status === 'True' || !known.isKept(uid));
}

/**
 * Keeps the last accepted spec beyond this process, because another one is rejected. Where the API server refuses that
 * (a quota, a right) memory must do.
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
 * Brings the revisions up to an accepted spec, before anything is made of it: the one that it replaces must not be taken
 * for the last, and with `always` it is kept itself. Sends nothing where the status says that this was done.
 */
export async function accept(context: ReconcileContext, known: LastAcceptedSpecs): Promise<void> {
  const { controller, resource } = context;
  if (controller.keepsRevisions === 'whenRejected' && acceptanceOf(resource)?.status === 'False') {
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

/** One revision for each resource: the others go once it is there. */
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

/** Whoever has the name of a revision keeps us from keeping it, as a right does that is lacking. */
function taken(name: string): ApiError {
  const { kind } = ControllerRevision;
  return new ApiError(`${kind} ${name} is somebody else's: delete it`, { code: 403, reason: 'Forbidden' });
}

function revisionName({ controller, resource: { metadata } }: ReconcileContext, generation: number): string {
  const id = hash('sha256', `${controller.name} ${metadata.uid} ${generation}`, 'hex').slice(0, 10);
  return `${metadata.name.slice(0, 200).replace(/[-.]+$/, '')}-${id}`;
}

/**
 * @param generation of the spec that was accepted: what another process accepted after it stays
 * @param kept the name of the one that stays
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

/** Whatever carries our labels, and whoever wrote it. */
async function list({ cluster, controller, resource, signal }: ReconcileContext): Promise<LiveObject[]> {
  const { namespace, uid } = resource.metadata;
  const labelSelector = selectorOf({ [acceptedBy]: controller.name, [acceptedOf]: uid });
  const query = { namespace, labelSelector, signal };
  const found: LiveObject[] = [];
  for await (const { items } of allPages({ cluster, kind: ControllerRevision }, query))
    for (const one of items) if (isOwnedBy(one, resource)) found.push(receivedObject(one));
  return found;
}

/** What somebody else wrote under our labels may be anything. */
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
