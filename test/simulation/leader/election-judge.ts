import type { CandidateProcess } from './candidate-process.js';

/** What an election promises. */
export class ElectionJudge {
  broken: string | undefined;
  /** Writes that a replica has confirmed. */
  readonly confirmed = new Set<number>();
  /** The highest term in which a leader has opened. */
  highest = 0;
  readonly #holders = new Map<number, string>();

  /** A process is named in the Lease. */
  named(term: number, holder: string): void {
    const before = this.#holders.get(term) ?? holder;
    if (before !== holder) this.#found(`two leaders of one term: ${before} and ${holder} in term ${term}`);
    this.#holders.set(term, before);
  }

  /** A leader serves clients for the first time in its term. */
  leads({ name, term, log }: CandidateProcess): void {
    const has = new Set(log);
    const lost = [...this.confirmed].filter((write) => !has.has(write));
    if (lost.length > 0)
      this.#found(`a lost write: ${name} leads in term ${term} without ${lost.length} confirmed writes`);
    this.highest = Math.max(this.highest, term);
  }

  /** A replica has confirmed a write of a leader. */
  confirms(write: number, { name, term }: CandidateProcess): void {
    if (term < this.highest)
      this.#found(`two writers: ${name} confirms in term ${term} after a leader of ${this.highest}`);
    this.confirmed.add(write);
  }

  #found(what: string): void {
    this.broken ??= what;
  }
}
