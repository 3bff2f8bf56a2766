import type { Blocker } from '../controller/blocker.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { wishOf } from '../ownership/ownership-labels.js';
import type { Clock } from '../ports/clock.js';
import { WriteBreaker } from './write-breaker.js';

interface Blocked {
  readonly wish: string;
  readonly state: string;
  readonly until: number;
  readonly blocker: Blocker;
}

/**
 * Knows which writes are useless, because they were sent and did not help. The memory is lost with the process, which
 * then finds out again.
 */
export class WriteGuard {
  /** By UID. */
  readonly #blocked = new Map<string, Blocked>();

  /** The writes that are repeated. */
  readonly breaker: WriteBreaker;

  constructor(readonly clock: Clock) {
    this.breaker = new WriteBreaker(clock);
  }

  /** The blocker that an apply of this manifest met, as long as neither the manifest nor the object has changed. */
  blocked(live: LiveObject, wish: Manifest): Blocker | undefined {
    const known = this.#blocked.get(live.metadata.uid);
    if (!known) return undefined;
    const left = known.until - this.clock.monotonic();
    const isSame = known.wish === wishOf(wish) && known.state === stateOf(live);
    return isSame && left > 0 ? { ...known.blocker, requeueAfter: left } : undefined;
  }

  /** Records a rejected manifest. It is sent again after the time that the blocker states. */
  block(live: LiveObject, wish: Manifest, blocker: Blocker): void {
    const until = this.clock.monotonic() + blocker.requeueAfter;
    this.#blocked.set(live.metadata.uid, { wish: wishOf(wish), state: stateOf(live), until, blocker });
  }

  /** For an object or a manifest that has changed. */
  unblock(uid: string): void {
    this.#blocked.delete(uid);
  }

  /** For an object that is gone. */
  forget(uid: string): void {
    this.#blocked.delete(uid);
    this.breaker.forget(uid);
  }
}

/** The version of the desired state, if the kind distinguishes it from the observed state. */
function stateOf({ metadata }: LiveObject): string {
  return metadata.generation === undefined ? metadata.resourceVersion : `generation ${metadata.generation}`;
}
