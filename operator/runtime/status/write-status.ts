import type { ReconcileContext } from '../context/reconcile-context.js';
import { type Condition, conditionsOf, type Finding } from '../controller/conditions.js';
import type { Controller } from '../controller/controller.js';
import { type CustomResource, type RuntimeStatus, runtimeStatusOf } from '../controller/custom-resource.js';
import { undoes } from '../controller/finalization.js';
import {
  conditionsAnnotationOf,
  reportsElsewhere,
  runtimeConditions,
  runtimeFields,
} from '../controller/owned-status.js';
import { containsContent, unownedFields } from '../fields/contains.js';
import { statusStrategy } from '../fields/merge-strategies.js';
import { isSame } from '../kubernetes/equality.js';
import { isApiError, isWithout, messageOf } from '../kubernetes/errors.js';
import { apiVersionOf } from '../kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import { timestampOf } from '../kubernetes/timestamp.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import { reportOf } from '../observe/observe.js';
import { overVersion, type PatchOperation, type Send } from '../ports/cluster.js';

/** What a reconcile has to say about a resource. */
interface Said {
  readonly found: readonly Finding[];
  /** The status of the controller. */
  readonly own: object | undefined;
  readonly now: Date;
  /** What was reported last. */
  readonly before: RuntimeStatus;
  /** True if the spec need not be applied, because the resource is paused. @default false */
  readonly isPending?: boolean | undefined;
}

/**
 * Reports about a resource, in its status or beside it. Sends nothing if all of it is reported already.
 * @returns what was written
 * @throws {Error} if the controller returns a status that nothing would show
 */
export async function report(context: ReconcileContext, said: Said): Promise<RuntimeStatus | undefined> {
  const { controller, resource, telemetry } = context;
  const status = reportsElsewhere(controller)
    ? conditionsToReport(context, said)
    : statusToWrite(controller, resource, { ...said, own: ownOf(said, context) });
  if (status) await telemetry.span('status', {}, () => writeStatus(status, context));
  return status;
}

/**
 * The status of the controller. While something is pending, it stays as it is: a controller notes in it what it is about to
 * do, and none of that is done.
 */
function ownOf({ isPending, own = {} }: Said, { controller, resource }: ReconcileContext): object {
  const taken = runtimeFields.find((field) => Object.hasOwn(own, field));
  if (taken !== undefined)
    throw new Error(
      `assess of controller ${controller.name} returned status.${taken}, which the runtime writes: rename it`,
    );
  if (!isPending) return own;
  const {
    conditions: _,
    observedGeneration: __,
    retryCount: ___,
    lastReconciled: ____,
    ...before
  } = runtimeStatusOf(resource);
  return Object.fromEntries(Object.entries(before).filter(([field]) => controller.ownedStatus.fields.has(field)));
}

/** The status to write. Undefined if the current status already reports all of it and nothing else. */
export function statusToWrite(
  controller: Controller,
  resource: CustomResource,
  {
    found,
    own,
    now,
    isPending = false,
  }: { found: readonly Finding[]; own: object; now: Date; isPending?: boolean | undefined },
): RuntimeStatus | undefined {
  const before = runtimeStatusOf(resource);
  const seconds = timestampOf(now);
  const generation = resource.metadata.generation ?? 0;
  const observedGeneration = isPending ? before.observedGeneration : generation;
  const judged = conditionsOf(found, before.conditions ?? [], { generation, now: seconds });
  const conditions = isPending ? judged.map((one) => ofApplied(one, Math.max(0, observedGeneration ?? 0))) : judged;
  const { isPrimary } = controller;
  const isObserved = isPrimary && observedGeneration !== undefined;
  const observed = { ...kept(controller, { retryCount: 0 }), ...(isObserved && { observedGeneration }) };
  const status = { ...own, ...observed, ...((isPrimary || conditions.length > 0) && { conditions }) };
  // Fields of this controller must hold nothing else: an apply removes what it no longer states.
  const isWhole = Object.entries(own).every(([field, value]) => {
    const there = before[field as keyof RuntimeStatus];
    return there === undefined || containsContent(value, there);
  });
  if (isWhole && containsContent(before, status, statusStrategy) && !hasStale(controller, before, status))
    return undefined;
  return { ...status, ...kept(controller, { lastReconciled: seconds }) };
}

