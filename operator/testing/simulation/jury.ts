import type { CustomResource } from '../../runtime/controller/custom-resource.js';
import { kindsRead } from '../../runtime/controller/reads.js';
import { Event, groupKindOf } from '../../runtime/kubernetes/kinds.js';
import type { MemoryPort, PerformedRequest } from '../contract/trial/memory-port.js';
import { isOthers } from './convergence.js';
import { isOperatorLease } from './environment/operator-lease.js';
import type { SimulatedProcess } from './environment/process.js';
import { objectsIn, type Scene } from './environment/scene.js';
import type { Effect, SimulatedRequest } from './environment/server.js';
import { invariants } from './invariants/index.js';
import type { Invariant } from './invariants/invariant.js';

/** A broken promise. */
export interface Broken {
  /** The promise as the rest of a sentence that starts with "the operator". */
  readonly promise: string;
  /** A description of the violation, for users. */
  readonly how: string;
}

/** Watches one run and finds the first broken promise. */
export class Jury {
  readonly #invariants: readonly Invariant[];
  /** The kinds that the controller reads. */
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
   * Number of writes that the operator sent, without its own Lease, events and checks whether a name of another owner is free
   * again.
   */
  get writes(): number {
    return this.#writes;
  }

  /** Time of the last change by any client, without its Lease and events, in milliseconds. */
  get lastChange(): number {
    return this.#lastChange;
  }

  /** Checks a request when its process sends it. */
  leaves(request: SimulatedRequest, process: SimulatedProcess): void {
    const { verb } = request;
    if (verb === 'list' || verb === 'watch' || verb === 'read') return;
    if (!isAside(request) && !this.#isTry(request)) this.#writes++;
    for (const { promise, onLeave } of this.#invariants) this.find(promise, onLeave?.(request, process));
  }

  /** Checks an external call when its process sends it. */
  calls(process: SimulatedProcess): void {
    for (const { promise, onCall } of this.#invariants) this.find(promise, onCall?.(process));
  }

  /** Checks an external call that has reached its system. */
  performed(port: MemoryPort, request: PerformedRequest): void {
    this.#lastChange = this.scene.time.now;
    this.#writes++;
    for (const { promise, onPerformed } of this.#invariants) this.find(promise, onPerformed?.(port, request));
  }

  /** True for the creation of an object whose name another owner uses, and for the inventory write before it. */
  #isTry({ verb, kind, name, subresource }: SimulatedRequest): boolean {
    const { scene } = this;
    const there = name && scene.server.find(kind, name);
    if (verb === 'create') return there !== undefined && isOthers(scene, there);
    const isLook = verb === 'apply' && !subresource && groupKindOf(kind) === groupKindOf(scene.controller.kind);
    return isLook && objectsIn(scene).some(({ object }) => isOthers(scene, object));
  }

  /** @param how the violation; undefined if the promise holds */
  find(promise: string, how: string | undefined): void {
    if (how === undefined || this.#broken) return;
    this.#broken = { promise, how };
    this.scene.history.say('-', `broken promise "the operator ${promise}": ${how}`);
  }

  #changed(effect: Effect): void {
    const { request, after } = effect;
    const { controller, expectations, time } = this.scene;
    if (!isAside(request)) this.#lastChange = time.now;
    if (after && groupKindOf(request.kind) === groupKindOf(controller.kind)) expectations.note(after as CustomResource);
    if (this.#reads.has(groupKindOf(request.kind))) this.#referencesChanged();
    for (const { promise, onEffect } of this.#invariants) this.find(promise, onEffect?.(effect));
  }

  #referencesChanged(): void {
    const { controller, expectations, server } = this.scene;
    for (const resource of server.all(controller.kind)) expectations.noteAgain(resource as CustomResource);
  }
}

/** True for the Lease of the operator, and for events. */
function isAside(request: SimulatedRequest): boolean {
  return isOperatorLease(request) || request.kind.kind === Event.kind;
}
