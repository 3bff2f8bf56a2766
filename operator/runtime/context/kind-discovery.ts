import { isNotServed, messageOf } from '../kubernetes/errors.js';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import type { ReconcileContext } from './reconcile-context.js';

/**
 * Asks the server about objects of a kind. A CRD takes its objects with it, so a kind that does not exist has no
 * objects. A 404 for the path proves that only if discovery lists the kind in no version: a proxy returns 404 for any
 * path, and a server that serves the kind in another version still has its objects.
 * @returns undefined if the kind does not exist
 * @throws {ApiError} NotFound while the kind counts as served
 * @throws {Error} if the kind is served only in other versions, or its absence is not proved
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
    if (others.includes(kind.version)) throw error; // which the watch has not reported yet
    throw new Error(
      `${groupKindOf(kind)} is no longer served in ${kind.version}, but in ${others.join(', ')}: its objects may ` +
        `still exist; serve ${kind.version} again, or run an operator version that supports ${others.join(' or ')}`,
      { cause: error },
    );
  }
}

/**
 * True for a 404 of a kind's path if the watch has found the same. Shortly after a CRD is created, some API servers do
 * not know it yet.
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
    const known = `cannot determine whether ${groupKindOf(kind)} is gone or unreachable`;
    throw new Error(`${known}: ${messageOf(error)}; check that the API server answers`, { cause: error });
  }
}
