import { contains, statedOf } from '../fields/contains.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { appliedAnnotation } from '../kubernetes/well-known-names.js';
import { fingerprint } from '../ownership/ownership-labels.js';

/**
 * Knows which objects need no write: those with the fingerprint of the manifest and all of its fields.
 *
 * Some manifests never read back as they were written (for example, a default in another notation, or a sorted list).
 * For these the response to the last apply is remembered. As long as the object matches that response, it is as
 * desired. The memory is lost with the process, which costs one apply that changes nothing.
 */
export class AppliedState {
  /**
   * By UID, the fingerprint of what the object has in the fields of the manifest, including the manifest's own
   * fingerprint.
   */
  readonly #readings = new Map<string, string>();

  has(live: LiveObject, wish: Manifest): boolean {
    const applied = wish.metadata.annotations?.[appliedAnnotation];
    if (live.metadata.annotations?.[appliedAnnotation] !== applied) return false;
    if (contains(live, wish)) return true;
    return this.#readings.get(live.metadata.uid) === fingerprint(statedOf(live, wish));
  }

  /** Records the response to an apply. */
  note(answer: LiveObject, wish: Manifest): void {
    if (contains(answer, wish)) {
      this.#readings.delete(answer.metadata.uid);
      return;
    }
    this.#readings.set(answer.metadata.uid, fingerprint(statedOf(answer, wish)));
  }

  /** For an object that is gone. */
  forget(uid: string): void {
    this.#readings.delete(uid);
  }
}
