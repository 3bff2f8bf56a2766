import type { Change } from './listeners.js';
import type { ObjectKey } from './object.js';

/** A change that a watch told, and the version that it led to. */
export interface News {
  readonly version: string;
  readonly change: Change;
}

/** News of objects that are being written: it waits for the answer, which tells whether it is our own. */
export class Withheld {
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
