import type { Store } from './store.js';
import type { Watch } from './watch.js';

/** The part of a watch that matters here. */
type Watching = Pick<Watch, 'store' | 'namespace' | 'synced' | 'missing' | 'whenSynced' | 'whenKnown'>;

/**
 * Knows which watches fill which store, and how far they have synced. Objects that no watch has reported yet are
 * unknown, not absent, so nothing may be created or deleted because they are missing. Each namespace counts separately.
 */
export class WatchProgress {
  /** By store and namespace. '' stands for all namespaces and for cluster-scoped kinds. */
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
   * Calls the listener each time that more is reported or known.
   * @returns a function that removes the listener
   */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * True if the watch has synced, or no watch exists.
   * @param namespace undefined for all that are watched
   */
  isTold(store: Store, namespace: string | undefined): boolean {
    return this.#of(store, namespace).every(({ synced }) => synced);
  }

  /** True also if there is nothing to report, because the API server does not serve the kind. */
  isKnown(store: Store, namespace: string | undefined): boolean {
    return this.#of(store, namespace).every(({ synced, missing }) => synced || missing);
  }

  /** The watched namespaces, if only some are watched and this one is not among them. */
  namespacesBeside(store: Store, namespace: string): readonly string[] | undefined {
    const watched = [...(this.#watches.get(store)?.keys() ?? [])];
    return watched.length === 0 || watched.includes('') || watched.includes(namespace) ? undefined : watched;
  }

  #of(store: Store, namespace: string | undefined): readonly Watching[] {
    const watches = this.#watches.get(store);
    if (!watches) return [];
    if (namespace === undefined) return [...watches.values()];
    const watch = watches.get(namespace) ?? watches.get('');
    return watch ? [watch] : [];
  }
}
