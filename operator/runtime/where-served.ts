import type { Applying } from './apply.js';
import { isNotServed } from './errors.js';
import type { ObjectKind } from './kinds.js';

/**
 * Asks the server about objects of a kind. A definition takes its objects with it, so where there is none there are none;
 * that an answer knows no such path proves it only when the watch has found the same. A proxy has that answer for any path,
 * and a server for a kind of which it has not heard yet.
 * @returns undefined where the kind is not served
 * @throws {ApiError} NotFound while the kind counts as served
 */
export async function whereServed<T>(
  kind: ObjectKind,
  { stores }: Pick<Applying, 'stores'>,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!isNotServed(error) || stores.isServed(kind)) throw error;
    return undefined;
  }
}
