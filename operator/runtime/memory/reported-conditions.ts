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
