import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import type { ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster, ListQuery, Page, WatchEvent, WatchQuery } from '../../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { bound } from './house.js';

/** What one attempt to list or watch meets instead of the truth; it waits for a promise, and in silence for ever. */
export type Step = Error | readonly (WatchEvent | Error | Promise<unknown> | 'silence')[] | 'silence' | 'ok';

/**
 * A memory cluster whose lists and watches go by a script first; the diary tells how they were asked for.
 *
 * It refuses to stream what there is, as servers did before they could, unless a test says otherwise.
 */
export class ScriptedCluster {
  readonly memory = new MemoryCluster();
  readonly lists: Step[] = [];
  readonly watches: Step[] = [];
  streams = false;
  /** `list`, `list more`, `stream`, `watch 101`; a stream that was refused is left out. */
  readonly asked: string[] = [];
  /** For how many seconds watches were asked for. */
  readonly timeouts: number[] = [];

  get cluster(): Cluster {
    return {
      ...bound(this.memory),
      list: (kind, query) => this.#list(kind, query),
      watch: (kind, query) => this.#watch(kind, query),
    };
  }

  async #list(kind: ObjectKind, query: ListQuery): Promise<Page> {
    this.asked.push(query.continue ? 'list more' : 'list');
    const step = this.lists.shift() ?? 'ok';
    if (step instanceof Error) throw step;
    return this.memory.list(kind, query);
  }

  async *#watch(kind: ObjectKind, query: WatchQuery): AsyncGenerator<WatchEvent> {
    if (query.resourceVersion === undefined && !this.streams) throw failure(422, 'Invalid');
    this.asked.push(query.resourceVersion === undefined ? 'stream' : `watch ${query.resourceVersion}`);
    this.timeouts.push(query.timeoutSeconds);
    const step = this.watches.shift() ?? 'ok';
    if (step instanceof Error) throw step;
    if (step === 'ok') yield* this.memory.watch(kind, query);
    else
      for (const event of step === 'silence' ? [step] : step) {
        if (event instanceof Error) throw event;
        if (event === 'silence') await rejectionOf(query.signal);
        else if (event instanceof Promise) await event;
        else yield event;
      }
  }
}

/** A cluster that can list what there is, and not stream it. */
export function unstreamed(cluster: Cluster): Cluster {
  return {
    ...bound(cluster),
    async *watch(kind, query) {
      if (query.resourceVersion === undefined) throw failure(422, 'Invalid');
      yield* cluster.watch(kind, query);
    },
  };
}

/** A failure as the API server returns it. */
export function failure(code: number, reason: string, retryAfter?: number): ApiError {
  return new ApiError(`it says ${reason}`, { code, reason, ...(retryAfter !== undefined && { retryAfter }) });
}

function rejectionOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
