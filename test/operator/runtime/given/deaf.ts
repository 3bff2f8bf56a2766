import type { ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { settled } from '../../fake-clock.js';
import { bound, type GivenHouse, type HouseProps } from './house.js';

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

/** A process that leads, and one that takes over from it and has not heard of what it is deaf to. */
export async function givenSuccession<House extends GivenHouse>(
  open: (props: HouseProps) => House,
): Promise<{ readonly leader: House; readonly standby: House; readonly deafness: Deafness }> {
  const deafness = new Deafness();
  const leader = open({});
  const standby = open({ memory: leader.memory, hears: (cluster) => deafness.of(cluster) });
  await settled();
  return { leader, standby, deafness };
}
