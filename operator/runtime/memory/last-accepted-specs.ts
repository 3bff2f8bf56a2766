import type { CustomResource } from '../controller/custom-resource.js';

/** A spec that was accepted, frozen. */
export interface AcceptedSpec {
  readonly generation: number;
  readonly spec: unknown;
}

interface Known extends AcceptedSpec {
  /** True when a ControllerRevision has it too. */
  readonly isKept: boolean;
}

/**
 * The spec of each resource that was accepted last, for as long as the process lives. What it holds is the spec that the
 * caches hold too, until an edit.
 */
export class LastAcceptedSpecs {
  /** By UID; undefined where it is known that none is known. */
  readonly #specs = new Map<string, Known | undefined>();

  /** Takes note that the spec of a resource is accepted. */
  note({ metadata: { uid, generation = 0 }, spec }: CustomResource): void {
    const isKept = this.#specs.get(uid)?.generation === generation && this.isKept(uid);
    this.#specs.set(uid, { generation, spec, isKept });
  }

  /** Holds on to the newest copy of the same spec, so that the caches' older one can go. */
  refresh(resource: CustomResource): void {
    const known = this.#specs.get(resource.metadata.uid);
    if (known && known.generation === resource.metadata.generation) this.note(resource);
  }

  /** Takes note of what a ControllerRevision has; undefined where there is none. */
  keep(uid: string, accepted: AcceptedSpec | undefined): void {
    this.#specs.set(uid, accepted && { generation: accepted.generation, spec: accepted.spec, isKept: true });
  }

  of(uid: string): AcceptedSpec | undefined {
    return this.#specs.get(uid);
  }

  isKept(uid: string): boolean {
    return this.#specs.get(uid)?.isKept ?? false;
  }

  /** True when nothing more can be found out about it. */
  isKnown(uid: string): boolean {
    return this.#specs.has(uid);
  }

  /** Another process may have accepted others since. */
  clear(): void {
    this.#specs.clear();
  }

  /** Of a resource that is gone. */
  forget(uid: string): void {
    this.#specs.delete(uid);
  }
}
