import type { AccountQuestion } from '../../controllers/certificates/ports/acme.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { Announcer } from '../../runtime/ports/external-port.js';
import { BoundedMap } from './bounded-map.js';
import type { ProblemError } from './problems.js';

/** Problems that contradict that a server has an account in order. */
const contradictions: readonly string[] = ['accountDoesNotExist', 'unauthorized'];
/** Milliseconds between two announcements of a question. Each Certificate of an issuer reports the same contradiction. */
const apart = 10_000;
/** Questions that are remembered. */
const most = 1_024;

/**
 * Announces the question of an account when another answer of its server contradicts that the account is in order. A settled
 * account is polled once a day, and no Certificate can be issued until it is created again.
 */
export class AccountAnnouncer {
  readonly #listeners = new Set<(question: AccountQuestion) => void>();
  readonly #announced = new BoundedMap<number>(most);

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  readonly announces: Announcer<AccountQuestion> = (announce, { signal }) => {
    this.#listeners.add(announce);
    signal.addEventListener('abort', () => this.#listeners.delete(announce));
  };

  /** Hears of an error response to a request of an account. */
  heard(question: AccountQuestion, error: ProblemError): void {
    if (!contradictions.some((type) => error.isOfType(type))) return;
    const key = JSON.stringify(question);
    const now = this.clock.now();
    const last = this.#announced.get(key);
    if (last !== undefined && Math.abs(now - last) < apart) return;
    this.#announced.set(key, now);
    for (const announce of this.#listeners) announce(question);
  }
}
