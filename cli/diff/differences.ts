import { isDeepStrictEqual } from 'node:util';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import { keyOf, type Manifest, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { kindPosition } from '../../operator/runtime/rendering/waves.js';
import { displayed, type ShownChange } from './display.js';
import { type DryReconcile, dryReconcile } from './dry-reconcile.js';
import type { Change } from './dry-run.js';
import type { Proposal } from './proposal.js';

/** The identity of an object without its content. */
type Named = Pick<Manifest, 'apiVersion' | 'kind'> & { readonly metadata: ObjectName };

/** One object that would change. */
export interface Difference extends ShownChange {
  readonly action: Change['action'];
  readonly object: Named;
}

/** The changes of one reconcile. */
export interface Differences {
  readonly resource: Named;
  readonly changes: readonly Difference[];
  /** Obstacles, such as a rejected spec, an object of another owner or an immutable field, and unknown changes. */
  readonly notes: readonly string[];
  /** True if the spec is rejected, so that the operator keeps the existing objects. */
  readonly rejected: boolean;
  /** True if an object of another owner or an immutable field blocks the desired state. */
  readonly blocked: boolean;
  /** False if the changes of one controller are unknown. */
  readonly known: boolean;
}

/**
 * The changes that the operator would make for a resource: {@link dryReconcile one reconcile} per controller.
 * @param controllers all controllers of the kind, the primary one first
 * @throws {Error} if the API server rejects a write or does not answer
 */
export async function differencesOf(
  controllers: readonly Controller[],
  planned: Proposal,
  cluster: Cluster,
): Promise<Differences> {
  const found: DryReconcile[] = [];
  for (const controller of controllers) found.push(await dryReconcile(controller, { planned, cluster }));
  const changes = found.flatMap((one) => one.changes);
  return {
    resource: named(planned.resource),
    changes: changes.toSorted(inOrder).flatMap(differenceOf),
    notes: found.flatMap(({ notes }) => notes),
    rejected: found.some(({ rejected }) => rejected),
    blocked: found.some(({ blocked }) => blocked),
    known: found.every(({ known }) => known),
  };
}

/** In the order of application, then the deletions. The API server answers in any order. */
function inOrder(a: Change, b: Change): number {
  return placeOf(a) < placeOf(b) ? -1 : 1;
}

function placeOf({ action, kind, before, after }: Change): string {
  const key = keyOf((after ?? before)?.metadata ?? { name: '' });
  return `${action === 'delete' ? 1 : 0} ${kindPosition(kind)} ${kind.kind} ${key}`;
}

function differenceOf(change: Change): readonly Difference[] {
  const object = change.after ?? change.before;
  const sides = displayed(change);
  const isSame = change.action === 'update' && isDeepStrictEqual(sides.before, sides.after);
  return object === undefined || isSame ? [] : [{ action: change.action, object: named(object), ...sides }];
}

function named({ apiVersion, kind, metadata: { name, namespace } }: Manifest): Named {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}
