import type { Store } from './store.js';
import type { Watch } from './watch.js';

/** What this goes by of a watch. */
type Watching = Pick<Watch, 'store' | 'namespace' | 'synced' | 'missing' | 'whenSynced' | 'whenKnown'>;

/**
 * Knows which watches fill which store, and how far they came. What no watch has told yet is unknown, not absent: nothing
 * may be made or removed for the lack of it. One namespace of which nothing is told says nothing of the others.
 */
export class WatchProgress {
  /** By store and namespace, '' for all and for kinds that are in none. */
  readonly #watches = new Map<Store, Map<string, Watching>>();
  readonly #listeners = new Set<() => void>();

  add(watch: Watching): void {
    const watches = this.#watches.get(watch.store) ?? new Map<string, Watching>();
    this.#watches.set(watch.store, watches.set(watch.namespace, watch));
    const tell = () => {
      for (const listener of this.#listeners) listener();
    };
    void watch.whenSynced.then(tell);
    void watch.whenKnown.then(tell);
  }

  /**
   * Hears each time that more is told or known.
   * @returns what takes the listener off again
   */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * True where everything there is was told, or nobody watches.
   * @param namespace undefined for all that are watched
   */
  isTold(store: Store, namespace: string | undefined): boolean {
    return this.#of(store, namespace).every(({ synced }) => synced);
  }

  /** True also where there is nothing, as the API server does not serve the kind. */
  isKnown(store: Store, namespace: string | undefined): boolean {
    return this.#of(store, namespace).every(({ synced, missing }) => synced || missing);
  }

  #of(store: Store, namespace: string | undefined): readonly Watching[] {
    const watches = this.#watches.get(store);
    if (!watches) return [];
    if (namespace === undefined) return [...watches.values()];
    const watch = watches.get(namespace) ?? watches.get('');
    return watch ? [watch] : [];
  }
}
