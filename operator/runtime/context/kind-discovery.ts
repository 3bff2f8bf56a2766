import { isNotServed, messageOf } from '../kubernetes/errors.js';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import type { ReconcileContext } from './reconcile-context.js';

/**
 * Asks the server about objects of a kind. A definition takes its objects with it, so where there is none there are none;
 * that an answer knows no such path proves it only when the discovery has the kind in no version: a proxy has that answer
 * for any path, and a server that serves the kind in another version has the objects all the same.
 * @returns undefined where there is no such kind
 * @throws {ApiError} NotFound while the kind counts as served
 * @throws {Error} where the kind is served in other versions alone, or nothing proves that there is none
 */
export async function ifServed<T>(
  kind: ObjectKind,
  context: Pick<ReconcileContext, 'cluster' | 'stores' | 'signal'>,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!isUnserved(error, kind, context)) throw error;
    const others = await versionsOf(kind, context);
    if (others.length === 0) return undefined;
    if (others.includes(kind.version)) throw error; // of which the watch has not heard yet
    throw new Error(
      `${groupKindOf(kind)} is not served in ${kind.version} any more, but in ${others.join(', ')}: what was made of it may ` +
        `still be there; serve ${kind.version} again, or run the version of the operator that knows ${others.join(' or ')}`,
      { cause: error },
    );
  }
}

/**
 * True of an answer that knows no path of a kind, when the watch has found the same: of a kind that was just defined not
 * every server has heard yet.
 */
export function isUnserved(error: unknown, kind: ObjectKind, { stores }: Pick<ReconcileContext, 'stores'>): boolean {
  return isNotServed(error) && !stores.isServed(kind);
}

async function versionsOf(
  kind: ObjectKind,
  { cluster, signal }: Pick<ReconcileContext, 'cluster' | 'signal'>,
): Promise<readonly string[]> {
  try {
    return await cluster.discover(kind, { signal });
  } catch (error) {
    if (!isNotServed(error)) throw error;
    const known = `whether ${groupKindOf(kind)} is gone or out of reach is not known`;
    throw new Error(`${known}: ${messageOf(error)}; see that the API server answers`, { cause: error });
  }
}
