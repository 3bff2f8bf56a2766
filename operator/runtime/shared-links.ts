import { type Linked, linked, share } from './linked.js';

interface Link extends Linked {
  readonly to: AbortSignal;
  /** Those that wait for it. */
  users: number;
}

/**
 * Signals that abort with either of two, made once for all that wait for the same two at a time: a pass writes many
 * objects at once, and a signal for each is a thirtieth of what its writes cost.
 */
export class SharedLinks {
  readonly #links = new WeakMap<AbortSignal, Link>();

  /** To be released by each that takes it; after the last one nothing is left behind on either. */
  take(one: AbortSignal, other: AbortSignal): Omit<Linked, 'abort'> {
    const known = this.#links.get(one);
    const link = known?.to === other ? known : this.#made(one, other);
    link.users++;
    return { signal: link.signal, release: () => this.#release(one, link) };
  }

  #made(one: AbortSignal, other: AbortSignal): Link {
    const link = { ...linked(one, other), to: other, users: 0 };
    share(link.signal);
    this.#links.set(one, link);
    return link;
  }

  #release(one: AbortSignal, link: Link): void {
    if (--link.users > 0) return;
    link.release();
    if (this.#links.get(one) === link) this.#links.delete(one);
  }
}
