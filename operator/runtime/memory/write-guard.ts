import type { Blocker } from '../controller/blocker.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { wishOf } from '../ownership/ownership-labels.js';
import type { Clock } from '../ports/clock.js';
import { WriteBreaker } from './write-breaker.js';

/** Milliseconds after which a refused change is tried once more, though nothing has happened to either side. */
const blockedFor = 600_000;

interface Blocked {
  readonly wish: string;
  readonly state: string;
  readonly until: number;
  readonly blocker: Blocker;
}

/**
 * Knows which writes are not worth making, because they were made and did not help. Forgotten with the process, which
 * then finds out anew.
 */
export class WriteGuard {
  /** By UID. */
  readonly #blocked = new Map<string, Blocked>();

  /** What is written again and again. */
  readonly breaker: WriteBreaker;

  constructor(readonly clock: Clock) {
    this.breaker = new WriteBreaker(clock);
  }

  /** What an apply of this wish met, as long as neither the wish nor the object is another. */
  blocked(live: LiveObject, wish: Manifest): Blocker | undefined {
    const known = this.#blocked.get(live.metadata.uid);
    if (!known) return undefined;
    const left = known.until - this.clock.monotonic();
    const isSame = known.wish === wishOf(wish) && known.state === stateOf(live);
    if (isSame && left > 0) return { ...known.blocker, requeueAfter: left };
    this.#blocked.delete(live.metadata.uid);
    return undefined;
  }

  /** Takes note of a wish that the object cannot become. */
  block(live: LiveObject, wish: Manifest, message: string): Blocker {
    const blocker: Blocker = { reason: 'ImmutableField', message, requeueAfter: blockedFor };
    const until = this.clock.monotonic() + blockedFor;
    this.#blocked.set(live.metadata.uid, { wish: wishOf(wish), state: stateOf(live), until, blocker });
    return blocker;
  }

  /** Of an object that is gone. */
  forget(uid: string): void {
    this.#blocked.delete(uid);
    this.breaker.forget(uid);
  }
}

/** The state that somebody decided on, where the kind tells it from what is observed. */
function stateOf({ metadata }: LiveObject): string {
  return metadata.generation === undefined ? metadata.resourceVersion : `generation ${metadata.generation}`;
}
