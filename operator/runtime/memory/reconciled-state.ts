import type { Stores } from '../cache/stores.js';
import type { Assessment, Controller } from '../controller/controller.js';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject } from '../kubernetes/object.js';
import type { ObservedDependencies } from './observed-dependencies.js';
import { servedIn, versionOf, versionsBeside, versionsSeen } from './observed-versions.js';

/** What was looked at, and the versions that it had. */
interface Judgement {
  readonly dependencies: ObservedDependencies;
  readonly versions: string;
}

/** What `assess` found, what it looked at for that, and which versions that had. */
export interface Assessed extends Judgement {
  readonly assessment: Assessment;
  /** When it was found. */
  readonly now: Date;
}

/**
 * What the last pass over one resource went by: versions, never objects. As long as they stand, another pass would find
 * what that one found, and so need not be made.
 *
 * Guarantee: nothing is taken for known that anybody could have changed, or that depends on the time. Whoever hears of
 * a change that no version shows throws the whole ground away; a pass that runs meanwhile then notes for nobody.
 */
export class ReconciledState {
  #desired: Judgement | undefined;
  #told: (Assessed & { readonly resource: string }) | undefined;

  constructor(readonly place: { readonly controller: Controller; readonly stores: Stores }) {}

  /** True when the objects are as `desire` wants them: neither it nor they can have changed. */
  isSettled(resource: LiveObject): boolean {
    const known = this.#desired;
    return known !== undefined && known.versions === this.#contents(resource, known.dependencies);
  }

  /** What was found last, if the status still is the one that was written of it. */
  told(resource: LiveObject): Assessed | undefined {
    return this.#told?.resource === resource.metadata.resourceVersion ? this.#told : undefined;
  }

  /** True when, as long as nobody changes anything, another pass would find and say the same. */
  isAll(resource: LiveObject): boolean {
    return this.#desired !== undefined && this.told(resource) !== undefined;
  }

  /** True when a change of the status of an object of this kind could change anything. */
  dependsOn(kind: ObjectKind): boolean {
    if (!this.#desired || !this.#told || this.#isSeen(kind)) return true;
    return this.#desired.dependencies.includesKind(kind) || this.#told.dependencies.includesKind(kind);
  }

  /**
   * Takes note that everything is as desired, unless something else is there beside it.
   * @param found what `desire` looked at, and how many objects it wants
   */
  settle(resource: LiveObject, { dependencies, size }: { dependencies: ObservedDependencies; size: number }): void {
    const isKnown = !dependencies.now && this.#owned(resource).length === size;
    this.#desired = isKnown ? { dependencies, versions: this.#contents(resource, dependencies) } : undefined;
  }

  /** Takes note that the status says everything that was found. */
  tell(resource: LiveObject, found: Assessed): void {
    this.#told = found.dependencies.now ? undefined : { ...found, resource: resource.metadata.resourceVersion };
  }

  /** The versions of the owned objects that were looked at. */
  versions(resource: LiveObject, dependencies: ObservedDependencies): string {
    return versionsSeen(resource, dependencies, this.place);
  }

  /** The versions at which the resource and all that it owns last changed in what was looked at. */
  #contents(resource: LiveObject, dependencies: ObservedDependencies): string {
    const { controller, stores } = this.place;
    const version = (kind: ObjectKind, object: LiveObject, isSeen: boolean) =>
      versionOf(kind, object, { isSeen, stores });
    const owned = this.#owned(resource).map(({ kind, object }) =>
      version(kind, object, dependencies.includesKind(kind)),
    );
    const siblings = versionsBeside(resource, this.place);
    return [
      version(controller.kind, resource, dependencies.status),
      ...owned,
      siblings,
      servedIn(dependencies, stores),
    ].join(' ');
  }

  #isSeen(kind: ObjectKind): boolean {
    return this.place.controller.watchesSiblings.some((seen) => groupKindOf(seen) === groupKindOf(kind));
  }

  #owned(resource: LiveObject): { kind: ObjectKind; object: LiveObject }[] {
    return this.place.stores.ownedBy(resource, this.place.controller);
  }
}
