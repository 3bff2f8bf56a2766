import type { Controller, CustomResource } from './controller.js';
import type { Doubt } from './doubts.js';
import type { Happening } from './events.js';
import { type LiveObject, nameOf } from './object.js';
import type { Obstacle } from './obstacle.js';
import type { Leftover } from './prune.js';

/**
 * Annotation by which a person lets a resource that is being deleted go without the rest of its undoing. Its value is
 * the resource's UID, so that it means nothing on a copy.
 */
export const releaseAnnotation = 'reconstruct.dev/release';

/** Milliseconds until what is still left is said anew. */
const overdueRecheck = 60_000;

export function isDeleting({ metadata }: LiveObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function isReleased({ metadata }: LiveObject): boolean {
  return metadata.annotations?.[releaseAnnotation] === metadata.uid;
}

/** Milliseconds until a deletion should have come to its end; 0 and less when it is overdue, undefined if there is none. */
export function untilOverdue({ finalization }: Controller, { metadata }: LiveObject, now: number): number | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  return Date.parse(metadata.deletionTimestamp) + finalization.deadline - now;
}

/** What may be there of a resource. */
interface Rest {
  /** What is not undone. */
  readonly left: readonly Leftover[];
  /** What was written with no clear answer, and not read since. */
  readonly doubts: readonly Doubt[];
}

/** Why a resource that is being deleted may go, whatever is left to undo; undefined when it may not. */
export function releaseOf(
  controller: Controller,
  resource: CustomResource,
  { now, ...rest }: Rest & { readonly now: number },
): Happening | undefined {
  const isOverdue = (untilOverdue(controller, resource, now) ?? 1) <= 0;
  const why = isReleased(resource)
    ? `as the annotation ${releaseAnnotation} asks`
    : isOverdue && controller.finalization.onDeadline === 'release'
      ? `as its undoing took longer than ${minutes(controller)} min`
      : undefined;
  if (why === undefined) return undefined;
  const note = `let go without the rest of its undoing, ${why}; ${toldOf(rest)}`;
  return { type: 'Warning', reason: 'Released', note };
}

function toldOf({ left, doubts }: Rest): string {
  const uncertain = doubts.map(({ kind, key }) => `${kind.kind} ${nameOf(key).name}`);
  const parts = [
    ...(left.length > 0 ? [`left: ${listed(left)}`] : []),
    ...(doubts.length > 0 ? [`it is not known what became of ${shortList(uncertain)}`] : []),
  ];
  return parts.join('; ') || 'nothing is left';
}

/** What to say of a deletion that takes too long and is not given up. */
export function overdue(
  controller: Controller,
  resource: CustomResource,
  { left, now }: { left: readonly Leftover[]; now: number },
): readonly Obstacle[] {
  if ((untilOverdue(controller, resource, now) ?? 1) > 0) return [];
  const message = `deletion takes longer than ${minutes(controller)} min, ${awaited(left)}; ${advice(resource)}`;
  return [{ reason: 'DeletionOverdue', message, recheckAfter: overdueRecheck }];
}

/** What to say of a deletion that is on its way. */
export function departing(left: readonly Leftover[]): string {
  return `it is being deleted, ${awaited(left)}`;
}

function awaited(left: readonly Leftover[]): string {
  return left.length === 0 ? 'its controller still wants something' : `still there: ${listed(left)}`;
}

/** How a person lets it go. */
export function advice({ metadata }: LiveObject): string {
  return `to let it go without the rest, annotate it with ${releaseAnnotation}=${metadata.uid}`;
}

function minutes({ finalization }: Controller): number {
  return Math.round(finalization.deadline / 6_000) / 10;
}

function listed(left: readonly Leftover[]): string {
  return shortList(left.map(({ kind, object }) => `${kind.kind} ${object.metadata.name}${holdOn(object)}`));
}

function shortList(names: readonly string[]): string {
  const more = names.length - longestList;
  return names.toSorted().slice(0, longestList).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
const longestList = 10;

/** What keeps an object that is being deleted: its end is the business of whoever put these finalizers on. */
export function holdOn({ metadata: { deletionTimestamp, finalizers = [] } }: LiveObject): string {
  const others = finalizers.filter((one) => !kubernetesOwn.has(one));
  return deletionTimestamp === undefined || others.length === 0 ? '' : ` (held by finalizer ${others.join(', ')})`;
}

/** What goes by itself once what is below is gone. */
const kubernetesOwn: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);
