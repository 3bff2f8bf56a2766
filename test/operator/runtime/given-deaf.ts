import type { Cluster } from '../../../operator/runtime/cluster.js';
import type { ObjectKind } from '../../../operator/runtime/kinds.js';
import { bound } from './given-house.js';

/** Watches that stay open and say nothing any more of some kinds. */
export class Deafness {
  readonly #kinds = new Set<string>();

  begin(kind: ObjectKind): void {
    this.#kinds.add(kind.kind);
  }

  /** A cluster of which this much is heard. */
  of(cluster: Cluster): Cluster {
    const told = (kind: ObjectKind) => !this.#kinds.has(kind.kind);
    return {
      ...bound(cluster),
      watch: async function* (kind, query) {
        for await (const event of cluster.watch(kind, query)) if (told(kind)) yield event;
      },
    };
  }
}
