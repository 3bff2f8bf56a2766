import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import type { ObjectKey } from '../kubernetes/object.js';

export interface UnconfirmedWrite {
  readonly kind: ObjectKind;
  readonly key: ObjectKey;
}

/**
 * Objects with a write that was sent and got no response. The write may have taken effect, so until the watch reports,
 * the cache may be behind our own writes. Also objects with a write that met a newer state, which a dead watch reports
 * much later. By the resource for which they were written.
 */
export class UnconfirmedWrites {
  readonly #byResource = new Map<string, Map<string, UnconfirmedWrite>>();

  note(resource: string, write: UnconfirmedWrite): void {
    const unconfirmedWrites = this.#byResource.get(resource) ?? new Map<string, UnconfirmedWrite>();
    this.#byResource.set(resource, unconfirmedWrites.set(`${groupKindOf(write.kind)} ${write.key}`, write));
  }

  of(resource: string): readonly UnconfirmedWrite[] {
    return [...(this.#byResource.get(resource)?.values() ?? [])];
  }

  forget(resource: string): void {
    this.#byResource.delete(resource);
  }
}

/** Identifies a controller's resource among those of all controllers. */
export function resourceIn(controller: string, key: ObjectKey): string {
  return `${controller} ${key}`;
}
