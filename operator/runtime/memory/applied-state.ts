import { contains, statedOf } from '../fields/contains.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { appliedAnnotation } from '../kubernetes/well-known-names.js';
import { fingerprint } from '../ownership/ownership-labels.js';

/**
 * Knows which objects need no write: those that carry the fingerprint of the wish and state all of it.
 *
 * Some wishes never read back as they were written (a default spelled out differently, a list put in order). For these
 * the answer to the last apply is remembered: as long as the object states that, it is what the wish means. Forgotten
 * with the process, which costs one apply that changes nothing.
 */
export class AppliedState {
  /** By UID, the fingerprint of what the object stated where the wish states something: its own fingerprint included. */
  readonly #readings = new Map<string, string>();

  has(live: LiveObject, wish: Manifest): boolean {
    const applied = wish.metadata.annotations?.[appliedAnnotation];
    if (live.metadata.annotations?.[appliedAnnotation] !== applied) return false;
    if (contains(live, wish)) return true;
    return this.#readings.get(live.metadata.uid) === fingerprint(statedOf(live, wish));
  }

  /** Takes note of the answer to an apply. */
  note(answer: LiveObject, wish: Manifest): void {
    if (contains(answer, wish)) {
      this.#readings.delete(answer.metadata.uid);
      return;
    }
    this.#readings.set(answer.metadata.uid, fingerprint(statedOf(answer, wish)));
  }

  /** Of an object that is gone. */
  forget(uid: string): void {
    this.#readings.delete(uid);
  }
}
