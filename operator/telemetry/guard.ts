import { hash } from 'node:crypto';
import type { Clock } from '../runtime/ports/clock.js';

/** `unknown`: nobody has this token; `forbidden`: its bearer may not. */
export type Admission = 'allowed' | 'unknown' | 'forbidden';

/** Milliseconds for which an answer is believed. A right that is taken away works that much longer. */
const believed: Readonly<Record<Admission, number>> = { allowed: 60_000, forbidden: 10_000, unknown: 10_000 };
/** Tokens that are remembered, as hashes. */
const remembered = 100;
/** Questions on their way at a time: whoever reaches the port can ask with as many tokens as he likes. */
const abreast = 4;

/**
 * Admits who has a token that may see a page, by asking somebody who knows.
 *
 * Guarantees: one question for a token at a time, and few in all; no token is kept.
 */
export class Guard {
  readonly #known = new Map<string, { readonly answer: Promise<Admission>; until: number }>();
  #underWay = 0;

  constructor(
    readonly clock: Clock,
    readonly ask: (token: string) => Promise<Admission>,
  ) {}

  /**
   * @param authorization the header as it came
   * @throws {Error} when nobody can tell now
   */
  async admission(authorization: string | undefined): Promise<Admission> {
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) return 'unknown';
    const id = hash('sha256', token, 'hex');
    const known = this.#known.get(id);
    if (known && this.clock.monotonic() < known.until) return known.answer;
    if (this.#underWay >= abreast) throw new Error('too many tokens are being looked at, try again');
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
      throw new Error('the token could not be looked at', { cause: error });
    }
  }
}
