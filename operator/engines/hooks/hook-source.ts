import type { HostLookup } from '../../egress/connections.js';
import { bearerToken, postJson, waitOf } from '../../egress/json-post.js';
import { type HookAnswer, restartHooks } from '../../members/hooks/port.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';

/** Hooks that are remembered. A cluster has one at a time, and a forgotten one is sent again. */
const most = 1_024;
/** Milliseconds until a hook that has not succeeded is sent again, unless the server asks for another time. */
const pause = 10_000;

/** How the operator reaches the servers of hooks. */
export interface HookOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Refuses what the operator's allow-list does not have. */
  readonly lookup: HostLookup;
}

/** Sends hooks to servers, and remembers which ones a server has confirmed. */
export function hookSource({ clock, lookup }: HookOptions): Provided {
  const confirmed = new Set<string>();
  return provided(
    restartHooks,
    async ({ id, url }, { signal }): Promise<HookAnswer> => {
      signal.throwIfAborted();
      return { state: confirmed.has(keyOf(id, url)) ? 'confirmed' : 'unknown' };
    },
    {
      perform: async ({ id, url, caBundle: ca, restart: body }, { signal, mayLeave, secret }) => {
        const token = secret && bearerToken(secret, 'the hook');
        const refused = await postJson({ url: new URL(url), body, ca, token, lookup, signal, mayLeave });
        // Every status says that the hook has not succeeded yet: a corrected server accepts the same request.
        if (refused) {
          const retryAfter = waitOf(refused, clock.now(), pause);
          throw new CallError('retryable', refused.message, { mayHaveEffect: false, retryAfter });
        }
        confirmed.add(keyOf(id, url));
        const [oldest] = confirmed;
        if (confirmed.size > most && oldest !== undefined) confirmed.delete(oldest);
      },
    },
  );
}

function keyOf(id: string, url: string): string {
  return JSON.stringify([id, url]);
}
