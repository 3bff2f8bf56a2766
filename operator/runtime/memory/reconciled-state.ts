import type { Stores } from '../cache/stores.js';
import type { Assessment, Controller } from '../controller/controller.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject } from '../kubernetes/object.js';
import type { ObservedDependencies } from './observed-dependencies.js';
import { servedIn, versionOf, versionsBeside, versionsSeen } from './observed-versions.js';

/** What was read, and its versions. */
interface Judgement {
  readonly dependencies: ObservedDependencies;
  readonly versions: string;
}

/** The result of `assess`, what it read, and the versions of that. */
export interface Assessed extends Judgement {
  readonly assessment: Assessment;
  /** When it was assessed. */
  readonly now: Date;
}

/**
 * What the last reconcile of one resource was based on: versions, never objects. While these are unchanged, another
 * reconcile would have the same result and is skipped.
 *
 * Guarantee: nothing counts as known that another writer could have changed, or that depends on the time. A change that
 * no version shows discards the whole state. The notes of a reconcile that runs meanwhile are then ignored.
 */
export class ReconciledState {
  #desired: Judgement | undefined;
  #told: (Assessed & { readonly resource: string }) | undefined;
  #statusChanges = 0;

  constructor(readonly context: { readonly controller: Controller; readonly stores: Stores }) {}

  /** True if the objects are as `desire` wants them: neither the resource nor the objects can have changed. */
  isSettled(resource: LiveObject): boolean {
    const known = this.#desired;
    return known !== undefined && known.versions === this.#contents(resource, known.dependencies);
  }

  /** What `desire` read for the settled objects. */
  get dependencies(): ObservedDependencies | undefined {
    return this.#desired?.dependencies;
  }

  /** Whether a finalizer is needed has changed, which no version of an object shows. */
  unsettle(): void {
    this.#desired = undefined;
  }

  /**
   * Records whether a reconcile has changed what it read of the status itself. No event reports that.
   * @returns how many reconciles in a row did so, including this one
   */
  noteStatusChange(isChanged: boolean): number {
    this.#statusChanges = isChanged ? this.#statusChanges + 1 : 0;
    return this.#statusChanges;
  }

  /** The last assessment, if the status is still the one that was written from it. */
  told(resource: LiveObject): Assessed | undefined {
    return this.#told?.resource === resource.metadata.resourceVersion ? this.#told : undefined;
  }

  /** True if another reconcile would find and report the same, as long as nothing is changed. */
  isAll(resource: LiveObject): boolean {
    return this.#desired !== undefined && this.told(resource) !== undefined;
  }

  /** True if a change of the status of an object of this kind could change the result. */
  dependsOn(kind: ObjectKind): boolean {
    if (!this.#desired || !this.#told) return true;
    const all = [this.#desired.dependencies, this.#told.dependencies];
    return all.some((one) => one.includesKind(kind) || one.includesSibling(kind));
  }

  /**
   * Records that everything is as desired, unless further owned objects exist.
   * @param found what `desire` read, and how many objects it wants
   */
  settle(resource: LiveObject, { dependencies, size }: { dependencies: ObservedDependencies; size: number }): void {
    const isKnown = !dependencies.now && this.#owned(resource).length === size;
    this.#desired = isKnown ? { dependencies, versions: this.#contents(resource, dependencies) } : undefined;
  }

  /** Records that the status reports everything that was found. */
  tell(resource: LiveObject, found: Assessed): void {
    this.#told = found.dependencies.now ? undefined : { ...found, resource: resource.metadata.resourceVersion };
  }

  /** The versions of the owned objects that were read. */
  versions(resource: LiveObject, dependencies: ObservedDependencies): string {
    return versionsSeen(resource, dependencies, this.context);
  }

  /** The versions at which the resource and its owned objects last changed in what was read. */
  #contents(resource: LiveObject, dependencies: ObservedDependencies): string {
    const { controller, stores } = this.context;
    const version = (kind: ObjectKind, object: LiveObject, isSeen: boolean) =>
      versionOf(kind, object, { isSeen, stores });
    const owned = this.#owned(resource).map(({ kind, object }) =>
      version(kind, object, dependencies.includesKind(kind)),
    );
    const siblings = versionsBeside(resource, dependencies, this.context);
    return [
      version(controller.kind, resource, dependencies.status),
      ...owned,
      siblings,
      servedIn(dependencies, stores),
    ].join(' ');
  }

  #owned(resource: LiveObject): { kind: ObjectKind; object: LiveObject }[] {
    return this.context.stores.ownedBy(resource, this.context.controller);
  }
}
