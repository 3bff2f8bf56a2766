import type { CustomResource } from '../../runtime/controller/custom-resource.js';
import { kindsRead } from '../../runtime/controller/reads.js';
import { Event, groupKindOf, Lease, type ObjectKind } from '../../runtime/kubernetes/kinds.js';
import { isOthers } from './convergence.js';
import type { SimulatedProcess } from './environment/process.js';
import { objectsIn, type Scene } from './environment/scene.js';
import type { Effect, SimulatedRequest } from './environment/server.js';
import { invariants } from './invariants/index.js';
import type { Invariant } from './invariants/invariant.js';

/** The promise that was not kept. */
export interface Broken {
  /** The rest of a sentence that begins with "the operator". */
  readonly promise: string;
  /** How, for a person. */
  readonly how: string;
}

/** Watches one run, and finds the first promise that is broken. */
export class Jury {
  readonly #invariants: readonly Invariant[];
  /** Of the kinds that the controller reads. */
  readonly #reads: ReadonlySet<string>;
  #broken: Broken | undefined;
  #writes = 0;
  #lastChange = 0;

  constructor(readonly scene: Scene) {
    this.#reads = new Set(kindsRead([scene.controller]).map(groupKindOf));
    this.#invariants = invariants.map((invariant) => invariant(scene));
    scene.server.listen((effect) => this.#changed(effect));
  }

  get broken(): Broken | undefined {
    return this.#broken;
  }

  /**
   * Writes that left the operator's processes, without leases and events, and without the tries whether somebody has
   * given back a name.
   */
  get writes(): number {
    return this.#writes;
  }

  /** When anybody last changed anything, leases and events apart, in milliseconds. */
  get lastChange(): number {
    return this.#lastChange;
  }

  /** A request leaves a process. */
  leaves(request: SimulatedRequest, process: SimulatedProcess): void {
    const { verb, kind } = request;
    if (verb === 'list' || verb === 'watch' || verb === 'read') return;
    if (!isAside(kind) && !this.#isTry(request)) this.#writes++;
    for (const { promise, onLeave } of this.#invariants) this.find(promise, onLeave?.(request, process));
  }

  /** True of a create of what has another's name, and of the look at the inventory before it. */
  #isTry({ verb, kind, name, subresource }: SimulatedRequest): boolean {
    const { scene } = this;
    const there = name && scene.server.find(kind, name);
    if (verb === 'create') return there !== undefined && isOthers(scene, there);
    const isLook = verb === 'apply' && !subresource && groupKindOf(kind) === groupKindOf(scene.controller.kind);
    return isLook && objectsIn(scene).some(({ object }) => isOthers(scene, object));
  }

  /** @param how undefined where the promise is kept */
  find(promise: string, how: string | undefined): void {
    if (how === undefined || this.#broken) return;
    this.#broken = { promise, how };
    this.scene.history.say('-', `broken: the operator ${promise}: ${how}`);
  }

  #changed(effect: Effect): void {
    const { request, after } = effect;
    const { controller, expectations, time } = this.scene;
    if (!isAside(request.kind)) this.#lastChange = time.now;
    if (after && groupKindOf(request.kind) === groupKindOf(controller.kind)) expectations.note(after as CustomResource);
    if (this.#reads.has(groupKindOf(request.kind))) this.#referencesChanged();
    for (const { promise, onEffect } of this.#invariants) this.find(promise, onEffect?.(effect));
  }

  #referencesChanged(): void {
    const { controller, expectations, server } = this.scene;
    for (const resource of server.all(controller.kind)) expectations.noteAgain(resource as CustomResource);
  }
}

/** What a process writes for itself, and what it only tells. */
function isAside({ kind }: ObjectKind): boolean {
  return kind === Lease.kind || kind === Event.kind;
}
