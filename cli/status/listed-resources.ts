import { isApiError, isNotServed } from '../../operator/runtime/kubernetes/errors.js';
import type { ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { notServedError } from '../cluster/named-resource.js';

/** Objects in a page of a list. */
const limit = 500;

/** Where objects are listed. */
export interface ListedPlace {
  /** @default - all namespaces, or the cluster for kinds without a namespace */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string;
}

/** All objects of a kind. @throws {Error} if they cannot be listed */
export async function listed<R>(cluster: Cluster, kind: ObjectKind, place: ListedPlace = {}): Promise<readonly R[]> {
  const items: LiveObject[] = [];
  let next: string | undefined;
  try {
    do {
      const page = await cluster.list(kind, { ...place, limit, continue: next });
      items.push(...page.items);
      next = page.continue;
    } while (next !== undefined);
  } catch (error) {
    throw errorFor(kind, error);
  }
  return items as unknown as readonly R[];
}

/** All objects of a kind. One that the user may not list, or that the API server does not serve, gives none and a note. */
export async function listedIfAllowed<R>(
  cluster: Cluster,
  kind: ObjectKind,
  { notes, ...place }: ListedPlace & { readonly notes: string[] },
): Promise<readonly R[]> {
  try {
    return await listed<R>(cluster, kind, place);
  } catch (error) {
    const { cause } = error as Error;
    if (!isApiError(error, 'Forbidden') && !isNotServed(cause)) throw error;
    notes.push(`${kind.kind} is not shown: ${(error as Error).message}`);
    return [];
  }
}

/** For users: a resource does not exist. */
export function notFoundError(kind: string, name: ObjectName): Error {
  return new Error(`${kind} ${keyOf(name)} not found; check the name and --namespace`);
}

function errorFor(kind: ObjectKind, error: unknown): Error {
  return isNotServed(error) ? notServedError(kind, error) : (error as Error);
}
