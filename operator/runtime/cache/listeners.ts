import type { LiveObject, ObjectKey } from '../kubernetes/object.js';

/** A change, with the object before and after. One of them is missing if the object was created or deleted. */
export interface Change {
  readonly before?: LiveObject | undefined;
  readonly after?: LiveObject | undefined;
  /** True for objects of the initial list: they existed before this process, so they have a low priority. */
  readonly initial?: boolean;
  /** True if nothing but the status differs, or annotations that others added. */
  readonly statusOnly?: boolean;
}

/** The listeners to changes of one kind's objects. */
export class Listeners {
  /**
   * Each listener with the controller whose writes it ignores. '' ignores the writes of all controllers in this
   * process.
   */
  readonly #listeners = new Map<(change: Change) => void, string>();

  /** @returns a function that removes the listener */
  add(listener: (change: Change) => void, by: string): () => void {
    this.#listeners.set(listener, by);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Notifies all listeners, even if one of them fails.
   * @param by the controller that wrote it. @default - a writer outside of this process
   * @throws the first error of a listener
   */
  tell(change: Change, by?: string): void {
    const failures: unknown[] = [];
    for (const [listener, name] of this.#listeners) {
      if (by !== undefined && (name === '' || name === by)) continue;
      try {
        listener(change);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** A change that a watch reported, and the version that it led to. */
export interface News {
  readonly version: string;
  readonly change: Change;
}

/**
 * Events of objects that are being written. They wait for the response, which shows whether the event is our own write.
 */
export class HeldEvents {
  readonly #writes = new Map<ObjectKey, number>();
  /** In order. */
  readonly #news = new Map<ObjectKey, readonly News[]>();

  /** A write of the object is sent. */
  begin(key: ObjectKey): void {
    this.#writes.set(key, (this.#writes.get(key) ?? 0) + 1);
  }

  /** @returns false if the object is not being written, so that its event need not wait */
  take(key: ObjectKey, news: News): boolean {
    if (!this.#writes.has(key)) return false;
    this.#news.set(key, [...(this.#news.get(key) ?? []), news]);
    return true;
  }

  /** A write of the object has ended. @returns the events that waited for it, unless another write is in flight */
  end(key: ObjectKey): readonly News[] {
    const left = (this.#writes.get(key) ?? 1) - 1;
    if (left > 0) {
      this.#writes.set(key, left);
      return [];
    }
    this.#writes.delete(key);
    const news = this.#news.get(key) ?? [];
    this.#news.delete(key);
    return news;
  }
}
