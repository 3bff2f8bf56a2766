import type { LiveObject, ObjectKey } from '../kubernetes/object.js';

/** What a change looked like before and after; one of them is missing when an object came or went. */
export interface Change {
  readonly before?: LiveObject | undefined;
  readonly after?: LiveObject | undefined;
  /** True for what a first list brings: it was there before us, nobody waits for an answer. */
  readonly initial?: boolean;
  /** True when nothing that could be stated here differs: its status alone, or annotations that others added. */
  readonly statusOnly?: boolean;
}

/** Those who hear of the changes of one kind's objects. */
export class Listeners {
  /** Each with the name of whose writes it need not hear; '' for those of everybody in this process. */
  readonly #listeners = new Map<(change: Change) => void, string>();

  /** @returns what takes the listener off again */
  add(listener: (change: Change) => void, by: string): () => void {
    this.#listeners.set(listener, by);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Tells all of them, also when one of them fails.
   * @param by who wrote it. @default - somebody outside of this process
   * @throws what the first that failed threw
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

/** A change that a watch told, and the version that it led to. */
export interface News {
  readonly version: string;
  readonly change: Change;
}

/** News of objects that are being written: it waits for the answer, which tells whether it is our own. */
export class HeldEvents {
  readonly #writes = new Map<ObjectKey, number>();
  /** In order. */
  readonly #news = new Map<ObjectKey, readonly News[]>();

  /** A write of the object leaves. */
  begin(key: ObjectKey): void {
    this.#writes.set(key, (this.#writes.get(key) ?? 0) + 1);
  }

  /** @returns false when the object is not being written, so that its news need not wait */
  take(key: ObjectKey, news: News): boolean {
    if (!this.#writes.has(key)) return false;
    this.#news.set(key, [...(this.#news.get(key) ?? []), news]);
    return true;
  }

  /** A write of the object has ended. @returns what has waited for it, unless another one is under way */
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
