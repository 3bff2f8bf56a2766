import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../../operator/runtime/cluster.js';
import type { Controller } from '../../operator/runtime/controller.js';
import { keyOf, type Manifest, type ObjectName } from '../../operator/runtime/object.js';
import { kindPosition } from '../../operator/runtime/waves.js';
import type { Change } from './dry-run.js';
import { type Foretold, foretold } from './foretold.js';
import type { Planned } from './planned.js';
import { type ShownChange, shown } from './shown.js';

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
 * What the operator would do about a resource: {@link foretold one pass} of each controller of its kind.
 * @param controllers all of the kind, the one that leads first
 * @throws {Error} when the API server refuses a write, or cannot be asked
 */
export async function differencesOf(
  controllers: readonly Controller[],
  planned: Planned,
  cluster: Cluster,
): Promise<Differences> {
  const found: Foretold[] = [];
  for (const controller of controllers) found.push(await foretold(controller, { planned, cluster }));
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
  const sides = shown(change);
  const isSame = change.action === 'update' && isDeepStrictEqual(sides.before, sides.after);
  return object === undefined || isSame ? [] : [{ action: change.action, object: named(object), ...sides }];
}

function named({ apiVersion, kind, metadata: { name, namespace } }: Manifest): Named {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}
