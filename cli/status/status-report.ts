import { conditionOf } from '../../operator/runtime/controller/conditions.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import type { Table } from '../../operator/runtime/controller/facts.js';
import { messageOf } from '../../operator/runtime/kubernetes/errors.js';
import type { LiveObject, ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { resourceNamed } from '../cluster/named-resource.js';
import type { KnownKind } from './known-kinds.js';
import { notFoundError } from './listed-resources.js';
import { objectsOf, type ShownObject } from './owned-objects.js';
import { type Problem, problemsOf, type ReportedCondition, type ReportingResource } from './problems.js';

/** The status of a resource, as `--output=json` prints it. */
export interface StatusReport {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** The status of the condition `Ready`. Undefined without one. */
  readonly ready?: string;
  /** The worst first. */
  readonly problems: readonly Problem[];
  readonly conditions: readonly ReportedCondition[];
  readonly objects: readonly ShownObject[];
  /** What the kind adds. */
  readonly tables: readonly Table[];
  /** Why something is not shown. */
  readonly notes: readonly string[];
}

interface Around {
  readonly cluster: Cluster;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** @throws {Error} if the resource does not exist or cannot be read */
export async function statusReport(
  { kind, controllers, vocabulary }: KnownKind,
  { namespace, name }: ObjectName,
  { cluster, now }: Around,
): Promise<StatusReport> {
  const at = kind.namespaced && namespace !== undefined ? { namespace, name } : { name };
  const resource = (await resourceNamed(kind, at, cluster)) as CustomResource | undefined;
  if (!resource) throw notFoundError(kind.kind, at);
  const notes: string[] = [];
  const found = await objectsOf(resource, controllers, { cluster, now, notes });
  if (controllers.length === 0)
    notes.push(
      `actions and objects of ${kind.kind} are not known; to show them, give the module of its controller with --module`,
    );
  const reporting = resource as ReportingResource;
  const conditions = reporting.status?.conditions ?? [];
  const ready = readyOf(reporting);
  return {
    ...{ kind: kind.kind, ...at, ...(ready !== undefined && { ready }) },
    problems: problemsOf(reporting, now, vocabulary),
    conditions,
    objects: found.shown,
    tables: tablesOf(resource, { controllers, live: found.live, now, notes }),
    notes: notes.toSorted(),
  };
}

/** The status of `Ready`. Undefined if the resource does not report it. */
export function readyOf({ status }: ReportingResource): string | undefined {
  return conditionOf({ status }, 'Ready')?.status;
}

interface Ground extends Pick<KnownKind, 'controllers'> {
  readonly live: readonly LiveObject[];
  readonly now: number;
  readonly notes: string[];
}

/** The tables of the controllers. A function that fails costs only its own tables. */
function tablesOf(resource: CustomResource, { controllers, live, now, notes }: Ground): readonly Table[] {
  return controllers.flatMap(({ name, tables }) => {
    try {
      return tables?.({ resource, objects: live, now }) ?? [];
    } catch (error) {
      notes.push(
        `the tables of controller ${name} are not shown, because its function tables failed: ${messageOf(error)}`,
      );
      return [];
    }
  });
}
