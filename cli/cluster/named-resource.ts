import { isNotServed } from '../../operator/runtime/kubernetes/errors.js';
import { apiVersionOf, groupKindOf, type ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject, ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';

/**
 * The live custom resource; undefined if it does not exist.
 * @throws {Error} if the API server does not serve its kind
 */
export async function resourceNamed(
  kind: ObjectKind,
  name: ObjectName,
  cluster: Cluster,
): Promise<LiveObject | undefined> {
  try {
    return await cluster.read(kind, name);
  } catch (error) {
    throw isNotServed(error) ? notServedError(kind, error) : error;
  }
}

/** For users: the API server does not serve a kind. */
export function notServedError(kind: ObjectKind, cause: unknown): Error {
  const definition = `${kind.plural}.${kind.group}`;
  return new Error(
    `the API server does not serve ${groupKindOf(kind)} as ${apiVersionOf(kind)}; apply the CRD ${definition} first`,
    { cause },
  );
}
