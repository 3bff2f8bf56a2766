import type { ReconcileContext } from '../context/reconcile-context.js';
import { type Condition, conditionsOf, type Finding } from '../controller/conditions.js';
import type { RuntimeStatus } from '../controller/custom-resource.js';
import { conditionsAnnotationOf, reportIn } from '../controller/owned-status.js';
import { isSame } from '../kubernetes/equality.js';
import { apiVersionOf } from '../kubernetes/kinds.js';
import { keyOf } from '../kubernetes/object.js';
import { timestampOf } from '../kubernetes/timestamp.js';
import { managerOf } from '../kubernetes/well-known-names.js';

/** What a controller reported last about a resource: in its status, in its annotation, or in events of this process. */
export function reportOf({
  controller,
  reportedConditions,
  resource,
}: Pick<ReconcileContext, 'controller' | 'reportedConditions' | 'resource'>): RuntimeStatus {
  if (controller.reportsTo !== 'events') return reportIn(controller, resource);
  return { conditions: reportedConditions?.of(resource.metadata.uid) ?? [] };
}

/**
 * The conditions to report about a resource whose status belongs to others. Undefined if they are reported already.
 * @throws {Error} if the controller returns a status. Nothing would show it
 */
export function conditionsToReport(
  context: ReconcileContext,
  { found, own, now }: { readonly found: readonly Finding[]; readonly own: object | undefined; readonly now: Date },
): RuntimeStatus | undefined {
  const { controller, resource } = context;
  if (own && Object.keys(own).length > 0)
    throw new Error(
      `assess of controller ${controller.name} returned a status, but it reports to ${controller.reportsTo}: return conditions only`,
    );
  const { conditions: before = [] } = reportOf(context);
  const { generation = 0 } = resource.metadata;
  const conditions = conditionsOf(found, before, { generation, now: timestampOf(now) });
  return isSame(before, conditions) ? undefined : { conditions };
}

/** True if something is reported about the resource. */
export function isReported(context: ReconcileContext): boolean {
  const { controller, resource } = context;
  const hasAnnotation = resource.metadata.annotations?.[conditionsAnnotationOf(controller.name)] !== undefined;
  return (controller.reportsTo === 'annotation' && hasAnnotation) || (reportOf(context).conditions ?? []).length > 0;
}

/**
 * Records the conditions of a resource whose status belongs to others, and applies them to its annotation if the
 * controller reports there. The annotation has a field manager of its own, so that no write of the finalizer removes it.
 * @param conditions empty to report nothing any more
 */
export async function writeReport(conditions: readonly Condition[], context: ReconcileContext): Promise<void> {
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
