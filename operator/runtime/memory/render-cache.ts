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

/** The rendered objects, what was read for them, and its versions. */
interface Kept {
  readonly dependencies: ObservedDependencies;
  readonly from: string;
  /** As JSON, which the garbage collector need not traverse, with each kind by its index among the owned kinds. */
  readonly desired: string;
}

/**
 * The last rendered objects of each resource. Deleted or changed objects are restored without rendering, which would be
 * more than half the cost of such a reconcile.
 *
 * Guarantee: nothing is returned that could render differently now, as far as versions show. Objects that were rendered
 * from facts without versions are not kept.
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

  /** The number of resources with kept objects. */
  get size(): number {
    return this.#kept.size;
  }

  forget(uid: string): void {
    this.#kept.delete(uid);
  }
}

/** Undefined if versions do not show it, or if the resource has changed since it was read. */
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
