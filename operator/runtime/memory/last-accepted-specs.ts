import type { CustomResource } from '../controller/custom-resource.js';

/** An accepted spec, frozen. */
export interface AcceptedSpec {
  readonly generation: number;
  readonly spec: unknown;
}

interface Known extends AcceptedSpec {
  /** True if a ControllerRevision holds it too. */
  readonly isKept: boolean;
}

/**
 * The last accepted spec of each resource, for as long as the process lives. Until an edit it is the same object as in
 * the caches.
 */
export class LastAcceptedSpecs {
  /** By UID. Undefined if it is known that there is no accepted spec. */
  readonly #specs = new Map<string, Known | undefined>();

  /** Records that the spec of a resource is accepted. */
  note({ metadata: { uid, generation = 0 }, spec }: CustomResource): void {
    const isKept = this.#specs.get(uid)?.generation === generation && this.isKept(uid);
    this.#specs.set(uid, { generation, spec, isKept });
  }

  /** Keeps the newest copy of the same spec, so that the older one can be garbage collected. */
  refresh(resource: CustomResource): void {
    const known = this.#specs.get(resource.metadata.uid);
    if (known && known.generation === resource.metadata.generation) this.note(resource);
  }

  /** Records the content of a ControllerRevision. Undefined if there is none. */
  keep(uid: string, accepted: AcceptedSpec | undefined): void {
    this.#specs.set(uid, accepted && { generation: accepted.generation, spec: accepted.spec, isKept: true });
  }

  of(uid: string): AcceptedSpec | undefined {
    return this.#specs.get(uid);
  }

  isKept(uid: string): boolean {
    return this.#specs.get(uid)?.isKept ?? false;
  }

  /** True if nothing more can be found out about it. */
  isKnown(uid: string): boolean {
    return this.#specs.has(uid);
  }

  /** Drops everything, because another process may have accepted later specs. */
  clear(): void {
    this.#specs.clear();
  }

  /** For a resource that is gone. */
  forget(uid: string): void {
    this.#specs.delete(uid);
  }
}