/** What a controller finds of the objects is about the spec that was applied. The runtime reports about the spec as it is. */
function ofApplied(condition: Condition, observedGeneration: number): Condition {
  return runtimeConditions.includes(condition.type) ? condition : { ...condition, observedGeneration };
}

/** Fields of the runtime that a kind need not have, and that one of its controllers writes for all. */
export function kept<T extends RuntimeStatus>({ ownedStatus }: Controller, fields: T): Partial<T> {
  const entries = Object.entries(fields).filter(([field]) => ownedStatus.fields.has(field));
  return Object.fromEntries(entries) as Partial<T>;
}

/** True if the status still has an outdated part of ours. */
function hasStale(controller: Controller, before: RuntimeStatus, status: RuntimeStatus): boolean {
  if (before.conditions?.some(({ type }) => isStale(controller, type, status))) return true;
  const fields = [...controller.ownedStatus.fields].filter(
    (field) => field !== 'lastReconciled' && field !== 'conditions',
  );
  return fields.some((field) => Object.hasOwn(before, field) && !isStated(status, field));
}

/** A condition of one of our types that is no longer reported. */
function isStale({ ownedStatus }: Controller, type: string, status: RuntimeStatus): boolean {
  return ownedStatus.conditions.has(type) && !status.conditions?.some((said) => said.type === type);
}

function isStated(status: object, field: string): boolean {
  return Object.hasOwn(status, field) && status[field as keyof typeof status] !== undefined;
}

/**
 * The one status write of a reconcile, by server-side apply, so that conditions of others stay. A second write removes
 * a condition of one of our types that another manager wrote, and what it wrote into our records: an apply removes only
 * what it stated itself before.
 */
export async function writeStatus(status: RuntimeStatus, context: ReconcileContext): Promise<void> {
  const { cluster, controller, resource, stores, telemetry, signal } = context;
  if (reportsElsewhere(controller)) return writeReport(status.conditions ?? [], context);
  const answer = await write(status, context);
  const said = runtimeStatusOf(answer);
  // A failure is reported without the generation, which was not applied.
  const isDropped = status.observedGeneration !== undefined && said.observedGeneration === undefined;
  if (isDropped && answer !== resource) throw new Error(unsaid(controller));
  const forged = (said.conditions ?? []).flatMap(({ type }, index) =>
    isStale(controller, type, status) ? [index] : [],
  );
  const more = Object.entries(status).flatMap(([field, value]) =>
    unownedFields(said[field as keyof RuntimeStatus], value, `/status/${field}`),
  );
  const paths = [...forged.reverse().map((index) => `/status/conditions/${index}`), ...more];
  if (paths.length === 0) return;
  const { kind, name } = controller;
  telemetry.wrote({ controller: name, kind: kind.kind, verb: 'status' });
  const patch: PatchOperation[] = [overVersion(answer), ...paths.map((path) => ({ op: 'remove' as const, path }))];
  const options = { manager: managerOf(name), subresource: 'status' as const, signal };
  await stores
    .of(kind)
    .write(keyOf(resource.metadata), () => cluster.patch(kind, resource.metadata, patch, options), name);
}

/** Without these fields nothing is reported, so no reconcile may count as a success. */
function unsaid({ kind: { kind } }: Controller): string {
  return `the API server dropped the status of ${kind}: its schema must have status.conditions and status.observedGeneration`;
}

/**
 * Controllers note in the status what they have counted and are about to do. So a write that arrives late, such as the last one of an
 * earlier leader, must not undo a later one: it is sent over the version that has the status from which the new one follows.
 */
async function write(status: RuntimeStatus, context: ReconcileContext): Promise<CustomResource> {
  const { cluster, controller, resource, stores, telemetry, signal } = context;
  const { kind, name: manager } = controller;
  const key = keyOf(resource.metadata);
  const { name, namespace, uid } = resource.metadata;
  telemetry.wrote({ controller: manager, kind: kind.kind, verb: 'status' });
  const options = { manager: managerOf(manager), subresource: 'status', signal } as const;
  const send: Send = async (known) => {
    const over = ({ metadata: { resourceVersion } }: CustomResource) => {
      const metadata = { name, uid, resourceVersion, ...(namespace && { namespace }) };
      const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, status };
      return cluster.apply(kind, object, { ...options, known });
    };
    try {
      const newest = stores.of(kind).get(key);
      return await over(hasOwnStatus(newest, context) ? newest : resource);
    } catch (error) {
      if (!isApiError(error, 'Conflict')) return thatIsMissing(error, context);
      const live = await cluster.read(kind, resource.metadata, { signal });
      if (!hasOwnStatus(live, context)) throw error;
      return over(live);
    }
  };
  return (await stores.of(kind).write(key, send, manager)) ?? resource;
}

