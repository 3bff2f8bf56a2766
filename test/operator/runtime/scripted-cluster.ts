import type { Cluster, ListQuery, Page, WatchEvent, WatchQuery } from '../../../operator/runtime/cluster.js';
import { ApiError } from '../../../operator/runtime/errors.js';
import type { ObjectKind } from '../../../operator/runtime/kinds.js';
import { MemoryCluster } from '../../../operator/testing/index.js';
import { bound } from './given-house.js';

/** What one attempt to list or watch meets instead of the truth. */
export type Step = Error | readonly (WatchEvent | Error)[] | 'silence' | 'ok';

/** A memory cluster whose lists and watches go by a script first; the diary tells how they were asked for. */
export class ScriptedCluster {
  readonly memory = new MemoryCluster();
  readonly lists: Step[] = [];
  readonly watches: Step[] = [];
  /** `list`, `list more`, `watch 101` */
  readonly asked: string[] = [];

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
    this.asked.push(`watch ${query.resourceVersion}`);
    const step = this.watches.shift() ?? 'ok';
    if (step instanceof Error) throw step;
    if (step === 'ok') yield* this.memory.watch(kind, query);
    else if (step === 'silence') await rejectionOf(query.signal);
    else
      for (const event of step) {
        if (event instanceof Error) throw event;
        yield event;
      }
  }
}

/** A failure as the API server tells it. */
export function failure(code: number, reason: string, retryAfter?: number): ApiError {
  return new ApiError(`it says ${reason}`, { code, reason, ...(retryAfter !== undefined && { retryAfter }) });
}

function rejectionOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
