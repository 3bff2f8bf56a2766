import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import type { ObjectKey } from '../kubernetes/object.js';

export interface UnconfirmedWrite {
  readonly kind: ObjectKind;
  readonly key: ObjectKey;
}

/**
 * Objects of which a write left and no answer came: it may have been carried out or not, and until the watch tells, the
 * cache may be behind what we did ourselves. And objects of which a write met a newer state: a watch that is dead tells of
 * that much later. By the resource for which they were written.
 */
export class UnconfirmedWrites {
  readonly #doubts = new Map<string, Map<string, UnconfirmedWrite>>();

  note(resource: string, doubt: UnconfirmedWrite): void {
    const unconfirmedWrites = this.#doubts.get(resource) ?? new Map<string, UnconfirmedWrite>();
    this.#doubts.set(resource, unconfirmedWrites.set(`${groupKindOf(doubt.kind)} ${doubt.key}`, doubt));
  }

  of(resource: string): readonly UnconfirmedWrite[] {
    return [...(this.#doubts.get(resource)?.values() ?? [])];
  }

  forget(resource: string): void {
    this.#doubts.delete(resource);
  }
}

/** Names a controller's resource among those of all controllers. */
export function resourceIn(controller: string, key: ObjectKey): string {
  return `${controller} ${key}`;
}
