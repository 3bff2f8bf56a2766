import type { Condition } from '../controller/conditions.js';

const none: readonly Condition[] = Object.freeze([]);

/**
 * The conditions that a process reported last about resources whose status belongs to others. The memory is lost with
 * the process, so the next one reports conditions that are False once more.
 */
export class ReportedConditions {
  readonly #conditions = new Map<string, readonly Condition[]>();

  /** @param uid of the resource */
  of(uid: string): readonly Condition[] {
    return this.#conditions.get(uid) ?? none;
  }

  /** Records what was reported. Nothing is kept of a resource without conditions. */
  keep(uid: string, conditions: readonly Condition[]): void {
    if (conditions.length === 0) this.#conditions.delete(uid);
    else this.#conditions.set(uid, conditions);
  }

  /** For a resource that is gone. */
  forget(uid: string): void {
    this.#conditions.delete(uid);
  }

  /** Drops everything, because another process may have reported since. */
  clear(): void {
    this.#conditions.clear();
  }
}

/** Since when the prune of objects is held, by resource. Lost with the process, so that a new one starts to count anew. */
export class HeldPrunes {
  readonly #since = new Map<string, number>();

  /**
   * Records whether a reconcile held the prune of an object.
   * @param now milliseconds since 1970
   * @returns since when, undefined if it did not
   */
  note(uid: string, isHeld: boolean, now: number): number | undefined {
    if (!isHeld) {
      this.#since.delete(uid);
      return undefined;
    }
    const since = this.#since.get(uid) ?? now;
    this.#since.set(uid, since);
    return since;
  }

  forget(uid: string): void {
    this.#since.delete(uid);
  }
}
