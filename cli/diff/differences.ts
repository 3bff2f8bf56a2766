import { isDeepStrictEqual } from 'node:util';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import { keyOf, type Manifest, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { kindPosition } from '../../operator/runtime/rendering/waves.js';
import { displayed, type ShownChange } from './display.js';
import { type DryReconcile, dryReconcile } from './dry-reconcile.js';
import type { Change } from './dry-run.js';
import type { Proposal } from './proposal.js';

/** Which object it is, and nothing of what it says. */
type Named = Pick<Manifest, 'apiVersion' | 'kind'> & { readonly metadata: ObjectName };

/** One object that would change. */
export interface Difference extends ShownChange {
  readonly action: Change['action'];
  readonly object: Named;
}

/** What a look of the operator at a resource would do. */
export interface Differences {
  readonly resource: Named;
  readonly changes: readonly Difference[];
  /** What would be in the way: a rejected spec, an object of somebody else, an immutable field. And what cannot be told. */
  readonly notes: readonly string[];
  /** True where the spec is rejected, so that the operator leaves what runs as it is. */
  readonly rejected: boolean;
  /** True where an object of somebody else, or a field that cannot be changed, is in the way of what is wanted. */
  readonly blocked: boolean;
  /** False where what one of the controllers would change cannot be told. */
  readonly known: boolean;
}

/**
 * What the operator would do about a resource: {@link dryReconcile one pass} of each controller of its kind.
 * @param controllers all of the kind, the one that leads first
 * @throws {Error} when the API server refuses a write, or cannot be asked
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
  const sides = displayed(change);
  const isSame = change.action === 'update' && isDeepStrictEqual(sides.before, sides.after);
  return object === undefined || isSame ? [] : [{ action: change.action, object: named(object), ...sides }];
}

function named({ apiVersion, kind, metadata: { name, namespace } }: Manifest): Named {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}
