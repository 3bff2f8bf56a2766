import type { Kept } from '../cache/stores.js';
import type { UnconfirmedWrite } from '../cache/unconfirmed-writes.js';
import type { Blocker } from '../controller/blocker.js';
import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { advice, isReleased, releaseAnnotation, untilOverdue } from '../controller/finalization.js';
import { holdOn, isDeleting, nameOf } from '../kubernetes/object.js';
import { shortList } from '../kubernetes/truncate.js';
import type { ResourceEvent } from '../ports/event-recorder.js';

/** Milliseconds until the remaining objects are reported again. */
const overdueRecheck = 60_000;

/** What may still exist of a resource. */
interface Rest {
  /** Objects that are not cleaned up. */
  readonly left: readonly Kept[];
  /** Writes without a clear result that were not read since. */
  readonly unconfirmedWrites: readonly UnconfirmedWrite[];
}

/** What a deletion waits for. */
interface Awaited {
  /** Objects that are not cleaned up. */
  readonly left: readonly Kept[];
  /** What may be left outside of the cluster, for people. @default - nothing */
  readonly external?: string | undefined;
  /** Why everything is kept, for people, after "because". @default - it is not */
  readonly kept?: string | undefined;
}

/** Why a resource that is being deleted may be released, whatever is left to clean up. Undefined if it may not. */
export function releaseOf(
  controller: Controller,
  resource: CustomResource,
  { now, ...rest }: Rest & { readonly now: number },
): ResourceEvent | undefined {
  const isOverdue = (untilOverdue(controller, resource, now) ?? 1) <= 0;
  const why = isReleased(resource)
    ? `as requested by annotation ${releaseAnnotation}`
    : isOverdue && controller.finalization.onDeadline === 'release'
      ? `because its cleanup took longer than ${minutes(controller)} min`
      : undefined;
  if (why === undefined) return undefined;
  const note = `Released without the rest of its cleanup ${why}; ${toldOf(rest)}`;
  return { type: 'Warning', reason: 'Released', note };
}

function toldOf({ left, unconfirmedWrites }: Rest): string {
  const uncertain = unconfirmedWrites.map(({ kind, key }) => `${kind.kind} ${nameOf(key).name}`);
  const parts = [
    ...(left.length > 0 ? [`left: ${listed(left)}`] : []),
    ...(unconfirmedWrites.length > 0 ? [`unknown result of the last write: ${sortedList(uncertain)}`] : []),
  ];
  return parts.join('; ') || 'nothing is left';
}

/** How far a deletion got. */
export interface DeletionProgress {
  /** The blocker of a deletion that takes too long and is not released. */
  readonly late: readonly Blocker[];
  /** The message of a deletion in progress. */
  readonly departing: string;
}

/** What a deletion waits for. Only what is outside of the cluster may need a decision of a person. */
export function deletionProgress(
  controller: Controller,
  resource: CustomResource,
  { now, ...rest }: Awaited & { readonly now: number },
): DeletionProgress {
  const what = awaited(rest);
  const progress = `Deletion is in progress, ${what}`;
  const isOutside = rest.external !== undefined || rest.kept !== undefined;
  const departing = isOutside ? `${progress}; ${advice(resource)}` : progress;
  if ((untilOverdue(controller, resource, now) ?? 1) > 0) return { late: [], departing };
  const message = `Deletion has taken longer than ${minutes(controller)} min, ${what}; ${advice(resource)}`;
  return { late: [{ reason: 'DeletionDeadlineExceeded', message, requeueAfter: overdueRecheck }], departing };
}

function awaited({ left, external, kept }: Awaited): string {
  // The objects beside those that terminate are still needed, or nobody has begun to delete them.
  const ending = left.filter(({ object }) => isDeleting(object));
  const parts = [
    ...(left.length > 0 ? [listed(ending.length > 0 ? ending : left)] : []),
    ...(external === undefined ? [] : [external]),
  ];
  const because = kept === undefined ? [] : [`held because ${kept}`];
  const waiting = parts.length > 0 ? [`waiting for ${parts.join(', and ')}`] : [];
  return [...waiting, ...because].join(', ') || 'the controller still desires objects';
}

function minutes({ finalization }: Controller): number {
  return Math.round(finalization.deadline / 6_000) / 10;
}

function listed(left: readonly Kept[]): string {
  return sortedList(left.map(({ kind, object }) => `${kind.kind} ${object.metadata.name}${holdOn(object)}`));
}

function sortedList(names: readonly string[]): string {
  return shortList(names.toSorted(), longestList);
}
const longestList = 10;