/** Fields from which no decision follows. */
const untold: ReadonlySet<string> = new Set(['conditions', 'lastReconciled', 'observedGeneration', 'retryCount']);

/** Whether what the controller noted is as it was observed. Others may have changed the rest of the resource. */
function hasOwnStatus(now: LiveObject | undefined, { controller, resource }: ReconcileContext): now is CustomResource {
  const own = (of: CustomResource) =>
    Object.entries(runtimeStatusOf(of)).filter(
      ([field]) => controller.ownedStatus.fields.has(field) && !untold.has(field),
    );
  return now?.metadata.uid === resource.metadata.uid && isSame(own(now as CustomResource), own(resource));
}

/** If a kind has no status subresource, the server reports that the resource is not found, although it exists. */
async function thatIsMissing(
  error: unknown,
  { cluster, controller, resource, signal }: ReconcileContext,
): Promise<never> {
  const { kind } = controller;
  if (!undoes(controller) || !isWithout(error, resource.metadata.name)) throw error; // or the permission to read it is missing
  const there = await cluster.read(kind, resource.metadata, { signal }).catch(() => undefined);
  if (there?.metadata.uid !== resource.metadata.uid) throw error;
  const mend = `the ${kind.kind} exists, so its CRD has no subresources.status: add it`;
  throw new Error(`${messageOf(error)}: ${mend}`, { cause: error });
}

/**
 * The conditions to report about a resource whose status belongs to others. Undefined if they are reported already.
 * @throws {Error} if the controller returns a status. Nothing would show it
 */
function conditionsToReport(
  { controller, resource }: ReconcileContext,
  { found, own, now, before: { conditions: before = [] } }: Said,
): RuntimeStatus | undefined {
  if (own && Object.keys(own).length > 0)
    throw new Error(
      `assess of controller ${controller.name} returned a status, but it reports to ${controller.reportsTo}: return conditions only`,
    );
  const { generation = 0 } = resource.metadata;
  const conditions = conditionsOf(found, before, { generation, now: timestampOf(now) });
  return isSame(before, conditions) ? undefined : { conditions };
}

/** Removes what a controller reported about a resource beside the status. Sends nothing if there is nothing. */
export async function clearReport(context: ReconcileContext): Promise<void> {
  if (isReported(context)) await writeReport([], context);
}

/** True if something is reported about the resource. */
function isReported(context: ReconcileContext): boolean {
  const { controller, resource } = context;
  const hasAnnotation = resource.metadata.annotations?.[conditionsAnnotationOf(controller.name)] !== undefined;
  return (controller.reportsTo === 'annotation' && hasAnnotation) || (reportOf(context).conditions ?? []).length > 0;
}

/**
 * Records the conditions of a resource whose status belongs to others, and applies them to its annotation if the
 * controller reports there. The annotation has a field manager of its own, so that no write of the finalizer removes it.
 * @param conditions empty to report nothing any more
 */
async function writeReport(conditions: readonly Condition[], context: ReconcileContext): Promise<void> {
  const { cluster, controller, reportedConditions, resource, signal, stores, telemetry } = context;
  const { kind, name } = controller;
  const { namespace, uid } = resource.metadata;
  if (controller.reportsTo === 'annotation') {
    const annotations = conditions.length > 0 && { [conditionsAnnotationOf(name)]: JSON.stringify(conditions) };
    const named = { name: resource.metadata.name, uid, ...(namespace && { namespace }) };
    const metadata = { ...named, ...(annotations && { annotations }) };
    telemetry.wrote({ controller: name, kind: kind.kind, verb: 'apply' });
    const manager = `${managerOf(name)}-conditions`;
    const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
    await stores.of(kind).write(keyOf(metadata), () => cluster.apply(kind, object, { manager, signal }), name);
  }
  reportedConditions?.keep(uid, conditions);
}
