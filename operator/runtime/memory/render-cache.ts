import type { Stores } from '../cache/stores.js';
import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { keyOf } from '../kubernetes/object.js';
import type { Desired } from '../rendering/render.js';
import type { ObservedDependencies } from './observed-dependencies.js';
import { versionOf, versionsSeen } from './observed-versions.js';

interface Place {
  readonly controller: Controller;
  readonly stores: Stores;
}

/** What was rendered, what was looked at for it, and which versions that had. */
interface Kept {
  readonly dependencies: ObservedDependencies;
  readonly from: string;
  /** As JSON, which garbage collection need not look through, with each kind by its place among those that are owned. */
  readonly desired: string;
}

/**
 * What was rendered last of each resource. What somebody took away or changed is brought back without rendering it again,
 * which would be more than half of such a pass.
 *
 * Guarantee: nothing is given that could be rendered otherwise now, as far as versions show; what was rendered from
 * anything that has none is not kept.
 */
export class RenderCache {
  readonly #kept = new Map<string, Kept>();

  of(
    resource: CustomResource,
    place: Place,
  ): { readonly desired: Desired[]; readonly dependencies: ObservedDependencies } | undefined {
    const kept = this.#kept.get(resource.metadata.uid);
    if (kept === undefined || kept.from !== versions(resource, kept.dependencies, place)) return undefined;
    return { desired: read(kept.desired, place.controller), dependencies: kept.dependencies };
  }

  keep(
    resource: CustomResource,
    { desired, dependencies }: { desired: readonly Desired[]; dependencies: ObservedDependencies },
    place: Place,
  ): void {
    const { uid } = resource.metadata;
    const from = versions(resource, dependencies, place);
    if (from === undefined) this.#kept.delete(uid);
    else this.#kept.set(uid, { dependencies, from, desired: written(desired, place.controller) });
  }

  /** Resources of which something is kept. */
  get size(): number {
    return this.#kept.size;
  }

  forget(uid: string): void {
    this.#kept.delete(uid);
  }
}

/** Undefined where versions do not show it, and of a resource that has changed since it was looked at. */
function versions(resource: CustomResource, dependencies: ObservedDependencies, place: Place): string | undefined {
  const { controller, stores } = place;
  const isNow = stores.of(controller.kind).get(keyOf(resource.metadata)) === resource;
  if (!isNow || dependencies.now || dependencies.elsewhere) return undefined;
  return `${versionOf(controller.kind, resource, { isSeen: dependencies.status, stores })} ${versionsSeen(resource, dependencies, place)}`;
}

function written(desired: readonly Desired[], { owns }: Controller): string {
  return JSON.stringify(desired.map((one) => ({ ...one, kind: owns.indexOf(one.kind) })));
}

function read(text: string, { owns }: Controller): Desired[] {
  const all = JSON.parse(text) as (Omit<Desired, 'kind'> & { readonly kind: number })[];
  return all.map((one) => ({ ...one, kind: owns[one.kind] as Desired['kind'] }));
}
