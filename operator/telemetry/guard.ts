import { hash } from 'node:crypto';
import type { Clock } from '../runtime/ports/clock.js';

/** `unknown`: the token is not valid. `forbidden`: its bearer has no permission. */
export type Admission = 'allowed' | 'unknown' | 'forbidden';

/** Milliseconds for which a decision is cached. A revoked permission stays effective that long. */
const believed: Readonly<Record<Admission, number>> = { allowed: 60_000, forbidden: 10_000, unknown: 10_000 };
/** The number of tokens that are cached, as hashes. */
const remembered = 100;
/** The number of concurrent reviews. A client that reaches the port can send any number of tokens. */
const abreast = 4;

/**
 * Admits clients with a token that may see a page, by asking a reviewer.
 *
 * Guarantees: at most one review of a token at a time, and few in total. No token is stored.
 */
export class Guard {
  readonly #known = new Map<string, { readonly answer: Promise<Admission>; until: number }>();
  #underWay = 0;

  constructor(
    readonly clock: Clock,
    readonly ask: (token: string) => Promise<Admission>,
  ) {}

  /**
   * @param authorization the header as received
   * @throws {Error} if no decision is possible now
   */
  async admission(authorization: string | undefined): Promise<Admission> {
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) return 'unknown';
    const id = hash('sha256', token, 'hex');
    const known = this.#known.get(id);
    if (known && this.clock.monotonic() < known.until) return known.answer;
    if (this.#underWay >= abreast) throw new Error('too many token reviews are in progress, try again');
    return this.#look(id, token);
  }

  async #look(id: string, token: string): Promise<Admission> {
    this.#underWay++;
    const answer = this.ask(token).finally(() => this.#underWay--);
    const entry = { answer, until: Number.POSITIVE_INFINITY };
    this.#known.delete(id);
    this.#known.set(id, entry);
    const [oldest] = this.#known.keys();
    if (this.#known.size > remembered && oldest !== undefined) this.#known.delete(oldest);
    try {
      const admission = await answer;
      entry.until = this.clock.monotonic() + believed[admission];
      return admission;
    } catch (error) {
      if (this.#known.get(id) === entry) this.#known.delete(id);
      throw new Error('the token could not be reviewed', { cause: error });
    }
  }
}
